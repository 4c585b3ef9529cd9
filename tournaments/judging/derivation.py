"""Derivation of verdicts from facts, without writing. Judging stores the result, previews show it.

facts = facts_of(turn)
derive_verdicts(facts).judged                                     # the present verdicts
derive_verdicts(facts.with_decision(groups, decision)).judged     # the verdicts after a decision
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from django.db.models import Sum

from engine.judging.lexicon_protocol import WordList
from engine.judging.verdict import Position, judge_slip, overrule_verdict
from engine.judging.verdict import Verdict as Judgement
from engine.rules.profile import Profile
from engine.slips.slip import Slip as WrittenSlip
from engine.slips.slip import slip_group_key
from engine.turn_results.averages import Fault, fault_of
from engine.turn_results.settlement import settle_turn
from tournaments.enums import ClockState, JudgeWarningCode, SlipSource
from tournaments.judging.verdicts import VerdictReader, to_written_slip
from tournaments.lexicons import word_lists
from tournaments.models import Entry, GivenWarning, Room, Slip, SlipRuling, Turn, Verdict, players_in, plays
from tournaments.play.position import is_blitz, position_of, profile_of
from tournaments.play.queries.phases import is_complete
from tournaments.play.tops import search_tops


@dataclass(frozen=True, slots=True)
class Decision:
    """The judge's own decision on a group of identical slips."""

    points: int
    reason: str


@dataclass(slots=True)
class PriorRecord:
    """Totals of earlier turns by player id: warnings, bonus points, and the fault of the last turn."""

    warnings: Counter[int] = field(default_factory=Counter)
    bonuses: Counter[int] = field(default_factory=Counter)
    faults: dict[int, Fault | None] = field(default_factory=dict)

    def copy(self) -> PriorRecord:
        """An independent copy."""
        return PriorRecord(Counter(self.warnings), Counter(self.bonuses), dict(self.faults))

    def count(self, judged: Sequence[JudgedSlip]) -> None:
        """Add the verdicts of a turn."""
        for one in judged:
            self.warnings[one.player_id] += len(one.judgement.warnings)
            self.bonuses[one.player_id] += one.judgement.bonus
        self.faults = {one.player_id: fault_of(one.judgement) for one in judged if one.decision is None}


@dataclass(frozen=True, slots=True)
class TurnFacts:
    """The facts from which the verdicts of a turn follow.

    `players`: (player id, table) of all players in rooms that have closed the turn, by table; `complete`: all rooms
    have; `given`: warnings given by the judge, by player id; `excluded`: disqualified players; `deadlines`: deadline of
    the turn for players with a late phone slip.
    """

    turn: Turn
    profile: Profile
    blitz: bool
    position: Position
    words: WordList
    top: int
    players: Sequence[tuple[int, int]]
    slips: Mapping[int, Slip]
    decisions: Mapping[str, Decision]
    given: Mapping[int, tuple[str, ...]]
    before: PriorRecord
    complete: bool
    excluded: Collection[int] = ()
    deadlines: Mapping[int, datetime] = field(default_factory=dict)

    def with_decision(self, groups: Collection[str], decision: Decision | None) -> TurnFacts:
        """The facts with this decision on these groups of slips; None: with the decision by rule."""
        decisions = {key: value for key, value in self.decisions.items() if key not in groups}
        return replace(self, decisions=decisions | (dict.fromkeys(groups, decision) if decision else {}))


@dataclass(frozen=True, slots=True)
class JudgedSlip:
    """A player's counting slip and its verdict, bonuses included; `decision`: the judge's, if any."""

    player_id: int
    table: int
    slip: Slip | None
    group: str
    judgement: Judgement
    decision: Decision | None


@dataclass(frozen=True, slots=True)
class TurnVerdicts:
    """The verdicts of a turn by table, and the table with the solo.

    `partial`: the stored verdicts of all other players do not change.
    """

    judged: list[JudgedSlip]
    solo: int | None
    partial: bool = False


def facts_when_placed(facts: TurnFacts) -> TurnFacts:
    """The facts at the time of placement, without later rulings.

    The tops are those of `facts` unless the words differ.
    """
    turn = facts.turn
    words = word_lists.rulings_of(turn.game, turn.number, when_placed=True)
    decisions = decisions_in(turn, when_placed=True)
    if words == word_lists.rulings_of(turn.game, turn.number):
        return replace(facts, decisions=decisions)
    return facts_with_words(replace(facts, decisions=decisions), words)


def facts_with_words(facts: TurnFacts, rulings: word_lists.Rulings) -> TurnFacts:
    """The facts with these word rulings; the tops are searched again."""
    turn, board, rack = copy(facts.turn), facts.position.board, facts.position.rack
    turn.tops = search_tops(turn.game, turn.number, board, rack, rulings)
    turn.top = turn.tops[0]["score"] if turn.tops else 0
    words = word_lists.open_lexicon(turn.game, turn.number, rulings)
    return replace(facts, turn=turn, words=words, top=turn.top)


def facts_of(
    turn: Turn, room: Room | None = None, players: Collection[int] | None = None, *, complete: bool | None = None
) -> TurnFacts:
    """The stored facts of a turn, of all rooms that have closed it, of one room, or of `players` only.

    Solos, bonuses and averages depend on all players: once all rooms have closed the turn (`complete`; None: as it is
    stored), `room` is ignored. The number of queries does not depend on the number of players, slips or rooms.
    """
    profile = profile_of(turn.game)
    complete = is_complete(turn) if complete is None else complete
    only = None if complete else room
    slips = counting_slips(turn, only, players)
    return TurnFacts(
        turn=turn,
        profile=profile,
        blitz=is_blitz(turn.game),
        position=position_of(turn),
        words=word_lists.open_lexicon(turn.game, turn.number),
        top=turn.top or 0,
        players=_players(turn, only, players),
        slips=slips,
        decisions=decisions_in(turn),
        given=list_given_warnings(turn),
        before=_load_prior_record(turn, profile, only, players),
        complete=complete,
        excluded=disqualified_in(turn),
        deadlines=_deadlines(turn, [slip for slip in slips.values() if _is_late_by_phone(slip)]),
    )


def derive_verdicts(facts: TurnFacts) -> TurnVerdicts:
    """Derive the verdicts of all players in `facts`; identical slips with the same warnings are judged once.

    Solos, bonuses and averages are not awarded while a room still plays the turn.
    """
    alone = list(_judge_separately(facts))
    if not facts.complete:
        return TurnVerdicts(alone, None)
    single = {one.player_id: one.judgement for one in alone}
    decided = {one.player_id for one in alone if one.decision is not None}
    settled = settle_turn(
        single,
        facts.top,
        facts.profile,
        decided=decided,
        excluded=facts.excluded,
        faults=facts.before.faults,
        bonuses=facts.before.bonuses,
    )
    judged = [replace(one, judgement=settled.verdicts[one.player_id]) for one in alone]
    return TurnVerdicts(judged, dict(facts.players)[settled.solo] if settled.solo is not None else None)


def derive_player_verdicts(facts: TurnFacts, bonuses: Mapping[int, int]) -> TurnVerdicts:
    """Derive the verdicts of players of whom only the earlier warnings changed.

    The solo does not change; `bonuses` are the players' present bonuses.
    """
    judged = []
    for one in _judge_separately(facts):
        if one.decision is None:
            bonus = bonuses.get(one.player_id, 0)
            points = one.judgement.points + bonus
            judged.append(replace(one, judgement=replace(one.judgement, bonus=bonus, points=points)))
        else:
            judged.append(one)
    return TurnVerdicts(judged, facts.turn.solo, partial=True)


def counting_slips(turn: Turn, room: Room | None = None, players: Collection[int] | None = None) -> dict[int, Slip]:
    """Counting slip of each player, by player id: the newest in time, else the newest sent in time, else the newest.

    Slips are ordered by time of receipt, because an older slip may be stored later than a newer one.
    """
    slips = Slip.objects.filter(turn=turn)
    if room is not None:
        slips = slips.filter(player__in=players_in(turn.game, room))
    if players is not None:
        slips = slips.filter(player__in=players)
    counting: dict[int, Slip] = {}
    for slip in slips.order_by("in_time", "sent_in_time", "received_at", "version"):
        counting[slip.player_id] = slip
    return counting


def list_given_warnings(turn: Turn) -> dict[int, tuple[str, ...]]:
    """Warnings given by the judge in a turn, by player id, in the order of `JudgeWarningCode`."""
    codes: dict[int, set[str]] = {}
    standing = GivenWarning.objects.filter(turn=turn, revoked_at=None)
    for player_id, code in standing.values_list("player_id", "code"):
        codes.setdefault(player_id, set()).add(code)
    return {
        player_id: tuple(code for code in JudgeWarningCode.values if code in held) for player_id, held in codes.items()
    }


def _judge_separately(facts: TurnFacts) -> Iterator[JudgedSlip]:
    """Judge every slip without what depends on the other players."""
    read: dict[tuple[object, ...], tuple[WrittenSlip, str]] = {}
    known: dict[tuple[str, int, tuple[str, ...]], Judgement] = {}
    for player_id, table in facts.players:
        slip = facts.slips.get(player_id)
        content = _content(slip)
        if content not in read:
            read[content] = _read_slip(slip)
        as_written, group = read[content]
        prior, given = facts.before.warnings[player_id], facts.given.get(player_id, ())
        if (group, prior, given) not in known:
            known[group, prior, given] = _judge(facts, as_written, prior, given)
        judgement, decision = known[group, prior, given], facts.decisions.get(group)
        if decision is not None:
            judgement = overrule_verdict(judgement, decision.points, given)
        elif slip is not None and player_id in facts.deadlines:
            judgement = _with_delay(judgement, slip, facts.deadlines[player_id])
        yield JudgedSlip(player_id, table, slip, group, judgement, decision)


def _judge(facts: TurnFacts, as_written: WrittenSlip, prior: int, given: tuple[str, ...]) -> Judgement:
    return judge_slip(
        as_written,
        facts.position,
        facts.profile,
        facts.words,
        prior_warnings=prior,
        blitz=facts.blitz,
        given=given,
    )


def _content(slip: Slip | None) -> tuple[object, ...]:
    """Key that is equal for stored slips with identical content; these are converted once."""
    if slip is None:
        return ()
    return (
        slip.word,
        slip.ref,
        slip.declared,
        slip.direction,
        slip.hook,
        slip.in_time,
        slip.sent_in_time,
        slip.several,
        slip.source,
    )


def _read_slip(slip: Slip | None) -> tuple[WrittenSlip, str]:
    as_written = to_written_slip(slip)
    return as_written, slip_group_key(as_written)


def _is_late_by_phone(slip: Slip) -> bool:
    return slip.source == SlipSource.PHONE and not slip.in_time


def _deadlines(turn: Turn, late: Collection[Slip]) -> dict[int, datetime]:
    """Deadline of the turn for the players of these late slips, by player id."""
    if not late:
        return {}
    entries = Entry.objects.filter(game=turn.game, player__in=[slip.player_id for slip in late])
    rows = entries.filter(room__clocks__turn=turn).values_list("player_id", "room__clocks__deadline")
    return {player_id: deadline for player_id, deadline in rows if deadline is not None}


def _with_delay(judgement: Judgement, slip: Slip, deadline: datetime) -> Judgement:
    """Add the details of the delay to the verdict on a late slip.

    `late_ms`: time from the deadline to the receipt, by the server's clock; `sent_before`: the phone reports that it
    sent the slip before the deadline.
    """
    if judgement.reason != "late" or slip.received_at <= deadline:
        return judgement
    details = {**judgement.details, "late_ms": (slip.received_at - deadline) // timedelta(milliseconds=1)}
    if slip.sent_in_time:
        details["sent_before"] = 1
    return replace(judgement, details=details)


def disqualified_in(turn: Turn) -> frozenset[int]:
    """The players who are disqualified as of this turn."""
    entries = Entry.objects.filter(game=turn.game, disqualified_from__lte=turn.number)
    return frozenset(entries.values_list("player_id", flat=True))


def _players(turn: Turn, room: Room | None, players: Collection[int] | None) -> list[tuple[int, int]]:
    closed = {"room__clocks__turn": turn, "room__clocks__state": ClockState.CLOSED}
    entries = Entry.objects.filter(plays(turn.number), game=turn.game, **closed)
    if room is not None:
        entries = entries.filter(room=room)
    if players is not None:
        entries = entries.filter(player__in=players)
    return list(entries.order_by("player__table").values_list("player_id", "player__table"))


def decisions_in(turn: Turn, *, when_placed: bool = False) -> dict[str, Decision]:
    """The judge's standing decisions, by group; `when_placed`: those at the time of placement."""
    rulings = SlipRuling.objects.filter(turn=turn, revoked_at=None).order_by("pk")
    if when_placed:
        rulings = rulings.filter(known_since__lte=turn.number)
    standing = {ruling.group: (ruling.points, ruling.reason) for ruling in rulings}
    return {group: Decision(points, reason) for group, (points, reason) in standing.items() if points is not None}


def _load_prior_record(turn: Turn, profile: Profile, room: Room | None, players: Collection[int] | None) -> PriorRecord:
    """Read from the stored verdicts of earlier turns what the profile needs."""
    earlier = Verdict.objects.filter(turn__game=turn.game, turn__number__lt=turn.number)
    if room is not None:
        earlier = earlier.filter(player__in=players_in(turn.game, room))
    if players is not None:
        earlier = earlier.filter(player__in=players)
    before = PriorRecord()
    for player_id, warnings in earlier.exclude(warnings=[]).values_list("player_id", "warnings"):
        before.warnings[player_id] += len(warnings)
    if profile.bonus_cap is not None:
        given = earlier.filter(bonus__gt=0).values_list("player_id").annotate(Sum("bonus"))
        before.bonuses.update(dict(given))
    if profile.average_for_second_zero:
        reader = VerdictReader(turn.game)
        zeros = Verdict.objects.filter(
            turn__game=turn.game, turn__number=turn.number - 1, result="zero", decided_by=BY_RULE
        )
        before.faults = {row.player_id: fault_of(reader.judgement(row)) for row in zeros}
    return before


BY_RULE, BY_JUDGE = "rule", "judge"
