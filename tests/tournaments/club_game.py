"""A club night as the tests play it: through the services, on a clock of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Any
from uuid import UUID, uuid4

from django.contrib.auth.models import User

from tournaments.enums import DrawMode, EndReason, SlipSource
from tournaments.events.queries.events import get_drawing_room
from tournaments.events.services import events
from tournaments.judging.services import rulings
from tournaments.judging.services.closed_rooms import judge_closed_rooms
from tournaments.judging.services.ruling_request import RulingRequest
from tournaments.lexicons import word_lists
from tournaments.models import Event, Game, Player, Room, Turn, TurnClock, Verdict
from tournaments.play.position import board_before, edition_of, profile_of, rack_of
from tournaments.play.queries.phases import current_turn, get_clock, to_engine_clock
from tournaments.play.services import clocks, draw_rack, game_end, placement, slips
from tournaments.play.services.game_lock import append_to_ledger, lock_game
from tournaments.play.services.slips import IncomingSlip, Receipt
from tournaments.play.tops import search_tops
from tournaments.players.services.players import NewPlayer
from tournaments.slip_content import SlipContent

START_TIME = datetime(2026, 3, 6, 20, 30, tzinfo=UTC)
SEED = bytes(range(32))
NEXT_SEED = bytes(range(100, 132))
FOUR_PLAYERS = (
    NewPlayer(1, "Anna Rossi", "Torino"),
    NewPlayer(2, "Bruno Verdi", "Torino"),
    NewPlayer(3, "Carla Neri", "Milano"),
    NewPlayer(17, "Dario Bianchi"),
)


@dataclass
class ClubGame:
    """A game and the time of the evening; every act takes a second."""

    game: Game
    judge: User
    now: datetime = START_TIME
    room: Room = field(init=False)

    def __post_init__(self) -> None:
        self.room = get_drawing_room(self.game.event)

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
        clock = get_clock(self.turn, self.room)
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
        return draw_rack.draw_turn(game=self.refresh(), now=self.later(), by=self.judge)

    def announce(self) -> TurnClock:
        return clocks.announce_turn(turn=self.turn, room=self.room, now=self.later(), by=self.judge)

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
        rulings = word_lists.rulings_of(self.game, turn.number)
        tops = search_tops(self.game, turn.number, board_before(turn), rack_of(turn), rulings)
        fields: dict[str, Any] = {"rack": rack_of(turn).text, "tops": tops, "top": tops[0]["score"] if tops else 0}
        Turn.objects.filter(pk=turn.pk).update(rejected=[], **fields)
        told = {"turn": turn.number, "kept": turn.kept, "rejected": [], "rack": fields["rack"]}
        with lock_game(self.game) as game:
            append_to_ledger(game=game, kind="draw", by=self.judge, now=self.now, data=told)

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
        incoming = IncomingSlip(
            player_id=self.player(table).pk,
            turn_id=self.turn.pk,
            client_id=client_id or uuid4(),
            source=SlipSource.PHONE,
            content=SlipContent(word, ref, declared),
            received_at=received,
            sent_at=sent or received,
            in_time=True,
        ).stamped(to_engine_clock(self.clock))
        [receipt] = slips.submit_batch([incoming], now=received)
        return receipt

    def paper(self, line: str, **options: Any) -> Receipt:
        return slips.submit_paper_line(game=self.refresh(), line=line, now=self.later(), by=self.judge, **options)

    def close(self) -> TurnClock:
        return clocks.close_clock(turn=self.turn, room=self.room, now=self.later(), by=self.judge)

    def place(self, **choice: Any) -> Turn:
        return placement.place_move(turn=self.turn, by=self.judge, now=self.later(), **choice)

    def play(self, rack: str, *sent: tuple[int, str, str, int]) -> None:
        """Play a turn with this rack and these slips from phones."""
        self.begin_turn(rack)
        for slip in sent:
            self.phone(*slip)
        self.close()
        self.place()

    def end(self) -> Game:
        """End the game, as the judge does before its last tile."""
        return game_end.end_game(game=self.refresh(), why=EndReason.JUDGE, by=self.judge, now=self.later())

    def rule(self, word: str, ruling: str, reason: str = "rare") -> None:
        rulings.rule_word(
            turn=self.turn,
            word=word,
            ruling=ruling,
            request=RulingRequest(reason=reason, by=self.judge, now=self.later()),
        )

    def undo(self) -> Turn:
        return placement.undo_placement(game=self.refresh(), by=self.judge, now=self.later(), seed=NEXT_SEED)

    def verdict(self, table: int, turn: int | None = None) -> Verdict:
        number = turn or self.turn.number
        return Verdict.objects.select_related("slip").get(
            turn__game=self.game, turn__number=number, player__table=table
        )


def close_due(now: datetime) -> list[TurnClock]:
    """Close the clocks that are due and judge their rooms, as the live server does."""
    closed = clocks.close_due_clocks(now=now)
    judge_closed_rooms(now=now)
    return closed


def create_club_game(judge: User | None, players: Sequence[NewPlayer] = FOUR_PLAYERS, **settings: Any) -> ClubGame:
    """A new event with these players; `settings` overrides the fields of `NewEvent`, or the seed."""
    given: dict[str, Any] = {
        "name": "Club night",
        "date": date(2026, 3, 6),
        "place": "Torino",
        "language": "en",
        "edition": "it",
        "profile": "it-box",
        "draw_mode": DrawMode.SEEDED,
    }
    seed = settings.pop("seed", SEED)
    request = events.NewEvent(**{**given, **settings})
    game = events.create_event(request, players, by=judge, now=START_TIME, seed=seed)
    assert judge is not None
    return ClubGame(game, judge)


def seeded_random(seed: int) -> Random:
    """Random choices that are the same in every run."""
    return Random(seed)  # noqa: S311  nothing secret is drawn with it


def submit_random_slips(club_game: ClubGame, rng: Random) -> None:
    """Every player writes one of the better moves, a bad word, a wrong score or nothing; one plays on paper."""
    turn = club_game.turn
    ranked = word_lists.get_solver(turn.game, turn.number).ranked(board_before(turn), rack_of(turn))
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
            club_game.paper(f"17 {ref} {word} {'' if declared is None else declared}")
        else:
            club_game.phone(table, word, ref, declared)


def play_turn(club_game: ClubGame, rng: Random) -> bool:
    """One turn from the draw to the board; False when the game is over."""
    if club_game.draw() is None:
        return False
    club_game.announce()
    submit_random_slips(club_game, rng)
    club_game.close()
    club_game.place()
    return True
