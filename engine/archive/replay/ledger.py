"""The ledger of an archive: whether its chain holds, and whether the game in the archive is the one that it tells of.

What entries tell is in `engine.archive.replay.ledger_facts`, and what of it is compared in
`engine.archive.replay.topics`. Entries without it, of old versions or of other programs, are passed over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from engine.archive.ledger import DELAYED_FIELD, batch_digest, find_broken_link, head_hash, list_entries
from engine.archive.replay.facts import Facts
from engine.archive.replay.findings import Findings
from engine.archive.replay.ledger_facts import read_ledger_facts
from engine.archive.replay.slips import was_sent_in_time
from engine.archive.replay.topics import TOPIC_NAMES, check_topics
from engine.archive.schema import (
    Archive,
    LedgerChain,
    ReplacedSlip,
    SlipEntry,
    TurnEntry,
    format_timestamp,
    read_timestamp,
)

Data = Mapping[str, Any]
Place = tuple[int, int]
"""Room, 0 for the game's chain, and number of an entry in its chain."""
Act = tuple[Place, str, Data]
Batches = dict[Place, dict[int, dict[str, object]]]


def check_ledger(facts: Facts, findings: Findings) -> None:
    """The chains of hashes, of which the first bad link alone is named, since all after it hang on it; then what the
    entries of whole chains tell against the facts of the archive."""
    ledger = facts.archive["ledger"]
    bad = find_broken_link(ledger)
    place = _place(bad.room, bad.place) if bad is not None else ""
    whole = findings.require(place, bad is None, "its hash or number", "the chain breaks here")
    findings.compare("ledger, head", ledger["head"], head_hash(ledger["entries"]))
    for chain in ledger.get("rooms", ()):
        findings.compare(f"ledger, room {chain['room']}, head", chain["head"], head_hash(chain["entries"]))
    recorded = bool(ledger["entries"]) or not facts.turns or _can_omit_ledger(facts)
    findings.require("ledger", recorded, "no entries", "an entry for every act")
    if whole:
        for room, number in facts.recorded.faulty if facts.recorded.topics else ():
            findings.compare(_place(room, number), "an act that the game did not allow", "an act of the game")
        acts = list(_acts(ledger))
        _check_commitments(facts, acts, findings)
        check_topics(facts, facts.recorded, findings)
        _check_slips(facts, acts, findings)
        if "words" not in facts.recorded.topics:
            _check_reopened(facts, acts, findings)


def check_shown(archive: Archive, shown: Iterable[str]) -> Iterator[tuple[str, Mapping[str, Any] | None]]:
    """Each hash that somebody wrote down, or its first digits, with the entry after which it was shown; None when no
    entry has it."""
    for text in shown:
        digits = "".join(text.split()).lower()
        found = (entry for _room, entry in list_entries(archive["ledger"]) if entry["hash"].startswith(digits))
        yield text, next(found, None)


def unchecked_topics(archive: Archive) -> list[str]:
    """The topics of which the ledger does not tell everything, since it is of an older version or of another program;
    "ledger" where it was left out, "names" where the archive has no salts."""
    ledger = archive["ledger"]
    if not ledger["entries"]:
        return ["ledger"]
    missing = set(TOPIC_NAMES) - read_ledger_facts(list_entries(ledger)).topics
    if not any("salt" in player for player in archive["players"]):
        missing.add("names")
    return [topic for topic in TOPIC_NAMES if topic in missing]


def _can_omit_ledger(facts: Facts) -> bool:
    """The ledger of a room that has not played the whole script yet, or one whose entries of old name people."""
    why = facts.archive["ledger"].get("left_out")
    return why == "names" or (why == "ahead" and facts.follows and facts.archive["end"] is None)


def _place(room: int, number: int) -> str:
    """Name of an entry in a finding."""
    return f"ledger, room {room}, entry {number}" if room else f"ledger, entry {number}"


def _acts(ledger: LedgerChain) -> Iterator[Act]:
    """(place, kind, data) of every entry that tells something."""
    for room, entry in list_entries(ledger):
        if isinstance(entry["data"], dict):
            yield (room, entry["n"]), entry["kind"], entry["data"]


def _check_commitments(facts: Facts, acts: Sequence[Act], findings: Findings) -> None:
    """The commitments are those that the hall saw: before the first rack, and each with which a game went on."""
    if facts.archive["draw"]["mode"] == "typed":
        return
    first = [data["commitment"] for _, kind, data in acts if kind in ("created", "prepared") and "commitment" in data]
    if first:
        findings.compare("ledger, commitment", facts.draws[0]["commitment"], first[-1])
    undone = [data for _, kind, data in acts if kind == "undo" and "commitment" in data]
    continued = [(draw["from_turn"], draw["commitment"]) for draw in facts.draws[1:]]
    recorded = [(data.get("from_turn"), data["commitment"]) for data in undone]
    findings.compare("ledger, draw continued", continued, recorded)


def _check_slips(facts: Facts, acts: Sequence[Act], findings: Findings) -> None:
    """Every batch holds exactly the slips that were sealed when they came in, and no slip stands outside of one."""
    sealed = {entry: data for entry, kind, data in acts if kind == "slips" and _has_tables(data)}
    if not sealed and "slips" not in facts.recorded.topics:
        return
    batches: Batches = {}
    for turn in facts.turns:
        for where, slip in list_submitted_slips(turn):
            batch = slip.get("batch", [])
            number, position, room = (*batch, 0)[:3] if len(batch) in (2, 3) else (0, 0, 0)
            known = sealed.get((room, number), {}).get("turn") == turn["number"]
            known = known and position not in batches.get((room, number), {})
            if findings.require(where, known, batch, "its batch in the ledger"):
                batches.setdefault((room, number), {})[position] = sealed_slip_fields(slip)
        _check_counting_slip(turn, findings)
    open_turns = {turn["number"] for turn in facts.turns if facts.is_open(turn)}
    for entry, data in sealed.items():
        if data.get("turn") not in open_turns and not _is_of_another_room(facts, data):
            _check_batch(entry, data, batches.get(entry, {}), findings)


def _is_of_another_room(facts: Facts, data: Data) -> bool:
    """Rooms have batches of their own."""
    return "rooms" in facts.archive and facts.tables.isdisjoint(data["tables"])


def _has_tables(data: Data) -> bool:
    tables = data.get("tables")
    return isinstance(tables, list) and all(isinstance(table, int) for table in tables)


def _check_counting_slip(turn: TurnEntry, findings: Findings) -> None:
    """Of several slips of a table the newest in time counts, else the newest sent in time, else the newest."""
    for slip in turn["slips"]:
        others = [other for other in turn.get("replaced", ()) if other["table"] == slip["table"]]
        if slip["source"] is not None and others:
            where = f"turn {turn['number']}, table {slip['table']}, slip that counts"
            newest = max(
                [
                    (_submission_order(turn, slip), slip.get("id", "")),
                    *((_submission_order(turn, one), one.get("id", "")) for one in others),
                ]
            )
            findings.compare(where, slip.get("id", ""), newest[1])


def _submission_order(turn: TurnEntry, slip: SlipEntry | ReplacedSlip) -> tuple[bool, bool, str, list[int]]:
    """Newest by when it came: one that waited for the database is stored after others that came later."""
    came = format_timestamp(read_timestamp(slip["received_at"])) if slip["received_at"] else ""
    return slip["in_time"], was_sent_in_time(turn, slip), came, slip.get("batch", [])


def _check_batch(entry: Place, data: Data, slips: Mapping[int, dict[str, object]], findings: Findings) -> None:
    where, in_order = _place(*entry), [slips[place] for place in sorted(slips)]
    tables = [slip["table"] for slip in in_order]
    if findings.compare(f"{where}, tables of the slips", tables, data["tables"]):
        findings.compare(f"{where}, digest of the slips", batch_digest(in_order), data.get("digest"))


def list_submitted_slips(turn: TurnEntry) -> Iterator[tuple[str, SlipEntry | ReplacedSlip]]:
    """Every slip of a turn that was handed in, those in whose place another one counts too."""
    where = f"turn {turn['number']}, table"
    for slip in turn["slips"]:
        if slip["source"] is not None:
            yield f"{where} {slip['table']}, batch", slip
    for other in turn.get("replaced", ()):
        yield f"{where} {other['table']}, batch of a replaced slip", other


def sealed_slip_fields(slip: SlipEntry | ReplacedSlip) -> dict[str, object]:
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
        "received_at": format_timestamp(read_timestamp(slip["received_at"])) if slip["received_at"] else None,
        "in_time": slip["in_time"] if slip["source"] == "paper" else None,
        DELAYED_FIELD: format_timestamp(read_timestamp(slip["sent_at"])) if slip.get("sent_at") else None,
    }


def _check_reopened(facts: Facts, acts: Sequence[Act], findings: Findings) -> None:
    """A word that was ruled on once its turn was on the board, or a slip, is one that an entry tells of."""
    recorded = [data for _, kind, data in acts if kind == "reopened"]
    words = {(data.get("turn"), data.get("word"), data.get("ruling")) for data in recorded}
    for ruling, rows in (
        ("accepted", facts.archive["lexicon"]["accepted"]),
        ("struck", facts.archive["lexicon"]["struck"]),
    ):
        for row in rows:
            if acts and "ruled_in" in row:
                known = (row["from_turn"], row["word"], ruling) in words
                findings.require(f"ledger, {ruling} word", known, row["word"], "an entry that tells of it")
    turns = {data.get("turn") for data in recorded if data.get("act") == "slip"}
    for turn in facts.turns:
        if acts and any("when_placed" in slip for slip in turn["slips"]):
            known = turn["number"] in turns
            findings.require(
                f"ledger, turn {turn['number']}", known, "slips decided on again", "an entry that tells of it"
            )
