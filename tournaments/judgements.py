"""Verdicts as they follow from facts, nothing written: what judging stores, and what a preview shows.

facts = facts_of(turn)
derive(facts).judged                                  # as the turn stands
derive(replace(facts, decisions={...})).judged        # as it would stand
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from django.db.models import Sum

from engine.rules.averages import Fault, fault_of
from engine.rules.profile import Profile
from engine.rules.settlement import settle
from engine.rules.slip import Slip as WrittenSlip
from engine.rules.slip import group_of
from engine.rules.verdict import Position, judge, overruled
from engine.rules.verdict import Verdict as Judgement
from engine.rules.words import WordList
from tournaments import lexicons
from tournaments.enums import ClockState, GivenCode, SlipSource
from tournaments.models import Entry, GivenWarning, Room, Slip, SlipRuling, Turn, Verdict, players_in, plays
from tournaments.position import is_blitz, position_of, profile_of
from tournaments.selectors.phases import is_complete
from tournaments.tops import search_tops
from tournaments.verdicts import Reader, written


@dataclass(frozen=True, slots=True)
class Decision:
    """The judge's own decision on a group of identical slips."""

    points: int
    reason: str


@dataclass(slots=True)
class Before:
    """What players have from the turns before, by player: warnings, bonus points, the fault of the last turn."""

    warnings: Counter[int] = field(default_factory=Counter)
    bonuses: Counter[int] = field(default_factory=Counter)
    faults: dict[int, Fault | None] = field(default_factory=dict)

    def copied(self) -> Before:
        """The same, to go on from without changing this one."""
        return Before(Counter(self.warnings), Counter(self.bonuses), dict(self.faults))

    def count(self, judged: Sequence[Judged]) -> None:
        """Go on to the next turn."""
        for one in judged:
            self.warnings[one.player_id] += len(one.judgement.warnings)
            self.bonuses[one.player_id] += one.judgement.bonus
        self.faults = {one.player_id: fault_of(one.judgement) for one in judged if one.decision is None}


@dataclass(frozen=True, slots=True)
class Facts:
    """All that the verdicts of a turn follow from. `players`: (player, table) of everybody with a place in a room that
    has closed the turn, by table; `complete`: these are all who play it; `given`: the warnings that the judge gives, by
    player; `excluded`: the players who are disqualified as of this turn; `deadlines`: when the time was up in the rooms
    of the players whose phones were late."""

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
    before: Before
    complete: bool
    excluded: Collection[int] = ()
    deadlines: Mapping[int, datetime] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Judged:
    """A player's slip that counts, and what it gets, bonuses included; `decision`: the judge's own, if there is one."""

    player_id: int
    table: int
    slip: Slip | None
    group: str
    judgement: Judgement
    decision: Decision | None


@dataclass(frozen=True, slots=True)
class Derived:
    """The verdicts of a turn by table, and the table that alone found the top. `partial`: those of all other players
    stay as they are stored."""

    judged: list[Judged]
    solo: int | None
    partial: bool = False


def when_placed(facts: Facts) -> Facts:
    """The facts with which the move on the board was chosen: without what was decided once it lay there. The tops stay
    those of `facts`, unless other words count now."""
    turn = facts.turn
    words = lexicons.rulings_of(turn.game, turn.number, when_placed=True)
    decisions = decisions_in(turn, when_placed=True)
    if words == lexicons.rulings_of(turn.game, turn.number):
        return replace(facts, decisions=decisions)
    return with_words(replace(facts, decisions=decisions), words)


def with_words(facts: Facts, rulings: lexicons.Rulings) -> Facts:
    """The facts as they would be with these words, the tops found anew."""
    turn, board, rack = copy(facts.turn), facts.position.board, facts.position.rack
    turn.tops = search_tops(turn.game, turn.number, board, rack, rulings)
    turn.top = turn.tops[0]["score"] if turn.tops else 0
    words = lexicons.open_lexicon(turn.game, turn.number, rulings)
    return replace(facts, turn=turn, words=words, top=turn.top)


def facts_of(turn: Turn, room: Room | None = None, players: Collection[int] | None = None) -> Facts:
    """The facts of a turn as they are stored: of all rooms that have closed it, or of one of them; with `players` of
    these alone.

    What hangs on the slips of all players is found when all rooms have closed, so then the facts are those of all. The
    number of queries does not grow with players, slips or rooms.
    """
    profile, complete = profile_of(turn.game), is_complete(turn)
    only = None if complete else room
    slips = counting_slips(turn, only, players)
    return Facts(
        turn=turn,
        profile=profile,
        blitz=is_blitz(turn.game),
        position=position_of(turn),
        words=lexicons.open_lexicon(turn.game, turn.number),
        top=turn.top or 0,
        players=_players(turn, only, players),
        slips=slips,
        decisions=decisions_in(turn),
        given=given_in(turn),
        before=_before(turn, profile, only, players),
        complete=complete,
        excluded=disqualified_in(turn),
        deadlines=_deadlines(turn, [slip for slip in slips.values() if _is_late_by_phone(slip)]),
    )


def derive(facts: Facts) -> Derived:
    """The verdicts that follow. Identical slips of players with equally many and the same warnings are judged once.

    While a room still plays the turn nobody has a solo, a bonus or an average of the others.
    """
    alone = list(_judged_alone(facts))
    if not facts.complete:
        return Derived(alone, None)
    single = {one.player_id: one.judgement for one in alone}
    decided = {one.player_id for one in alone if one.decision is not None}
    settled = settle(
        single,
        facts.top,
        facts.profile,
        decided=decided,
        excluded=facts.excluded,
        faults=facts.before.faults,
        bonuses=facts.before.bonuses,
    )
    judged = [replace(one, judgement=settled.verdicts[one.player_id]) for one in alone]
    return Derived(judged, dict(facts.players)[settled.solo] if settled.solo is not None else None)


def derive_some(facts: Facts, bonuses: Mapping[int, int]) -> Derived:
    """The verdicts of the players in `facts` alone, who have other warnings from before and nothing else: so the solo
    stays, and everybody keeps the bonus that he has."""
    judged = []
    for one in _judged_alone(facts):
        if one.decision is None:
            bonus = bonuses.get(one.player_id, 0)
            points = one.judgement.points + bonus
            judged.append(replace(one, judgement=replace(one.judgement, bonus=bonus, points=points)))
        else:
            judged.append(one)
    return Derived(judged, facts.turn.solo, partial=True)


def counting_slips(turn: Turn, room: Room | None = None, players: Collection[int] | None = None) -> dict[int, Slip]:
    """By player (of a room, of all when None; of `players`) the slip that counts: the newest in time, else the newest.

    Newest by when it came, not by when it was stored: at another server an older one may have waited for the database.
    """
    slips = Slip.objects.filter(turn=turn)
    if room is not None:
        slips = slips.filter(player__in=players_in(turn.game, room))
    if players is not None:
        slips = slips.filter(player__in=players)
    counting: dict[int, Slip] = {}
    for slip in slips.order_by("received_at", "version"):
        if slip.in_time or slip.player_id not in counting or not counting[slip.player_id].in_time:
            counting[slip.player_id] = slip
    return counting


def given_in(turn: Turn) -> dict[int, tuple[str, ...]]:
    """By player the warnings that the judge gives in a turn, in the order of `GivenCode`."""
    codes: dict[int, set[str]] = {}
    standing = GivenWarning.objects.filter(turn=turn, revoked_at=None)
    for player_id, code in standing.values_list("player_id", "code"):
        codes.setdefault(player_id, set()).add(code)
    return {player_id: tuple(code for code in GivenCode.values if code in held) for player_id, held in codes.items()}


def _judged_alone(facts: Facts) -> Iterator[Judged]:
    """Every slip by itself, what depends on the other players left out."""
    read: dict[tuple[object, ...], tuple[WrittenSlip, str]] = {}
    known: dict[tuple[str, int, tuple[str, ...]], Judgement] = {}
    for player_id, table in facts.players:
        slip = facts.slips.get(player_id)
        content = _content(slip)
        if content not in read:
            read[content] = _read(slip)
        as_written, group = read[content]
        prior, given = facts.before.warnings[player_id], facts.given.get(player_id, ())
        if (group, prior, given) not in known:
            known[group, prior, given] = _judge(facts, as_written, prior, given)
        judgement, decision = known[group, prior, given], facts.decisions.get(group)
        if decision is not None:
            judgement = overruled(judgement, decision.points, given)
        elif slip is not None and player_id in facts.deadlines:
            judgement = _with_delay(judgement, slip, facts.deadlines[player_id])
        yield Judged(player_id, table, slip, group, judgement, decision)


def _judge(facts: Facts, as_written: WrittenSlip, prior: int, given: tuple[str, ...]) -> Judgement:
    return judge(
        as_written,
        facts.position,
        facts.profile,
        facts.words,
        prior_warnings=prior,
        blitz=facts.blitz,
        given=given,
    )


def _content(slip: Slip | None) -> tuple[object, ...]:
    """Equal for stored slips that say the same to the letter: these are read once."""
    if slip is None:
        return ()
    return (
        slip.word,
        slip.ref,
        slip.declared,
        slip.direction,
        slip.hook,
        slip.in_time,
        slip.several,
        slip.source,
    )


def _read(slip: Slip | None) -> tuple[WrittenSlip, str]:
    as_written = written(slip)
    return as_written, group_of(as_written)


def _is_late_by_phone(slip: Slip) -> bool:
    return slip.source == SlipSource.PHONE and not slip.in_time


def _deadlines(turn: Turn, late: Collection[Slip]) -> dict[int, datetime]:
    """By player the deadline of the turn in the room of each of these slips; no query where there are none."""
    if not late:
        return {}
    entries = Entry.objects.filter(game=turn.game, player__in=[slip.player_id for slip in late])
    rows = entries.filter(room__clocks__turn=turn).values_list("player_id", "room__clocks__deadline")
    return {player_id: deadline for player_id, deadline in rows if deadline is not None}


def _with_delay(judgement: Judgement, slip: Slip, deadline: datetime) -> Judgement:
    """The verdict on a late slip with what its sentence tells of the delay: the time between the deadline and the
    receipt, by the clock of the server, and whether the phone says that it sent the slip before the deadline."""
    if judgement.reason != "late" or slip.received_at <= deadline:
        return judgement
    details = {**judgement.details, "late_ms": (slip.received_at - deadline) // timedelta(milliseconds=1)}
    if slip.sent_at is not None and slip.sent_at <= deadline:
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
    """The judge's decisions that stand, by group; `when_placed`: those that stood when the move was placed."""
    rulings = SlipRuling.objects.filter(turn=turn, revoked_at=None).order_by("pk")
    if when_placed:
        rulings = rulings.filter(again=False)
    standing = {ruling.group: ruling for ruling in rulings}
    return {group: Decision(ruling.points, ruling.reason) for group, ruling in standing.items() if not ruling.by_rule}


def _before(turn: Turn, profile: Profile, room: Room | None, players: Collection[int] | None) -> Before:
    """What the stored verdicts of the turns before say; only as much as the profile asks for."""
    earlier = Verdict.objects.filter(turn__game=turn.game, turn__number__lt=turn.number)
    if room is not None:
        earlier = earlier.filter(player__in=players_in(turn.game, room))
    if players is not None:
        earlier = earlier.filter(player__in=players)
    before = Before()
    for player_id, warnings in earlier.exclude(warnings=[]).values_list("player_id", "warnings"):
        before.warnings[player_id] += len(warnings)
    if profile.bonus_cap is not None:
        given = earlier.filter(bonus__gt=0).values_list("player_id").annotate(Sum("bonus"))
        before.bonuses.update(dict(given))
    if profile.average_for_second_zero:
        reader = Reader(turn.game)
        zeros = Verdict.objects.filter(
            turn__game=turn.game, turn__number=turn.number - 1, result="zero", decided_by=BY_RULE
        )
        before.faults = {row.player_id: fault_of(reader.judgement(row)) for row in zeros}
    return before


BY_RULE, BY_JUDGE = "rule", "judge"
