"""The ledger of an archive: whether its chain holds, and whether the game in the archive is the one that it tells of.

Entries without what is compared here, of old versions or of other programs, are passed over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from engine.archive import LedgerEntry, MasterEntry, ReplacedSlip, SlipEntry, TurnEntry, moment_text, read_moment
from engine.ledger import batch_digest, first_bad_link, head
from engine.replay.facts import Facts
from engine.replay.findings import Findings

Data = Mapping[str, Any]
Act = tuple[int, str, Data]
Batches = dict[int, dict[int, dict[str, object]]]
DRAWN = ("kept", "rejected", "rack")
PLACED = ("word", "ref", "score", "chosen_by")


def check_ledger(facts: Facts, findings: Findings) -> None:
    """The chain of hashes, of which the first bad link alone is named, since all after it hang on it; then what the
    entries of a whole chain tell of seeds, racks, moves and slips."""
    ledger = facts.archive["ledger"]
    entries = [dict(entry) for entry in ledger["entries"]]
    bad = first_bad_link(entries)
    whole = findings.demand(f"ledger, entry {bad}", bad is None, "its hash or number", "the chain breaks here")
    findings.compare("ledger, head", ledger["head"], head(entries))
    if whole:
        acts = list(_acts(ledger["entries"]))
        _check_commitments(facts, acts, findings)
        _check_turns(facts, acts, findings)
        _check_slips(facts, acts, findings)
        _check_reopened(facts, acts, findings)


def _acts(entries: Iterable[LedgerEntry]) -> Iterator[Act]:
    """(number, kind, data) of every entry that tells something."""
    for entry in entries:
        if isinstance(entry["data"], dict):
            yield entry["n"], entry["kind"], entry["data"]


def _check_commitments(facts: Facts, acts: Sequence[Act], findings: Findings) -> None:
    """The commitments are those that the hall saw: before the first rack, and each with which a game went on."""
    if facts.archive["draw"]["mode"] == "typed":
        return
    first = [data["commitment"] for _, kind, data in acts if kind in ("created", "prepared") and "commitment" in data]
    if first:
        findings.compare("ledger, commitment", facts.draws[0]["commitment"], first[-1])
    undone = [data for _, kind, data in acts if kind == "undo" and "commitment" in data]
    continued = [(draw["from_turn"], draw["commitment"]) for draw in facts.draws[1:]]
    told = [(data.get("from_turn"), data["commitment"]) for data in undone]
    findings.compare("ledger, draw continued", continued, told)


def _check_turns(facts: Facts, acts: Sequence[Act], findings: Findings) -> None:
    """The last rack that was drawn for a turn, and the last move that was laid in it, are those of the archive."""
    drawn, placed = _newest(acts, "draw", DRAWN), _newest(acts, "place", PLACED)
    for turn in facts.turns:
        number, where = turn["number"], f"ledger, turn {turn['number']}"
        if number in drawn:
            findings.compare(f"{where}, racks", [turn["kept"], turn["rejected"], turn["rack"]], drawn[number])
        if number in placed and not facts.is_open(turn):
            findings.compare(f"{where}, master", _told_of(turn["master"]), placed[number])


def _newest(acts: Sequence[Act], kind: str, fields: Sequence[str]) -> dict[int, list[object]]:
    """By turn what its last entry of this kind tells, if it tells all of these fields."""
    newest: dict[int, list[object]] = {}
    for _, of_kind, data in acts:
        number = data.get("turn")
        if of_kind == kind and isinstance(number, int) and all(name in data for name in fields):
            newest[number] = [data[name] for name in fields]
    return newest


def _told_of(master: MasterEntry | None) -> list[object]:
    """A move as it was written down when it was laid."""
    if master is None:
        return ["", "", None, ""]
    return [master["word"], master["ref"], master["score"], master["chosen_by"]]


def _check_slips(facts: Facts, acts: Sequence[Act], findings: Findings) -> None:
    """Every batch holds exactly the slips that were sealed when they came in, and no slip stands outside of one."""
    sealed = {number: data for number, kind, data in acts if kind == "slips" and _lists_tables(data)}
    if not sealed:
        return
    batches: Batches = {}
    for turn in facts.turns:
        for where, slip in handed_in(turn):
            place = slip.get("batch", [])
            if findings.demand(where, len(place) == 2 and place[0] in sealed, place, "its batch in the ledger"):
                batches.setdefault(place[0], {})[place[1]] = facts_of_slip(slip)
        _check_which_counts(turn, findings)
    open_turns = {turn["number"] for turn in facts.turns if facts.is_open(turn)}
    for number, data in sealed.items():
        if data.get("turn") not in open_turns and not _is_of_another_room(facts, data):
            _check_batch(number, data, batches.get(number, {}), findings)


def _is_of_another_room(facts: Facts, data: Data) -> bool:
    """Rooms have batches of their own."""
    return "rooms" in facts.archive and facts.tables.isdisjoint(data["tables"])


def _lists_tables(data: Data) -> bool:
    tables = data.get("tables")
    return isinstance(tables, list) and all(isinstance(table, int) for table in tables)


def _check_which_counts(turn: TurnEntry, findings: Findings) -> None:
    """Of several slips of a table the newest in time counts, of none in time the newest."""
    for slip in turn["slips"]:
        others = [other for other in turn.get("replaced", ()) if other["table"] == slip["table"]]
        if slip["source"] is not None and others:
            where = f"turn {turn['number']}, table {slip['table']}, slip that counts"
            newest = max(
                [(_newness(slip), slip.get("id", "")), *((_newness(one), one.get("id", "")) for one in others)]
            )
            findings.compare(where, slip.get("id", ""), newest[1])


def _newness(slip: SlipEntry | ReplacedSlip) -> tuple[bool, str, list[int]]:
    """Newest by when it came: one that waited for the database is stored after others that came later."""
    came = moment_text(read_moment(slip["received_at"])) if slip["received_at"] else ""
    return slip["in_time"], came, slip.get("batch", [])


def _check_batch(number: int, data: Data, slips: Mapping[int, dict[str, object]], findings: Findings) -> None:
    where, in_order = f"ledger, entry {number}", [slips[place] for place in sorted(slips)]
    tables = [slip["table"] for slip in in_order]
    if findings.compare(f"{where}, tables of the slips", tables, data["tables"]):
        findings.compare(f"{where}, digest of the slips", batch_digest(in_order), data.get("digest"))


def handed_in(turn: TurnEntry) -> Iterator[tuple[str, SlipEntry | ReplacedSlip]]:
    """Every slip of a turn that was handed in, those in whose place another one counts too."""
    where = f"turn {turn['number']}, table"
    for slip in turn["slips"]:
        if slip["source"] is not None:
            yield f"{where} {slip['table']}, batch", slip
    for other in turn.get("replaced", ()):
        yield f"{where} {other['table']}, batch of a replaced slip", other


def facts_of_slip(slip: SlipEntry | ReplacedSlip) -> dict[str, object]:
    """The slip as it was sealed."""
    return {
        "table": slip["table"],
        "id": slip.get("id"),
        "source": slip["source"],
        "word": slip["word"],
        "ref": slip["ref"] or "",
        "direction": slip["direction"] or None,
        "hook": slip["hook"] or "",
        "declared": slip["declared"],
        "several": slip.get("several", False),
        "received_at": moment_text(read_moment(slip["received_at"])) if slip["received_at"] else None,
        "in_time": slip["in_time"] if slip["source"] == "paper" else None,
    }


def _check_reopened(facts: Facts, acts: Sequence[Act], findings: Findings) -> None:
    """A word that was ruled on once its turn was on the board, or a slip, is one that an entry tells of."""
    told = [data for _, kind, data in acts if kind == "reopened"]
    words = {(data.get("turn"), data.get("word"), data.get("ruling")) for data in told}
    for ruling, rows in (
        ("accepted", facts.archive["lexicon"]["accepted"]),
        ("struck", facts.archive["lexicon"]["struck"]),
    ):
        for row in rows:
            if acts and "ruled_in" in row:
                known = (row["from_turn"], row["word"], ruling) in words
                findings.demand(f"ledger, {ruling} word", known, row["word"], "an entry that tells of it")
    turns = {data.get("turn") for data in told if data.get("act") == "slip"}
    for turn in facts.turns:
        if acts and any("when_placed" in slip for slip in turn["slips"]):
            known = turn["number"] in turns
            findings.demand(
                f"ledger, turn {turn['number']}", known, "slips decided on again", "an entry that tells of it"
            )
