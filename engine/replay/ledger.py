"""The ledger of an archive: whether its chain holds, and whether the game in the archive is the one that it tells of.

What entries tell is in `engine.replay.told`, and what of it is compared in `engine.replay.topics`. Entries without it,
of old versions or of other programs, are passed over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from engine.archive import Archive, LedgerEntry, ReplacedSlip, SlipEntry, TurnEntry, moment_text, read_moment
from engine.ledger import batch_digest, first_bad_link, head
from engine.replay.facts import Facts
from engine.replay.findings import Findings
from engine.replay.told import told_by
from engine.replay.topics import TELLS, check_topics

Data = Mapping[str, Any]
Act = tuple[int, str, Data]
Batches = dict[int, dict[int, dict[str, object]]]


def check_ledger(facts: Facts, findings: Findings) -> None:
    """The chain of hashes, of which the first bad link alone is named, since all after it hang on it; then what the
    entries of a whole chain tell against the facts of the archive."""
    ledger = facts.archive["ledger"]
    entries = [dict(entry) for entry in ledger["entries"]]
    bad = first_bad_link(entries)
    whole = findings.demand(f"ledger, entry {bad}", bad is None, "its hash or number", "the chain breaks here")
    findings.compare("ledger, head", ledger["head"], head(entries))
    told = bool(entries) or not facts.turns or _may_be_left_out(facts)
    findings.demand("ledger", told, "no entries", "an entry for every act")
    if whole:
        for number in facts.told.faulty if facts.told.topics else ():
            findings.compare(f"ledger, entry {number}", "an act that the game did not allow", "an act of the game")
        acts = list(_acts(ledger["entries"]))
        _check_commitments(facts, acts, findings)
        check_topics(facts, facts.told, findings)
        _check_slips(facts, acts, findings)
        if "words" not in facts.told.topics:
            _check_reopened(facts, acts, findings)


def check_shown(archive: Archive, shown: Iterable[str]) -> Iterator[tuple[str, LedgerEntry | None]]:
    """Each hash that somebody wrote down, or its first digits, with the entry after which it was shown; None when no
    entry has it."""
    for text in shown:
        digits = "".join(text.split()).lower()
        found = (entry for entry in archive["ledger"]["entries"] if entry["hash"].startswith(digits))
        yield text, next(found, None)


def unchecked(archive: Archive) -> list[str]:
    """The topics of which the ledger does not tell everything, since it is of an older version or of another program;
    "ledger" where it was left out, "names" where the archive has no salts."""
    ledger = archive["ledger"]
    if not ledger["entries"]:
        return ["ledger"]
    missing = set(TELLS) - told_by(ledger["entries"]).topics
    if not any("salt" in player for player in archive["players"]):
        missing.add("names")
    return [topic for topic in TELLS if topic in missing]


def _may_be_left_out(facts: Facts) -> bool:
    """The ledger of a room that has not played the whole script yet, or one whose entries of old name people."""
    why = facts.archive["ledger"].get("left_out")
    return why == "names" or (why == "ahead" and facts.follows and facts.archive["end"] is None)


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


def _check_slips(facts: Facts, acts: Sequence[Act], findings: Findings) -> None:
    """Every batch holds exactly the slips that were sealed when they came in, and no slip stands outside of one."""
    sealed = {number: data for number, kind, data in acts if kind == "slips" and _lists_tables(data)}
    if not sealed and "slips" not in facts.told.topics:
        return
    batches: Batches = {}
    for turn in facts.turns:
        for where, slip in handed_in(turn):
            place = slip.get("batch", [])
            known = len(place) == 2 and sealed.get(place[0], {}).get("turn") == turn["number"]
            known = known and place[1] not in batches.get(place[0], {})
            if findings.demand(where, known, place, "its batch in the ledger"):
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
