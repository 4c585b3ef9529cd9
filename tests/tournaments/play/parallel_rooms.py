"""Several threads with a connection each act in the rooms of one event, over the database of the environment.

`main` plays one of the scenarios, `closings` or `all_acts`, in a process whose Django is set up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from random import Random
from threading import Barrier
from uuid import uuid4

from django.contrib.auth.models import User
from django.db import connection, transaction

from tests.tournaments.club_game import close_due, seeded_random
from tests.tournaments.rooms_game import TABLES, RoomsGame, create_three_rooms
from tournaments.enums import ClockState, SlipSource
from tournaments.errors import Refused
from tournaments.judging.derivation import derive_verdicts, facts_of
from tournaments.judging.services import judge_slips, rulings, warnings
from tournaments.judging.services.closed_rooms import judge_closed_rooms
from tournaments.judging.services.ruling_request import RulingRequest
from tournaments.models import Player, Room, Turn, TurnClock, Verdict
from tournaments.play.queries.phases import to_engine_clock
from tournaments.play.services import clocks, placement, room_follow, slips
from tournaments.slip_content import SlipContent

ROUNDS = 12
STEPS = 20
LENGTH_S = 5000
SWITCHES = {"solo_bonus": 10, "solo_min_players": 2}
WORDS = ("CARTE", "CORTE", "CASA", "ZZZZ")


def in_parallel(acts: Sequence[Callable[[], object]]) -> None:
    """Start all at the same moment; the first error of one of them is raised."""
    barrier = Barrier(len(acts))

    def run(act: Callable[[], object]) -> None:
        try:
            barrier.wait(60)
            act()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        for future in [pool.submit(run, act) for act in acts]:
            future.result()


def begin_turn(game: RoomsGame) -> Turn:
    """Announce the next turn in every room, with slips in each; one player has a solo."""
    turn = game.club_game.draw()
    assert turn is not None, "the game is over"
    game.club_game.announce()
    for name in "BC":
        game.announce(name)
    turn = game.turn("A")
    [best, *_] = turn.tops or []
    game.phone(TABLES["ABC"[turn.number % 3]][0], best["word"], best["ref"], best["score"])
    for name in "ABC":
        game.phone(TABLES[name][1], "ZZZZ", "8H", 20)
    return turn


def close_and_judge(room: Room, now: datetime) -> None:
    """Close and judge a room, as the process that owns it."""
    clocks.close_due_clocks(now=now, rooms=[room.pk])
    judge_closed_rooms(now=now, rooms=[room.pk])


def require_complete(turn: Turn) -> None:
    """The stored verdicts are those that follow from all slips of all rooms, and no room waits to be judged."""
    assert not TurnClock.objects.filter(turn=turn).exclude(state=ClockState.CLOSED, judged=True).exists()
    turn = Turn.objects.select_related("game__event").get(pk=turn.pk)
    derived = derive_verdicts(facts_of(turn, complete=True))
    expected = {one.player_id: (one.judgement.points, one.judgement.bonus) for one in derived.judged}
    stored = Verdict.objects.filter(turn=turn).values_list("player_id", "points", "bonus")
    assert {player: (points, bonus) for player, points, bonus in stored} == expected
    assert turn.solo == derived.solo


def closings(game: RoomsGame) -> None:
    """All rooms close at the same moment, in a thread each: the turn is judged completely, and once."""
    judge_all, complete = judge_slips._judge, list[int]()

    def counted(turn: Turn, room: Room | None, **options: bool) -> None:
        if options["complete"]:
            complete.append(turn.number)
        judge_all(turn, room, **options)

    judge_slips._judge = counted
    played, solos = [], 0
    for _round in range(ROUNDS):
        turn = begin_turn(game)
        now = game.club_game.later(LENGTH_S)
        in_parallel([partial(close_and_judge, game.room(name), now) for name in "ABC"])
        require_complete(turn)
        played.append(turn.number)
        game.club_game.place()
        for name in "BC":
            game.show(name)
        solos += Verdict.objects.filter(turn=turn, bonus=10).count()
    assert complete == played
    assert solos


@dataclass
class AllActs:
    """A turn in which rooms close and open again, slips arrive, words are ruled on and the move is placed, all at once.
    In each step every act is tried once, all of them at the same moment, so that each is tried before and after the
    placement.

    `done` counts the acts that were not refused.
    """

    game: RoomsGame
    turn: Turn
    start: datetime
    done: Counter[str]

    def play(self, seed: int) -> None:
        acts = [self.close_a, self.close_b, self.close_c, self.hand_in, self.hand_in_late, self.change_word]
        acts += [self.warn, self.follow, self.reopen, self.place]
        seeded = [(act, seeded_random(seed + place)) for place, act in enumerate(acts)]
        for step in range(STEPS):
            now = self.start + timedelta(seconds=LENGTH_S + step)
            in_parallel([partial(self.attempt, act, rng, now) for act, rng in seeded])

    def attempt(self, act: Callable[[Random, datetime], object], rng: Random, now: datetime) -> None:
        with suppress(Refused):
            act(rng, now)
            self.done[act.__name__] += 1

    def close_a(self, _rng: Random, now: datetime) -> None:
        close_and_judge(self.game.room("A"), now)

    def close_b(self, _rng: Random, now: datetime) -> None:
        close_and_judge(self.game.room("B"), now)

    def close_c(self, _rng: Random, now: datetime) -> None:
        close_and_judge(self.game.room("C"), now)

    def hand_in(self, rng: Random, _now: datetime) -> None:
        self._hand_in(rng, self.start + timedelta(seconds=1))

    def hand_in_late(self, rng: Random, now: datetime) -> None:
        self._hand_in(rng, now)

    def change_word(self, rng: Random, now: datetime) -> None:
        ruling, request = rng.choice(("accepted", "struck")), RulingRequest(by=None, now=now, reason="asked")
        rulings.rule_word(turn=self.turn, word="ZZZZ", ruling=ruling, request=request)

    def warn(self, rng: Random, now: datetime) -> None:
        request, given = RulingRequest(by=None, now=now, reason="asked"), rng.random() < 0.7
        player = rng.choice(self._list_players())
        warnings.set_warning(turn=self.turn, player=player, code="discipline", given=given, request=request)

    def follow(self, rng: Random, now: datetime) -> None:
        room_follow.show_turn(turn=self.turn, room=self.game.room(rng.choice("BC")), now=now, by=None)

    def reopen(self, rng: Random, now: datetime) -> None:
        clocks.give_time_back(turn=self.turn, room=self.game.room(rng.choice("ABC")), seconds=1, now=now, by=None)

    def place(self, _rng: Random, now: datetime) -> None:
        """Place the move once half of the other acts are done."""
        if now >= self.start + timedelta(seconds=LENGTH_S + STEPS / 2):
            placement.place_move(turn=self.turn, by=None, now=now)
        clocks.close_due_clocks(now=now)

    def _hand_in(self, rng: Random, now: datetime) -> None:
        """Store a batch with slips of several rooms, as the queue of a process does. The first table of each room keeps
        its slip, with which the move may have been chosen."""
        batch = []
        for player in rng.sample([one for one in self._list_players() if one.table % 10 != 1], 4):
            clock = TurnClock.objects.get(turn=self.turn, room=player.room_id)
            content = SlipContent(rng.choice(WORDS), "8H", 18)
            slip = slips.IncomingSlip(player.pk, self.turn.pk, uuid4(), SlipSource.PHONE, content, now, None, True)
            batch.append(slip.stamped(to_engine_clock(clock)))
        slips.store_slips(batch, now=now)

    def _list_players(self) -> list[Player]:
        return list(Player.objects.filter(event=self.game.club_game.event).select_related("room"))


def all_acts(game: RoomsGame) -> None:
    """No act of a room or of the whole game ends in an error, and all slips are judged in the end."""
    done = Counter[str]()
    for seed in range(3):
        turn = begin_turn(game)
        AllActs(game, turn, game.club_game.now, done).play(100 * seed)
        game.club_game.later(3 * LENGTH_S)
        finish(game, turn)
    acts = {name for name in vars(AllActs) if not name.startswith("_")} - {"play", "attempt"}
    assert done.keys() >= acts, done
    differences = [difference for name in "ABC" for difference in game.verified(name)]
    assert not differences, differences


def finish(game: RoomsGame, turn: Turn) -> None:
    """Complete the turn in all rooms."""
    close_due(game.club_game.later())
    if Turn.objects.get(pk=turn.pk).placed_at is None:
        game.club_game.place()
    for name in "BC":
        if game.clock(name).shown_at is None:
            game.show(name)
    require_complete(turn)


def main(scenario: str) -> None:
    """Play one of the scenarios."""
    judge = User.objects.create(username=f"judge {uuid4().hex}")
    with transaction.atomic():
        game = create_three_rooms(judge, switches=SWITCHES)
    {"closings": closings, "all_acts": all_acts}[scenario](game)
