"""The state of a game as the entries of its ledger tell it, one act after the other.

`read_ledger_facts(entries)` carries out every act that `ACTS` knows by its kind; what else changes a fact is recorded
in fields that an entry of any kind may have: `people` (docs/formats.md, section 3) and `restored`. An act that changes
a fact of a new kind needs a field in `LedgerFacts` and a function here, and a topic in `engine.archive.replay.topics`
to be compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from engine.archive.schema import read_timestamp
from engine.play import clock as arithmetic
from engine.play.clock import Clock

Data = Mapping[str, Any]
Act = Callable[["LedgerFacts", Data, datetime], None]
WordKey = tuple[str, int, int | None]


@dataclass(slots=True)
class LedgerFacts:
    """Facts by their keys. `topics`: the kinds of facts of which the ledger tells everything
    (`engine.archive.replay.topics`);
    empty in a ledger of an older version.

    `people`: by table `seal`, `room`, `first` and `last` turn, and the turn from which the player is `disqualified`.
    `words`: by word, first turn and `ruled_in`. `decisions`: points by turn and group of slips; `again` those on a turn
    that was on the board, None for the rule. `clocks`: by turn and number of the room. `faulty`: room and number
    of the entries that could not be carried out.
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
    faulty: list[tuple[int, int]] = field(default_factory=list)


def read_ledger_facts(entries: Iterable[tuple[int, Mapping[str, Any]]]) -> LedgerFacts:
    """The facts that these entries record, each with the number of its room (`engine.archive.ledger.list_entries`);
    their chains are checked before. Entries of different chains tell of different facts."""
    recorded = LedgerFacts()
    for room, entry in entries:
        data = entry["data"]
        if not isinstance(data, dict):
            continue
        try:
            _apply_entry(recorded, entry["kind"], data, read_timestamp(entry["at"]))
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
            recorded.faulty.append((room, entry["n"]))
    return recorded


def _apply_entry(recorded: LedgerFacts, kind: str, data: Data, at: datetime) -> None:
    recorded.racks.pop(data.get("put_back", 0), None)
    if kind in ACTS:
        ACTS[kind](recorded, data, at)
    for table, facts in data.get("people", {}).items():
        if facts is None:
            recorded.people.pop(int(table), None)
        else:
            recorded.people.setdefault(int(table), {}).update(facts)


def _begin(recorded: LedgerFacts, data: Data, at: datetime) -> None:
    """A game, or the prepared game that takes its place."""
    recorded.topics = frozenset(data.get("tells", ()))
    recorded.rules = {
        name: data[name] for name in ("edition", "formula", "rhythm_s", "lexicon", "draw") if name in data
    }
    recorded.rules["switches"] = data.get("switches", {})
    recorded.words = {(word, *(turn or [1]), None): ruling for word, ruling, *turn in data.get("rulings", ())}


def _change_rules(recorded: LedgerFacts, data: Data, at: datetime) -> None:
    recorded.rules |= {name: data[name] for name in ("formula", "rhythm_s", "lexicon") if name in data}
    recorded.rules["switches"] = {**recorded.rules["switches"], "name": data["profile"], **data["switches"]}


def _move_tables(recorded: LedgerFacts, data: Data, at: datetime) -> None:
    moved = dict(data["moved"])
    recorded.people = {moved.get(table, table): facts for table, facts in recorded.people.items()}
    recorded.warnings = {(turn, moved.get(table, table), code) for turn, table, code in recorded.warnings}


def _draw(recorded: LedgerFacts, data: Data, at: datetime) -> None:
    recorded.racks[data["turn"]] = [data["kept"], data["rejected"], data["rack"]]


def _return_rack(recorded: LedgerFacts, data: Data, at: datetime) -> None:
    recorded.racks.pop(data["turn"], None)


def _place(recorded: LedgerFacts, data: Data, at: datetime) -> None:
    recorded.masters[data["turn"]] = [data["word"], data["ref"], data["score"], data["chosen_by"]]


def _undo(recorded: LedgerFacts, data: Data, at: datetime) -> None:
    if data["ended"]:
        recorded.end = None
    if data["ended"] != "judge":
        recorded.masters.pop(data["turn"], None)
        _count_as_in_time(recorded, data["turn"])


def _count_as_in_time(recorded: LedgerFacts, number: int) -> None:
    """Apply decisions made after a move was placed to the move that is chosen again."""
    for word, first, ruled_in in [key for key in recorded.words if (key[2] or 0) > number]:
        ruling = recorded.words.pop((word, first, ruled_in))
        recorded.words[word, first, None if first >= number else number] = ruling
    for turn, group in [key for key in recorded.again if key[0] == number]:
        points = recorded.again.pop((turn, group))
        recorded.decisions.pop((turn, group), None)
        if points is not None:
            recorded.decisions[turn, group] = points


def _end(recorded: LedgerFacts, data: Data, at: datetime) -> None:
    recorded.end = [data["why"], data["kept"], data["bag"]]


def _rule_word(recorded: LedgerFacts, data: Data, at: datetime) -> None:
    word, turn = data["word"], data["turn"]
    for key in [key for key in recorded.words if key[:2] == (word, turn)]:
        del recorded.words[key]
    if data["ruling"] != "revoked":
        recorded.words[word, turn, None] = data["ruling"]


def _decide(recorded: LedgerFacts, data: Data, at: datetime) -> None:
    recorded.decisions.pop((data["turn"], data["group"]), None)
    if data["points"] is not None:
        recorded.decisions[data["turn"], data["group"]] = data["points"]


def _warn(recorded: LedgerFacts, data: Data, at: datetime) -> None:
    change = recorded.warnings.add if data["given"] else recorded.warnings.discard
    change((data["turn"], data["table"], data["code"]))


def _judge_again(recorded: LedgerFacts, data: Data, at: datetime) -> None:
    """A turn that is on the board: `engine.archive.replay.facts` explains `ruled_in`."""
    if data["act"] == "word":
        recorded.words[data["word"], data["turn"], max(recorded.masters, default=0) + 1] = data["ruling"]
    elif data["act"] == "slip":
        recorded.again[data["turn"], data["group"]] = data["points"]
    else:
        _warn(recorded, data, at)


def _announce(recorded: LedgerFacts, data: Data, at: datetime) -> None:
    ready = Clock(grace_ms=data["grace_ms"])
    recorded.clocks[data["turn"], data["clock"]] = arithmetic.start(ready, at, timedelta(seconds=data["seconds"]))


def _clock_handler(act: Callable[[Clock, Data, datetime], Clock]) -> Act:
    def change(recorded: LedgerFacts, data: Data, at: datetime) -> None:
        key = data["turn"], data["clock"]
        recorded.clocks[key] = act(recorded.clocks[key], data, at)

    return change


ACTS: Mapping[str, Act] = {
    "created": _begin,
    "prepared": _begin,
    "rules": _change_rules,
    "tables": _move_tables,
    "draw": _draw,
    "rack_taken_back": _return_rack,
    "place": _place,
    "undo": _undo,
    "end": _end,
    "word_ruling": _rule_word,
    "slip_ruling": _decide,
    "warning": _warn,
    "reopened": _judge_again,
    "announce": _announce,
    "pause": _clock_handler(lambda clock, data, at: arithmetic.pause(clock, at)),
    "resume": _clock_handler(lambda clock, data, at: arithmetic.resume(clock, at)),
    "add_time": _clock_handler(lambda clock, data, at: arithmetic.add(clock, at, timedelta(seconds=data["seconds"]))),
    "close": _clock_handler(lambda clock, data, at: arithmetic.close(clock, at)),
    "give_back": _clock_handler(
        lambda clock, data, at: arithmetic.restore_lost_time(clock, timedelta(seconds=data["seconds"]))
    ),
}
