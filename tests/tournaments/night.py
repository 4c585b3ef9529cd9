"""A club night as the tests play it: through the services, on a clock of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Any
from uuid import UUID, uuid4

from django.contrib.auth.models import User

from engine.clock import in_time
from tournaments import lexicons
from tournaments.enums import DrawMode, SlipSource
from tournaments.models import Event, Game, Player, Room, Turn, TurnClock, Verdict
from tournaments.position import board_before, edition_of, profile_of, rack_of
from tournaments.selectors.events import first_room
from tournaments.selectors.phases import clock_in, clock_of, current_turn
from tournaments.services import clocks, drawing, events, placing, rulings, slips
from tournaments.services.acting import acting_on, record
from tournaments.services.players import NewPlayer
from tournaments.services.slips import Incoming, Receipt
from tournaments.tops import search_tops

EVENING = datetime(2026, 3, 6, 20, 30, tzinfo=UTC)
SEED = bytes(range(32))
NEXT_SEED = bytes(range(100, 132))
FOUR = (
    NewPlayer(1, "Anna Rossi", "Torino"),
    NewPlayer(2, "Bruno Verdi", "Torino"),
    NewPlayer(3, "Carla Neri", "Milano"),
    NewPlayer(17, "Dario Bianchi"),
)


@dataclass
class Night:
    """A game and the time of the evening; every act takes a second."""

    game: Game
    judge: User
    now: datetime = EVENING
    room: Room = field(init=False)

    def __post_init__(self) -> None:
        self.room = first_room(self.game.event)

    @property
    def event(self) -> Event:
        return self.game.event

    @property
    def turn(self) -> Turn:
        turn = current_turn(self.game)
        assert turn is not None
        turn.game.refresh_from_db()
        return turn

    @property
    def clock(self) -> TurnClock:
        clock = clock_in(self.turn, self.room)
        assert clock is not None
        return clock

    def later(self, seconds: float = 1) -> datetime:
        self.now += timedelta(seconds=seconds)
        return self.now

    def refresh(self) -> Game:
        self.game = Game.objects.select_related("event").get(pk=self.game.pk)
        return self.game

    def player(self, table: int) -> Player:
        return Player.objects.get(event=self.event, table=table)

    def draw(self) -> Turn | None:
        return drawing.draw_turn(game=self.refresh(), now=self.later(), by=self.judge)

    def announce(self) -> TurnClock:
        return clocks.announce(turn=self.turn, room=self.room, now=self.later(), by=self.judge)

    def begin_turn(self, rack: str | None = None) -> Turn:
        """Draw and announce; with `rack` these tiles, whatever was drawn."""
        turn = self.draw()
        assert turn is not None
        if rack is not None:
            self.force_rack(rack)
        self.announce()
        return self.turn

    def force_rack(self, rack: str) -> None:
        """Let the tests' players have this rack, with its tops, as if it had been drawn."""
        turn = self.turn
        turn.rack, turn.rejected = rack, []
        rulings = lexicons.rulings_of(self.game, turn.number)
        tops = search_tops(self.game, turn.number, board_before(turn), rack_of(turn), rulings)
        fields: dict[str, Any] = {"rack": rack_of(turn).text, "tops": tops, "top": tops[0]["score"] if tops else 0}
        Turn.objects.filter(pk=turn.pk).update(rejected=[], **fields)
        told = {"turn": turn.number, "kept": turn.kept, "rejected": [], "rack": fields["rack"]}
        with acting_on(self.game) as game:
            record(game=game, kind="draw", by=self.judge, now=self.now, data=told)

    def phone(
        self,
        table: int,
        word: str,
        ref: str,
        declared: int | None,
        *,
        client_id: UUID | None = None,
        after: float = 1,
        sent: datetime | None = None,
    ) -> Receipt:
        """A slip from a phone, stamped as the intake stamps it; `sent` is what the phone says."""
        received = self.later(after)
        incoming = Incoming(
            player_id=self.player(table).pk,
            turn_id=self.turn.pk,
            client_id=client_id or uuid4(),
            source=SlipSource.PHONE,
            word=word,
            ref=ref,
            direction="",
            declared=declared,
            hook="",
            received_at=received,
            sent_at=sent or received,
            in_time=in_time(clock_of(self.clock), received),
        )
        [receipt] = slips.hand_in_batch([incoming], now=received)
        return receipt

    def paper(self, line: str, **options: Any) -> Receipt:
        return slips.enter_paper(game=self.refresh(), line=line, now=self.later(), by=self.judge, **options)

    def close(self) -> TurnClock:
        return clocks.close_now(turn=self.turn, room=self.room, now=self.later(), by=self.judge)

    def place(self, **choice: Any) -> Turn:
        return placing.place(turn=self.turn, by=self.judge, now=self.later(), **choice)

    def rule(self, word: str, ruling: str, reason: str = "rare") -> None:
        rulings.rule_word(turn=self.turn, word=word, ruling=ruling, reason=reason, by=self.judge, now=self.later())

    def undo(self) -> Turn:
        return placing.undo(game=self.refresh(), by=self.judge, now=self.later(), seed=NEXT_SEED)

    def verdict(self, table: int, turn: int | None = None) -> Verdict:
        number = turn or self.turn.number
        return Verdict.objects.select_related("slip").get(
            turn__game=self.game, turn__number=number, player__table=table
        )


def begin(judge: User | None, players: Sequence[NewPlayer] = FOUR, **settings: Any) -> Night:
    """A new event with these players; `settings` overrides what `create_event` is given."""
    given: dict[str, Any] = {
        "name": "Club night",
        "date": date(2026, 3, 6),
        "place": "Torino",
        "language": "en",
        "edition": "it",
        "profile": "it-box",
        "switches": None,
        "draw_mode": DrawMode.SEEDED,
        "seed": SEED,
        "lexicon": None,
    }
    game = events.create_event(**{**given, **settings}, players=players, by=judge, now=EVENING)
    assert judge is not None
    return Night(game, judge)


def chance(seed: int) -> Random:
    """Random choices that are the same in every run."""
    return Random(seed)  # noqa: S311  nothing secret is drawn with it


def hand_in_something(night: Night, rng: Random) -> None:
    """Every player writes one of the better moves, a bad word, a wrong score or nothing; one plays on paper."""
    turn = night.turn
    ranked = lexicons.solver_for(turn.game, turn.number).ranked(board_before(turn), rack_of(turn))
    if not ranked:
        return
    edition, notation = edition_of(turn.game), profile_of(turn.game).notation
    for table in (1, 2, 3, 17):
        luck = rng.random()
        move = ranked[rng.randrange(min(len(ranked), 12))]
        word, ref = move.word_text(edition), move.reference_text(notation)
        if luck < 0.1:
            continue
        if luck < 0.2:
            word = "ZZZ"
        declared = None if luck > 0.95 else move.score + (luck > 0.85)
        if table == 17:
            night.paper(f"17 {ref} {word} {'' if declared is None else declared}")
        else:
            night.phone(table, word, ref, declared)


def play_turn(night: Night, rng: Random) -> bool:
    """One turn from the draw to the board; False when the game is over."""
    if night.draw() is None:
        return False
    night.announce()
    hand_in_something(night, rng)
    night.close()
    night.place()
    return True
