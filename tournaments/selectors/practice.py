"""What somebody who plays alone may see: the rack of the turn that runs, the tops of those that are over."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, Literal

from engine.board import Board
from engine.rules.profile import Profile
from engine.script import Script, ScriptTurn, edition_of, formula_of, profile_of
from engine.script_check import read_move
from engine.standings import TurnResult, standings
from engine.tiles import Tiles
from engine.turn import after_turn
from tournaments.models import Practice, PracticeLink
from tournaments.scripts import script_of
from tournaments.selectors.players import hash_of

PracticePhase = Literal["waiting", "running", "over"]


@dataclass(frozen=True, slots=True)
class TurnOver:
    """A turn that was played: the slip, what it got and why, and the best move."""

    number: int
    rack: str
    word: str
    ref: str
    declared: int | None
    result: str
    text: str
    points: int
    master: str
    master_ref: str
    top: int
    others: int


@dataclass(frozen=True, slots=True)
class FieldRow:
    """A line at the end. `me` is the player himself; `label` marks those who played before."""

    rank: int
    name: str
    label: str
    total: int
    me: bool


@dataclass(frozen=True, slots=True)
class PracticeView:
    """The page of somebody who plays alone; nothing of later turns is in it.

    `turn` is the one that runs or was played last, 0 before the first. `board` is the one in front of him, `new` the
    squares (row, col) of the last move. `rack`, `started_at` and `deadline` are there while the clock runs. `ranking`
    comes at the end, empty when nobody has played the game before.
    """

    phase: PracticePhase
    turn: int
    board: Board
    new: frozenset[tuple[int, int]]
    rack: str
    deadline: datetime | None
    rhythm_s: int
    grace_ms: int
    calls: tuple[int, ...]
    profile: Profile
    turns: tuple[TurnOver, ...]
    total: int
    tops: int
    percent: Decimal
    ranking: tuple[FieldRow, ...]


def practice_by_key(link: PracticeLink, key: str) -> Practice | None:
    """The practice that this browser has begun under the link."""
    rows = Practice.objects.filter(link=link, key_hash=hash_of(key)).select_related("link__prepared")
    return rows.first() if key else None


def practice_view(practice: Practice) -> PracticeView:
    """What the page shows now; whoever asks has closed a turn whose time is up (`services.practising.settle`)."""
    script = script_of(practice.link.prepared)
    rules, done = profile_of(script), len(practice.results)
    running = practice.turn > done
    phase: PracticePhase = "running" if running else "over" if done == len(script["turns"]) else "waiting"
    board, new = _board(script, done)
    turns = tuple(_over(script["turns"][at], result) for at, result in enumerate(practice.results))
    total, tops = sum(turn.points for turn in turns), [turn.top for turn in turns]
    mine = standings({1: _results(practice)}, tops, rules)[0]
    return PracticeView(
        phase=phase,
        turn=practice.turn,
        board=board,
        new=new,
        rack=script["turns"][practice.turn - 1]["rack"] if running else "",
        deadline=practice.deadline if running else None,
        rhythm_s=script["rhythm_s"],
        grace_ms=rules.grace_ms,
        calls=rules.calls_s,
        profile=rules,
        turns=turns,
        total=total,
        tops=sum(tops),
        percent=mine.percent,
        ranking=_ranking(practice, script, rules) if phase == "over" else (),
    )


def _board(script: Script, done: int) -> tuple[Board, frozenset[tuple[int, int]]]:
    """The board after so many turns, and the squares that the last of them has filled."""
    edition = edition_of(script)
    if not done:
        return Board.empty(edition), frozenset()
    last, rules = script["turns"][done - 1], profile_of(script)
    before, rack = Board.parse(edition, last["board"]), Tiles.parse(edition, last["rack"])
    board = after_turn(before, rack, read_move(last, edition, rules), rules, formula_of(script)).board
    size = len(board.rows)
    new = {divmod(at, size) for at, code in enumerate(board.squares) if before.squares[at] != code}
    return board, frozenset(new)


def _over(turn: ScriptTurn, result: dict[str, Any]) -> TurnOver:
    master = turn["master"]
    return TurnOver(
        number=turn["number"],
        rack=turn["rack"],
        word=result["word"],
        ref=result["ref"],
        declared=result["declared"],
        result=result["result"],
        text=result["text"],
        points=result["points"],
        master=master["word"] if master else "",
        master_ref=master["ref"] if master else "",
        top=turn["top"],
        others=len(turn["tops"]) - 1,
    )


def _results(practice: Practice) -> list[TurnResult]:
    return [
        TurnResult(turn, result["points"], len(result["warnings"]), result["penalty"], bonus=result["bonus"])
        for turn, result in enumerate(practice.results, 1)
    ]


def _ranking(practice: Practice, script: Script, rules: Profile) -> tuple[FieldRow, ...]:
    """The player among those who played the game before."""
    if "field" not in script:
        return ()
    field = script["field"]
    results = {0: _results(practice)}
    for at, player in enumerate(field["players"], 1):
        results[at] = [TurnResult(turn, got) for turn, got in enumerate(player["points"], 1) if got is not None]
    names = {0: practice.name, **{at: player["name"] for at, player in enumerate(field["players"], 1)}}
    tops = [turn["top"] for turn in script["turns"]]
    return tuple(
        FieldRow(
            line.rank or 0, names[line.table], "" if line.table == 0 else field["label"], line.total, line.table == 0
        )
        for line in standings(results, tops, rules)
    )
