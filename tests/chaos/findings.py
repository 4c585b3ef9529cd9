"""Findings after a run: what the phones received, compared with what is stored."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from tests.chaos.game import RunRecord
from tests.referee.live.raw_phone import RawPhone

ALIVE_S, BEAT_S = 3.0, 2.0
STEADY_S = 20
CLOCK_MS = 500
"""A difference of clocks that a cluster tolerates."""
LATE_S = 6.0
"""A beat of the heart that comes late on a busy machine."""


@dataclass(frozen=True, slots=True)
class RunFigures:
    """A run in figures.

    `slips` were written, of which `replaced` gave way to a newer one of the same phone before any answer came; `sent`
    are the frames with a slip, `resent` those of them with an id that had gone out before.
    """

    kills: int
    slips: int
    replaced: int
    sent: int
    resent: int
    acked: int
    refused: int
    lost: int
    doubled: int
    unanswered: int


def count_run(played: RunRecord, facts: dict[str, Any]) -> RunFigures:
    """Count."""
    stored = Counter(slip["id"] for slip in facts["slips"])
    acked = {slip_id for phone in played.phones for slip_id in phone.acks}
    refused = {slip_id for phone in played.phones for slip_id in phone.refused}
    waiting = {slip["id"] for phone in played.phones for slip in phone.waiting.values()}
    written = {slip_id for phone in played.phones for slip_id in phone.written}
    return RunFigures(
        kills=len(played.outages),
        slips=len(written),
        replaced=len(written - acked - refused - waiting),
        sent=sum(phone.sent for phone in played.phones),
        resent=sum(phone.resent for phone in played.phones),
        acked=len(acked),
        refused=len(refused),
        lost=sum(slip_id not in stored for slip_id in acked),
        doubled=sum(count > 1 for count in stored.values()),
        unanswered=len(waiting),
    )


def findings(played: RunRecord, facts: dict[str, Any]) -> list[str]:
    """A sentence for everything that must not be; empty when the run lost nothing."""
    return [
        *_of_slips(played, facts),
        *_of_phones(played),
        *_of_turns(facts),
        *_of_time(played, facts),
        *(f"the replay differs: {difference}" for difference in facts["differences"]),
        *([f"the ledger is broken at entry {facts['bad_link']}"] if facts["bad_link"] is not None else []),
        *([f"the database is damaged: {facts['damage']}"] if facts["damage"] else []),
        *(f"a sheet came out as {state}: {content[:80]!r}" for state, content in played.sheets if not _is_pdf(content)),
    ]


def _of_slips(played: RunRecord, facts: dict[str, Any]) -> Iterator[str]:
    by_id: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for slip in facts["slips"]:
        by_id[slip["id"]].append(slip)
    written = {slip_id: slip for phone in played.phones for slip_id, slip in phone.written.items()}
    for phone in played.phones:
        for slip_id, ack in phone.acks.items():
            rows = by_id[slip_id]
            if len(rows) != 1:
                yield f"slip {slip_id} was acknowledged and is stored {len(rows)} times"
            elif (rows[0]["version"], rows[0]["received"]) != (ack["version"], ack["received"]):
                yield f"slip {slip_id} is stored as {rows[0]} and was acknowledged as {ack}"
            elif rows[0]["word"] != written[slip_id]["word"]:
                yield f"slip {slip_id} is stored with another word"
            if not sent_before(written[slip_id], ack, phone.acked_ms[slip_id]):
                yield f"slip {slip_id} was received at another time than its receipt says: {ack}"
        for ack, other in phone.contradictions:
            yield f"slip {ack['id']} has two receipts: {ack} and {other}"
    for slip_id in by_id.keys() - written.keys():
        yield f"slip {slip_id} was written by nobody"
    yield from _of_versions(facts)


def sent_before(slip: dict[str, Any], ack: dict[str, Any], acked_ms: int) -> bool:
    """True if the time of receipt is between those at which this computer has sent the slip and read the receipt.

    A server whose clock is wrong must not give its slips the wrong time.
    """
    return bool(slip["sent"] - CLOCK_MS <= ack["received"] <= acked_ms + CLOCK_MS)


def _of_versions(facts: dict[str, Any]) -> Iterator[str]:
    versions: dict[tuple[int, int], list[int]] = defaultdict(list)
    for slip in facts["slips"]:
        versions[slip["turn"], slip["table"]].append(slip["version"])
    for (turn, table), found in versions.items():
        if sorted(found) != list(range(1, len(found) + 1)):
            yield f"turn {turn}, table {table}: the versions are {sorted(found)}"


def _of_phones(played: RunRecord) -> Iterator[str]:
    for phone in played.phones:
        name = f"the phone of {phone.frames.get('hello', {}).get('player')}"
        if phone.ended is not None or phone.view.get("phase") != "finished":
            yield f"{name} did not come back: code {phone.ended}, phase {phone.view.get('phase')}"
        for slip in phone.waiting.values():
            yield f"{name} still waits for an answer to slip {slip['id']}"
        for message in phone.refused.values():
            if message["why"] not in ("turn_over", "no_turn"):
                yield f"{name} was refused: {message['why']}"


def _of_turns(facts: dict[str, Any]) -> Iterator[str]:
    """Drawn, announced and placed once; closed once, and once more for each time that was given back."""
    acts = Counter((entry["kind"], entry["data"].get("turn")) for entry in facts["ledger"])
    racks = {entry["data"]["turn"]: entry["data"]["rack"] for entry in facts["ledger"] if entry["kind"] == "draw"}
    for turn in facts["turns"]:
        number = turn["number"]
        if racks.get(number) != turn["rack"]:
            yield f"turn {number}: the ledger drew {racks.get(number)} and {turn['rack']} lies there"
        for act in ("draw", "announce", "place"):
            if acts[act, number] != 1:
                yield f"turn {number}: {act} happened {acts[act, number]} times"
    for number, kinds in _closings(facts).items():
        if any(pair == ("close", "close") for pair in pairwise(kinds)) or not kinds:
            yield f"turn {number} was closed twice: {kinds}"


def _closings(facts: dict[str, Any]) -> dict[int, list[str]]:
    """By turn its closings and the times given back, in order."""
    found: dict[int, list[str]] = {turn["number"]: [] for turn in facts["turns"]}
    for entry in facts["ledger"]:
        if entry["kind"] in ("close", "give_back"):
            found[entry["data"]["turn"]].append(entry["kind"])
    return found


def _of_time(played: RunRecord, facts: dict[str, Any]) -> Iterator[str]:
    """A darkness longer than a beat and some more is told with its length, and can be given back.

    Of several before the judge answers the last one is told at least, at most the time from the first one to the
    answer: on a busy machine a server starts slowly, and may notice a pause of its own before a page can be read.
    """
    for answer in played.answers:
        last = answer.outages[-1].begun - answer.outages[-1].died
        in_all = answer.at - answer.outages[0].died
        if not last - 1.5 <= answer.told <= in_all + BEAT_S + LATE_S:
            yield f"the desk said {answer.told} s, and the program was away for {last:.1f} s, {in_all:.1f} s in all"
    told = [outage for answer in played.answers for outage in answer.outages]
    for outage in played.outages:
        gap = outage.begun - outage.died
        if outage.dark and outage.running and gap > ALIVE_S + 0.3 and outage not in told:
            yield f"the desk did not say that the program was away for {gap:.1f} s"
    given = [entry["data"]["seconds"] for entry in facts["ledger"] if entry["kind"] == "give_back"]
    if len(given) != len(played.given_back) or any(
        seconds < away + STEADY_S for seconds, away in zip(given, played.given_back, strict=False)
    ):
        yield f"the judge gave {played.given_back} s back, and the ledger has {given}"


def _is_pdf(content: bytes) -> bool:
    return content.startswith(b"%PDF")


def overtaken_slips(phone: RawPhone, facts: dict[str, Any]) -> list[str]:
    """Slips of a phone that count in the place of one that was handed in after them: the newest in time counts."""
    order = {slip_id: number for number, slip_id in enumerate(phone.written)}
    own: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for slip in facts["slips"]:
        if slip["id"] in order and slip["in_time"]:
            own[slip["turn"]].append(slip)
    newest = [max(slips, key=lambda slip: (slip["received"], slip["version"])) for slips in own.values()]
    return [
        slip["id"] for slip in newest if order[slip["id"]] != max(order[other["id"]] for other in own[slip["turn"]])
    ]
