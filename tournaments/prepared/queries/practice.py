"""Views of a solo practice: the rack of the current turn and the tops of past ones."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, Literal

from engine.board.board import Board
from engine.play.turn import apply_master_move
from engine.prepared.script import Script, ScriptTurn, edition_of, profile_of, variant_of
from engine.prepared.script_check import read_move
from engine.rules.profile import Profile
from engine.standings.game import TurnResult, standings
from engine.tiles.tiles import Tiles
from tournaments.models import Practice, PracticeLink
from tournaments.players.queries.players import hash_of
from tournaments.prepared.scripts import script_of

PracticePhase = Literal["waiting", "running", "over"]


@dataclass(frozen=True, slots=True)
class FinishedTurn:
    """A finished turn: the slip with its points and reason, and the best move."""

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
    """A line of the final ranking. `me` marks the player; `label` marks those who played before."""

    rank: int
    name: str
    label: str
    total: int
    me: bool


@dataclass(frozen=True, slots=True)
class PracticeView:
    """The page of a practice game, without anything of later turns.

    `turn` is the current or last one, 0 before the first. `board` is the visible board, `new` the squares (row, col)
    of the last move. `rack`, `started_at` and `deadline` are set while the clock runs. `ranking` is set at the end,
    empty when nobody has played the game before.
    """

    phase: PracticePhase
    turn: int
    board: Board
    new: frozenset[tuple[int, int]]
    rack: str
    deadline: datetime | None
    turn_seconds: int
    grace_ms: int
    calls: tuple[int, ...]
    profile: Profile
    turns: tuple[FinishedTurn, ...]
    total: int
    tops: int
    percent: Decimal
    ranking: tuple[FieldRow, ...]


def practice_by_key(link: PracticeLink, key: str) -> Practice | None:
    """The practice that this browser has begun under the link."""
    rows = Practice.objects.filter(link=link, key_hash=hash_of(key)).select_related("link__prepared")
    return rows.first() if key else None


def practice_view(practice: Practice) -> PracticeView:
    """Get the content of the page. The caller has closed a turn whose time is up
    (`solo_practice.close_expired_turn`)."""
    script = script_of(practice.link.prepared)
    rules, done = profile_of(script), len(practice.results)
    running = practice.turn > done
    phase: PracticePhase = "running" if running else "over" if done == len(script["turns"]) else "waiting"
    board, new = _board(script, done)
    turns = tuple(_finished_turn(script["turns"][at], result) for at, result in enumerate(practice.results))
    total, tops = sum(turn.points for turn in turns), [turn.top for turn in turns]
    mine = standings({1: _results(practice)}, tops, rules)[0]
    return PracticeView(
        phase=phase,
        turn=practice.turn,
        board=board,
        new=new,
        rack=script["turns"][practice.turn - 1]["rack"] if running else "",
        deadline=practice.deadline if running else None,
        turn_seconds=script["rhythm_s"],
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
    """The board after this number of turns, and the squares filled by the last of them."""
    edition = edition_of(script)
    if not done:
        return Board.empty(edition), frozenset()
    last, rules = script["turns"][done - 1], profile_of(script)
    before, rack = Board.parse(edition, last["board"]), Tiles.parse(edition, last["rack"])
    board = apply_master_move(before, rack, read_move(last, edition, rules), rules, variant_of(script)).board
    size = len(board.rows)
    new = {divmod(at, size) for at, code in enumerate(board.squares) if before.squares[at] != code}
    return board, frozenset(new)


def _finished_turn(turn: ScriptTurn, result: dict[str, Any]) -> FinishedTurn:
    master = turn["master"]
    return FinishedTurn(
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
