"""The slips of a turn: one a player, in time by the clock, judged again by the stored switches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta

from engine.archive.replay.facts import Facts
from engine.archive.replay.findings import Findings
from engine.archive.schema import OthersEntry, ReplacedSlip, SlipEntry, TurnEntry, VerdictEntry, read_timestamp
from engine.board.coordinates import Direction
from engine.judging.verdict import Position, Result, Verdict, judge_slip, overrule_verdict
from engine.judging.warning_quota import warnings_counted_in_zero
from engine.lexicon.graph import Lexicon
from engine.slips.slip import Received, Slip
from engine.standings.game import TurnResult
from engine.turn_results.averages import Fault, fault_of
from engine.turn_results.bonuses import score_of
from engine.turn_results.other_rooms import OtherRooms
from engine.turn_results.settlement import settle_turn

_NO_OTHER_ROOMS: OthersEntry = {"scores": {}, "points": 0}
JUDGED_FIELDS = ("result", "reason", "points", "move_score", "warnings", "penalty", "bonus", "word")


@dataclass(slots=True)
class Scores:
    """The results of the turns so far by the rules: the top of each, and the scores of the players, by table. `faults`
    are those of the last turn alone."""

    results: dict[int, list[TurnResult]]
    warnings: Counter[int] = field(default_factory=Counter)
    bonuses: Counter[int] = field(default_factory=Counter)
    faults: dict[int, Fault | None] = field(default_factory=dict)
    tops: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class JudgedSlip:
    """A slip and its verdict before bonuses: by the rules, or as it is stored where the judge decided."""

    entry: SlipEntry
    verdict: Verdict

    @property
    def table(self) -> int:
        return self.entry["table"]

    @property
    def by_judge(self) -> bool:
        return self.entry["decided_by"] == "judge"


def check_slip_tables(facts: Facts, turn: TurnEntry, scores: Scores, findings: Findings) -> None:
    """Require exactly one slip for every player between joining and leaving, and none for other tables."""
    handed_in = Counter(slip["table"] for slip in turn["slips"])
    gone = {table for table, last in facts.last_turns.items() if last < turn["number"]}
    for table in sorted(handed_in.keys() | scores.results.keys()):
        where = f"turn {turn['number']}, table {table}"
        if table not in scores.results:
            findings.compare(where, "a slip", "no such player")
        elif table in gone or facts.first_turns.get(table, 0) > turn["number"]:
            findings.compare(f"{where}, slips", handed_in[table], 0)
        elif handed_in[table] > 1 or scores.results[table] or table in facts.first_turns:
            findings.compare(f"{where}, slips", handed_in[table], 1)


def check_times(turn: TurnEntry, findings: Findings) -> None:
    """`is_in_time` follows from the times for phones; who handed in nothing has neither time nor word."""
    for slip in turn["slips"]:
        where = f"turn {turn['number']}, table {slip['table']}"
        if slip["source"] is None:
            empty = not (slip["word"] or slip["ref"] or slip["received_at"])
            findings.require(f"{where}, source", empty, None, "phone or paper, since something was handed in")
        elif slip["received_at"] is None:
            findings.compare(f"{where}, received_at", None, "a time")
        else:
            findings.compare(f"{where}, in_time", slip["in_time"], _in_time(turn, slip))


def _in_time(turn: TurnEntry, slip: SlipEntry) -> bool:
    """For a phone by its times, for paper by the judge's word; so too where the archive lacks a time."""
    if slip["source"] != "phone" or not slip["received_at"]:
        return slip["in_time"]
    by_clock = _is_before_close(turn, slip["received_at"])
    return slip["in_time"] if by_clock is None else by_clock


def was_sent_in_time(turn: TurnEntry, slip: SlipEntry | ReplacedSlip) -> bool:
    """Return whether the phone sent a slip that was received late before the turn's clock was closed."""
    sent = slip.get("sent_at")
    return sent is not None and not slip["in_time"] and bool(_is_before_close(turn, sent))


def _is_before_close(turn: TurnEntry, moment: str) -> bool | None:
    """Return whether a moment lies within the time of the turn and its grace; None if the turn lacks its times."""
    if not (turn["started_at"] and turn["deadline"]):
        return None
    grace = timedelta(milliseconds=turn["grace_ms"])
    return read_timestamp(turn["started_at"]) <= read_timestamp(moment) <= read_timestamp(turn["deadline"]) + grace


def judge_slips(
    facts: Facts, turn: TurnEntry, position: Position, lexicon: Lexicon, scores: Scores, *, when_placed: bool = False
) -> list[JudgedSlip]:
    """Every slip of the turn with its verdict, equal slips judged once; `when_placed`: by what the judge had
    decided
    when the move was chosen."""
    known: dict[tuple[Slip, int, tuple[str, ...]], Verdict] = {}
    judged = []
    for entry in turn["slips"]:
        slip, prior = read_slip(facts, turn, entry), scores.warnings[entry["table"]]
        given = tuple(entry.get("given", ()))
        if (slip, prior, given) not in known:
            known[slip, prior, given] = judge_slip(
                slip, position, facts.profile, lexicon, prior_warnings=prior, blitz=facts.blitz, given=given
            )
        by_rule = known[slip, prior, given]
        judged.append(
            JudgedSlip(
                entry,
                _verdict_when_placed(facts, entry, by_rule) if when_placed else _current_verdict(facts, entry, by_rule),
            )
        )
    return judged


def _current_verdict(facts: Facts, entry: SlipEntry, by_rule: Verdict) -> Verdict:
    if entry["decided_by"] != "judge":
        return by_rule
    if facts.has_all_decisions:
        return overrule_verdict(by_rule, entry["verdict"]["points"], tuple(entry.get("given", ())))
    return _stored_verdict(entry, by_rule)


def _verdict_when_placed(facts: Facts, entry: SlipEntry, by_rule: Verdict) -> Verdict:
    """As far as a move is chosen by it: which one counts, and whether it is a zero."""
    if "when_placed" not in entry:
        return _current_verdict(facts, entry, by_rule)
    points = entry["when_placed"]
    if points is None:
        return by_rule
    result: Result = "valid" if points else "zero"
    return replace(by_rule, result=result, reason=None if points else "judge", points=points)


def _stored_verdict(entry: SlipEntry, by_rule: Verdict) -> Verdict:
    """The judge's verdict in an archive whose ledger does not tell every decision. Its move, which archives do not
    hold, is the one that the rules find in the slip."""
    stored = entry["verdict"]
    return Verdict(
        result=stored["result"],
        reason=stored["reason"],
        points=stored["points"],
        move_score=stored["move_score"],
        warnings=tuple(stored["warnings"]),
        penalty=stored["penalty"],
        bonus=stored["bonus"],
        move=by_rule.move,
    )


def read_slip(facts: Facts, turn: TurnEntry, entry: SlipEntry) -> Slip:
    """The slip as the judge takes it."""
    received: Received = "in_time"
    if entry["source"] is not None and not _in_time(turn, entry):
        received = "delayed" if was_sent_in_time(turn, entry) else "late"
    elif entry["source"] == "paper" and _is_one_of_several(facts, entry):
        received = "several"
    return Slip(
        word=entry["word"],
        ref=entry["ref"] or "",
        declared=entry["declared"],
        direction=Direction(entry["direction"]) if entry["direction"] else None,
        hook=entry["hook"] or "",
        received=received,
    )


def _is_one_of_several(facts: Facts, entry: SlipEntry) -> bool:
    """Archives of other programs may tell it by nothing but the verdict."""
    by_verdict = "slips" not in facts.recorded.topics and entry["verdict"]["reason"] == "several_slips"
    return entry.get("several", by_verdict)


def check_verdicts(
    facts: Facts, turn: TurnEntry, top: int, judged: Sequence[JudgedSlip], scores: Scores, findings: Findings
) -> None:
    """Each stored verdict against the rules; then the results of the turn, as they should be, join the scores."""
    verdicts = {one.table: one.verdict for one in judged}
    decided = {one.table for one in judged if one.by_judge}
    excluded = facts.disqualified(turn["number"])
    elsewhere = _read_other_rooms(turn)
    final, solo = verdicts, None
    if elsewhere is not None:
        settled = settle_turn(
            verdicts,
            top,
            facts.profile,
            decided=decided,
            excluded=excluded,
            faults=scores.faults,
            bonuses=scores.bonuses,
            elsewhere=elsewhere,
        )
        final, solo = settled.verdicts, settled.solo
    counted = {table: verdict for table, verdict in verdicts.items() if table not in excluded}
    _check_solo(facts, turn, solo, counted, top, elsewhere, findings)
    scores.faults = {table: fault_of(verdict) for table, verdict in final.items() if table not in decided}
    for one in judged:
        where = f"turn {turn['number']}, table {one.table}, verdict"
        if one.by_judge and not facts.has_all_decisions:
            _check_verdict_sum(where, one.entry["verdict"], findings)
            _check_judge_warnings(where, one.entry, findings)
        else:
            _compare_verdict(where, one.entry["verdict"], final[one.table], findings)
        _record_result(scores, one.table, turn["number"], final[one.table], solo)
    scores.tops.append(top)


def _read_other_rooms(turn: TurnEntry) -> OtherRooms | None:
    """The scores of the other rooms; None while one of them plays the turn, and nobody has a solo, bonus or average."""
    others = turn.get("others", _NO_OTHER_ROOMS)
    if others is None:
        return None
    by_score = {int(score): players for score, players in others["scores"].items() if score.isdigit()}
    return OtherRooms(by_score, others["points"])


def _check_solo(
    facts: Facts,
    turn: TurnEntry,
    solo: int | None,
    verdicts: Mapping[int, Verdict],
    top: int,
    elsewhere: OtherRooms | None,
    findings: Findings,
) -> None:
    """Whoever alone found the top may sit in another room, and this archive does not say at which table."""
    where, stored = f"turn {turn['number']}, solo", turn["solo"]
    here = sum(score_of(verdict) == top for verdict in verdicts.values())
    if elsewhere is not None and top > 0 and not here and elsewhere.scores.get(top) == 1:
        found = stored is not None and stored not in facts.tables
        findings.require(where, found, stored, "a table of another room")
    else:
        findings.compare(where, stored, solo)


def _compare_verdict(where: str, stored: VerdictEntry, derived: Verdict, findings: Findings) -> None:
    """Field by field. The text is in the language of the room, and each program cites rules in its own words."""
    stored_fields, derived_fields = dict(stored), derived.as_json()
    for name in JUDGED_FIELDS:
        findings.compare(f"{where}.{name}", stored_fields[name], derived_fields[name])


def _check_verdict_sum(where: str, stored: VerdictEntry, findings: Findings) -> None:
    """A judge's verdict is not judged again, but its numbers must agree with each other."""
    if stored["result"] == "zero":
        findings.compare(f"{where}.points", stored["points"], 0)
    elif stored["move_score"] is not None:
        total = max(0, stored["move_score"] - stored["penalty"] + stored["bonus"])
        findings.compare(f"{where}.points", stored["points"], total)


def _check_judge_warnings(where: str, entry: SlipEntry, findings: Findings) -> None:
    """A judge's verdict must list the warnings that the judge gave; it may list others."""
    given, stored = tuple(entry.get("given", ())), entry["verdict"]["warnings"]
    due = warnings_counted_in_zero(given) if entry["verdict"]["result"] == "zero" else given
    lacking = Counter(due) - Counter(stored)
    findings.require(f"{where}.warnings", not lacking, stored, f"also {', '.join(lacking.elements())}")


def _record_result(scores: Scores, table: int, turn: int, verdict: Verdict, solo: int | None) -> None:
    warned = len(verdict.warnings)
    scores.warnings[table] += warned
    scores.bonuses[table] += verdict.bonus
    if table in scores.results:
        result = TurnResult(turn, verdict.points, warned, verdict.penalty, solo == table, verdict.bonus)
        scores.results[table].append(result)
