"""Plan of a run: which process dies, and when. Everything random follows from its seed.

What the phones write and how the processes overlap in time is up to the machine; which process dies in which turn,
at which act and after how many milliseconds is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

CLOCKS = {"ahead": 6, "behind": -6}
"""Seconds by which the clock of a computer is wrong."""
KINDS = {
    "sqlite": ("server", "writer", "network", "disk", *CLOCKS),
    "postgres": (
        *("server", "servers", "writer", "redis", "postgres", "backend", "worker"),
        *("hung", "network", "storage", "disk", *CLOCKS),
    ),
}
"""Faults with each store: processes that can be killed, and what can go wrong around them.

There is no writer process: the writer is a thread of the server, so `writer` is a server that is killed while its
writer stores a batch. `servers` are all of them, `backend` is one of PostgreSQL's processes that serve a client.

`hung` is a server that is stopped and goes on later as if nothing had been: another one owns its rooms by then. For a
while `network` is a slow network between the phones and one of the servers, `storage` one between the servers and both
PostgreSQL and Redis. `disk` is a full disk below the database until `away_s` have passed. With `ahead` and `behind` a
server is killed and started again on a computer with a wrong clock, which stays wrong until the end of the run."""

MOMENTS = ("draw", "announce", "write", "write", "write", "write", "close", "place")
"""After which act of the judge somebody dies; mostly while slips pour in."""

WRITING_S = 1.2
_AWAY_S, _LONG_AWAY_S = (0.0, 1.5), (3.3, 3.8)
_LONG_KINDS = ("hung", "network", "storage")
"""Most servers are back soon; some are away for so long that the desk has to say it."""


@dataclass(frozen=True, slots=True)
class Kill:
    """`kind` dies `after_s` seconds after the act `moment` of a turn.

    It is started again `away_s` seconds later, or never when that is None.
    """

    turn: int
    moment: str
    kind: str
    after_s: float
    away_s: float | None


@dataclass(frozen=True, slots=True)
class Plan:
    """A game of so many turns, or to its end by the rule when `turns` is None.

    Clocks of 3 seconds run out in the middle of a breakdown, longer ones are closed by the judge.
    """

    seed: int
    players: int
    clock_s: int
    gives_back: bool
    kills: tuple[Kill, ...]
    turns: int | None
    writing_s: float = WRITING_S


def make_plan(seed: int, kinds: Sequence[str], *, players: tuple[int, int] = (30, 60), turns: int = 2) -> Plan:
    """The plan of this seed: at least one kill in each turn. A clock goes wrong in the last turn only, because between
    turns a laptop takes over the time of its clock: if nothing else may fail, nothing does before."""
    rng = Random(seed)  # noqa: S311
    before = [kind for kind in kinds if kind not in CLOCKS]
    kills = [
        _kill(turn, rng, kinds if turn == turns else before)
        for turn in range(1 if before else turns, turns + 1)
        for _ in range(rng.choice((1, 1, 2)))
    ]
    return Plan(
        seed=seed,
        players=rng.randint(*players),
        clock_s=rng.choice((3, 30, 30)),
        gives_back=rng.random() < 0.5,
        kills=tuple(kills),
        turns=turns,
    )


def make_plan_of_each(seed: int, kinds: Sequence[str], *, players: int) -> Plan:
    """The plan of this seed in which each of the kinds dies once, two of them in a turn; every clock is right."""
    rng = Random(seed)  # noqa: S311
    mortal = [kind for kind in kinds if kind not in CLOCKS]
    kills = tuple(_kill(1 + number // 2, rng, [kind]) for number, kind in enumerate(mortal))
    return Plan(seed=seed, players=players, clock_s=30, gives_back=True, kills=kills, turns=kills[-1].turn)


def _kill(turn: int, rng: Random, kinds: Sequence[str]) -> Kill:
    kind = rng.choice(list(kinds))
    moment = "write" if kind == "writer" else rng.choice(MOMENTS)
    if kind == "writer":
        after_s = rng.uniform(0.0, 0.06)  # counted from the moment in which many slips go out at once
    elif moment == "write":
        after_s = rng.uniform(0.0, WRITING_S)
    else:
        after_s = rng.expovariate(1 / 0.02)
    is_long = kind in _LONG_KINDS or rng.random() < 0.2
    away_s = rng.uniform(*(_LONG_AWAY_S if is_long else _AWAY_S))
    return Kill(turn, moment, kind, round(after_s, 4), round(away_s, 3))
