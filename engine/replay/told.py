"""The state of a game as the entries of its ledger tell it, one act after the other.

`told_by(entries)` carries out every act that `ACTS` knows by its kind; what else changes a fact is told in fields that
an entry of any kind may have: `people` (docs/formats.md, section 3) and `put_back`. An act that changes a fact of a new
kind needs a field in `Told` and a function here, and a topic in `engine.replay.topics` to be compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from engine import clock as arithmetic
from engine.archive import LedgerEntry, read_moment
from engine.clock import Clock

Data = Mapping[str, Any]
Act = Callable[["Told", Data, datetime], None]
WordKey = tuple[str, int, int | None]


@dataclass(slots=True)
class Told:
    """Facts by their keys. `topics`: the kinds of facts of which the ledger tells everything (`engine.replay.topics`);
    empty in a ledger of an older version.

    `people`: by table `seal`, `room`, `first` and `last` turn, and the turn from which the player is `disqualified`.
    `words`: by word, first turn and `ruled_in`. `decisions`: points by turn and group of slips; `again` those on a turn
    that was on the board, None for the rule. `clocks`: by turn and number of the room. `faulty`: the entries that could
    not be carried out.
    """

    topics: frozenset[str] = frozenset()
    rules: dict[str, Any] = field(default_factory=dict)
    people: dict[int, dict[str, Any]] = field(default_factory=dict)
    words: dict[WordKey, str] = field(default_factory=dict)
    decisions: dict[tuple[int, str], int] = field(default_factory=dict)
    again: dict[tuple[int, str], int | None] = field(default_factory=dict)
    warnings: set[tuple[int, int, str]] = field(default_factory=set)
    clocks: dict[tuple[int, int], Clock] = field(default_factory=dict)
    racks: dict[int, list[Any]] = field(default_factory=dict)
    masters: dict[int, list[Any]] = field(default_factory=dict)
    end: list[Any] | None = None
    faulty: list[int] = field(default_factory=list)


def told_by(entries: Iterable[LedgerEntry]) -> Told:
    """What these entries tell, whose chain holds."""
    told = Told()
    for entry in entries:
        data = entry["data"]
        if not isinstance(data, dict):
            continue
        try:
            _carry_out(told, entry["kind"], data, read_moment(entry["at"]))
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
            told.faulty.append(entry["n"])
    return told


def _carry_out(told: Told, kind: str, data: Data, at: datetime) -> None:
    told.racks.pop(data.get("put_back", 0), None)
    if kind in ACTS:
        ACTS[kind](told, data, at)
    for table, facts in data.get("people", {}).items():
        if facts is None:
            told.people.pop(int(table), None)
        else:
            told.people.setdefault(int(table), {}).update(facts)


def _begin(told: Told, data: Data, at: datetime) -> None:
    """A game, or the prepared game that takes its place."""
    told.topics = frozenset(data.get("tells", ()))
    told.rules = {name: data[name] for name in ("edition", "formula", "rhythm_s", "lexicon", "draw") if name in data}
    told.rules["switches"] = data.get("switches", {})
    told.words = {(word, *(turn or [1]), None): ruling for word, ruling, *turn in data.get("rulings", ())}


def _change_rules(told: Told, data: Data, at: datetime) -> None:
    told.rules |= {name: data[name] for name in ("formula", "rhythm_s", "lexicon") if name in data}
    told.rules["switches"] = {**told.rules["switches"], "name": data["profile"], **data["switches"]}


def _move_tables(told: Told, data: Data, at: datetime) -> None:
    moved = dict(data["moved"])
    told.people = {moved.get(table, table): facts for table, facts in told.people.items()}
    told.warnings = {(turn, moved.get(table, table), code) for turn, table, code in told.warnings}


def _draw(told: Told, data: Data, at: datetime) -> None:
    told.racks[data["turn"]] = [data["kept"], data["rejected"], data["rack"]]


def _take_rack_back(told: Told, data: Data, at: datetime) -> None:
    told.racks.pop(data["turn"], None)


def _place(told: Told, data: Data, at: datetime) -> None:
    told.masters[data["turn"]] = [data["word"], data["ref"], data["score"], data["chosen_by"]]


def _undo(told: Told, data: Data, at: datetime) -> None:
    if data["ended"]:
        told.end = None
    if data["ended"] != "judge":
        told.masters.pop(data["turn"], None)
        _count_as_in_time(told, data["turn"])


def _count_as_in_time(told: Told, number: int) -> None:
    """What was decided on a turn once it was on the board counts for the move that is chosen anew."""
    for word, first, ruled_in in [key for key in told.words if (key[2] or 0) > number]:
        ruling = told.words.pop((word, first, ruled_in))
        told.words[word, first, None if first >= number else number] = ruling
    for turn, group in [key for key in told.again if key[0] == number]:
        points = told.again.pop((turn, group))
        told.decisions.pop((turn, group), None)
        if points is not None:
            told.decisions[turn, group] = points


def _end(told: Told, data: Data, at: datetime) -> None:
    told.end = [data["why"], data["kept"], data["bag"]]


def _rule_word(told: Told, data: Data, at: datetime) -> None:
    word, turn = data["word"], data["turn"]
    for key in [key for key in told.words if key[:2] == (word, turn)]:
        del told.words[key]
    if data["ruling"] != "revoked":
        told.words[word, turn, None] = data["ruling"]


def _decide(told: Told, data: Data, at: datetime) -> None:
    told.decisions.pop((data["turn"], data["group"]), None)
    if data["points"] is not None:
        told.decisions[data["turn"], data["group"]] = data["points"]


def _warn(told: Told, data: Data, at: datetime) -> None:
    change = told.warnings.add if data["given"] else told.warnings.discard
    change((data["turn"], data["table"], data["code"]))


def _judge_again(told: Told, data: Data, at: datetime) -> None:
    """A turn that is on the board: `engine.replay.facts` explains `ruled_in`."""
    if data["act"] == "word":
        told.words[data["word"], data["turn"], max(told.masters, default=0) + 1] = data["ruling"]
    elif data["act"] == "slip":
        told.again[data["turn"], data["group"]] = data["points"]
    else:
        _warn(told, data, at)


def _announce(told: Told, data: Data, at: datetime) -> None:
    ready = Clock(grace_ms=data["grace_ms"])
    told.clocks[data["turn"], data["clock"]] = arithmetic.start(ready, at, timedelta(seconds=data["seconds"]))


def _on_clock(act: Callable[[Clock, Data, datetime], Clock]) -> Act:
    def change(told: Told, data: Data, at: datetime) -> None:
        key = data["turn"], data["clock"]
        told.clocks[key] = act(told.clocks[key], data, at)

    return change


ACTS: Mapping[str, Act] = {
    "created": _begin,
    "prepared": _begin,
    "rules": _change_rules,
    "tables": _move_tables,
    "draw": _draw,
    "rack_taken_back": _take_rack_back,
    "place": _place,
    "undo": _undo,
    "end": _end,
    "word_ruling": _rule_word,
    "slip_ruling": _decide,
    "warning": _warn,
    "reopened": _judge_again,
    "announce": _announce,
    "pause": _on_clock(lambda clock, data, at: arithmetic.pause(clock, at)),
    "resume": _on_clock(lambda clock, data, at: arithmetic.resume(clock, at)),
    "add_time": _on_clock(lambda clock, data, at: arithmetic.add(clock, at, timedelta(seconds=data["seconds"]))),
    "close": _on_clock(lambda clock, data, at: arithmetic.close(clock, at)),
    "give_back": _on_clock(lambda clock, data, at: arithmetic.give_back(clock, timedelta(seconds=data["seconds"]))),
}
