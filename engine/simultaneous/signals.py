"""Signals in the results of a club: facts that a person should look at. They are no verdict and change no result."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from math import sqrt
from typing import Literal, TypedDict

from engine.archive.schema import Archive, read_timestamp
from engine.simultaneous.rejudging import PlayerResult

LONGEST_TURN = timedelta(seconds=30)  # beyond the time of a turn and its grace
LEAST_EQUAL, LEAST_SHARE = 8, 0.6  # equal slips that were not the top, of two tables
UNUSUAL = 4.0  # standard deviations above the expected number of tops
LEAST_TOPS = 5

SignalKind = Literal["outside_window", "long_turn", "equal_slips", "many_tops"]


class Signal(TypedDict):
    """Something unusual. `values` are the numbers and names of its sentence, by name."""

    kind: SignalKind
    game: int
    values: dict[str, str | int]


def time_signals(game: int, archive: Archive, opens_at: datetime, closes_at: datetime) -> list[Signal]:
    """List a game played outside the time window, and turns that were open longer than the rules allow."""
    signals: list[Signal] = []
    times = [(turn, read_timestamp(turn["started_at"])) for turn in archive["turns"] if turn["started_at"]]
    outside = [start for _turn, start in times if not opens_at <= start <= closes_at]
    if outside:
        signals.append({"kind": "outside_window", "game": game, "values": {"at": outside[0].isoformat()}})
    for turn, start in times:
        if turn["closed_at"] is None:
            continue
        taken = read_timestamp(turn["closed_at"]) - start
        allowed = timedelta(seconds=archive["rhythm_s"], milliseconds=turn["grace_ms"])
        if taken > allowed + LONGEST_TURN:
            values: dict[str, str | int] = {
                "turn": turn["number"],
                "seconds": int(taken.total_seconds()),
                "allowed": archive["rhythm_s"],
            }
            signals.append({"kind": "long_turn", "game": game, "values": values})
    return signals


def equal_slip_signals(game: int, archive: Archive) -> list[Signal]:
    """List pairs of tables that wrote the same move, other than the top, unusually often."""
    names = {player["table"]: player["name"] for player in archive["players"]}
    written = [
        {slip["table"]: (slip["word"], slip["ref"]) for slip in turn["slips"] if slip["word"]}
        for turn in archive["turns"]
    ]
    tops = [{(top["word"], top["ref"]) for top in turn["tops"]} for turn in archive["turns"]]
    signals: list[Signal] = []
    tables = sorted(names)
    for at, one in enumerate(tables):
        for other in tables[at + 1 :]:
            both = [
                slips[one] == slips[other]
                for slips, best in zip(written, tops, strict=True)
                if one in slips and other in slips and not {slips[one], slips[other]} & best
            ]
            if sum(both) >= LEAST_EQUAL and sum(both) >= LEAST_SHARE * len(both):
                values: dict[str, str | int] = {"equal": sum(both), "turns": len(both)}
                values |= {"one": names[one], "other": names[other], "table": one, "other_table": other}
                signals.append({"kind": "equal_slips", "game": game, "values": values})
    return signals


def top_signals(results: Mapping[int, Sequence[PlayerResult]]) -> dict[int, list[Signal]]:
    """List by club the players who found far more tops than expected.

    The expectation of a turn is the share of all players of all clubs who found its top.
    """
    shares = _shares_of_tops(each for players in results.values() for each in players)
    signals: dict[int, list[Signal]] = {}
    for club, players in results.items():
        for player in players:
            expected = shares[player["game"]]
            mean, spread = sum(expected), sqrt(sum(share * (1 - share) for share in expected))
            if len(player["found"]) >= max(LEAST_TOPS, mean + UNUSUAL * spread) and spread:
                values: dict[str, str | int] = {"name": player["name"], "tops": len(player["found"])}
                values |= {"turns": len(expected), "expected": round(mean)}
                signals.setdefault(club, []).append({"kind": "many_tops", "game": player["game"], "values": values})
    return signals


def _shares_of_tops(players: Iterable[PlayerResult]) -> dict[int, list[float]]:
    counts: dict[int, tuple[int, list[int]]] = {}
    for player in players:
        number, found = counts.get(player["game"], (0, [0] * len(player["points"])))
        for turn in player["found"]:
            found[turn - 1] += 1
        counts[player["game"]] = (number + 1, found)
    return {game: [each / number for each in found] for game, (number, found) in counts.items()}
