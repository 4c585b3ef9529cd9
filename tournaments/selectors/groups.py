"""Identical slips of a turn as the judge decides on them: once."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from engine.rules.doubt import BY_WORD, CLEAR, Doubt, Kind, doubt_about
from engine.rules.place import Position
from engine.rules.profile import Profile
from engine.rules.slip import Slip as WrittenSlip
from engine.rules.verdict import Verdict as Judgement
from engine.rules.words import WordList
from tournaments import lexicons
from tournaments.judgements import BY_RULE
from tournaments.models import Entry, GroupLook, Room, Turn, Verdict, players_in
from tournaments.position import position_of, profile_of
from tournaments.selectors.looks import VERDICT, Looks, Row, looks_at
from tournaments.selectors.warned import WarningLine
from tournaments.verdicts import Reader, written

BAD, WARN, OK = "bad", "warn", "ok"
_ORDER = (BAD, WARN, OK)


@dataclass(frozen=True, slots=True)
class Group:
    """Identical slips, decided once. `ref` may be crossing letters. `kind`: "bad" (zero), "warn" (points, but something
    was wrong), "ok".

    `points` are those of a player without a bonus or warnings of his own, as of the first table; `warned`: whom of them
    the judge warned himself. `count`: how many slips; `tables` whose, empty where judging is anonymous.
    `doubt`: what a judge may see otherwise (engine.rules.doubt), `each` what one of the slips gains or loses by it,
    `stake` all of them. `failed`: the word that is not allowed, on which the judge may rule. `meant`: the reference
    that the declared score proves where it was written the other way round. `received`: in_time, late or several.
    `decided_by`: rule or judge. `version`: what a decision on it has to name; `seen_by`: who let the verdict of the
    rules stand.
    """

    key: str
    word: str
    ref: str
    direction: str
    declared: int | None
    result: str
    points: int
    move_score: int | None
    move_ref: str
    reason: str
    sentence: str
    kind: str
    received: str
    count: int
    tables: list[int]
    doubt: Kind
    each: int
    failed: str
    meant: str
    is_top: bool
    decided_by: str
    decision_reason: str
    warned: list[WarningLine]
    state: str
    version: str
    seen_by: str

    @property
    def stake(self) -> int:
        return self.each * self.count

    @property
    def is_open(self) -> bool:
        """Whether a judge still has to look at it."""
        return bool(self.doubt) and not self.seen_by


def groups_of(
    turn: Turn, warned: Sequence[WarningLine] = (), room: Room | None = None, *, anonymous: bool = False
) -> list[Group]:
    """The groups of a judged turn: those that need the judge first, the more is at stake the earlier; then by points.

    Of the players of a room, of all when None; who handed in nothing is in none of them. `warned`: the warnings that
    the judge gave in this turn. `anonymous`: neither tables nor who was warned.
    """
    rows = Verdict.objects.filter(turn=turn, slip__isnull=False)
    if room is not None:
        rows = rows.filter(player__in=players_in(turn.game, room))
    by_key: dict[str, dict[int, int]] = {}
    verdicts: dict[str, set[Row]] = {}
    for key, table, verdict, *rest in rows.order_by("player__table").values_list(
        "group", "player__table", "pk", *VERDICT[1:]
    ):
        by_key.setdefault(key, {})[table] = verdict
        verdicts.setdefault(key, set()).add((key, *rest))
    # Slips of a group say the same, so one of each is read, however many there are.
    warned_tables = {line.table for line in warned}
    chosen = {key: _example(members, warned_tables) for key, members in by_key.items()}
    examples, looks = rows.select_related("slip").in_bulk(list(chosen.values())), looks_at(turn)
    reading = _Reading(
        turn.top,
        Reader(turn.game),
        looks,
        [] if anonymous else warned,
        anonymous,
        Judging(position_of(turn), profile_of(turn.game), lexicons.open_lexicon(turn.game, turn.number)),
    )
    groups = [
        reading.group(key, examples[chosen[key]], list(members), looks.state(key, verdicts[key]))
        for key, members in by_key.items()
        if not written(examples[chosen[key]].slip).is_blank
    ]
    return sorted(groups, key=lambda group: (_ORDER.index(group.kind), -group.stake, -group.points, group.word))


def is_anything_doubtful(turn: Turn, room: Room) -> bool:
    """Whether somebody of a room got nothing for a word that the list does not have, and no judge has looked at it:
    neither decided on it, nor let it stand, nor seen the same slip in a room that was shown the turn already."""
    shown = {"room__clocks__turn": turn, "room__clocks__shown_at__isnull": False}
    seen = Entry.objects.filter(game=turn.game, **shown).values("player")
    by_rule = Verdict.objects.filter(turn=turn, decided_by=BY_RULE, reason__in=BY_WORD)
    elsewhere = Verdict.objects.filter(turn=turn, player__in=seen).values("group")
    let_stand = GroupLook.objects.filter(turn=turn, slip=None).values("group")
    here = by_rule.filter(player__in=players_in(turn.game, room))
    return here.exclude(group__in=elsewhere).exclude(group__in=let_stand).exists()


def _example(members: Mapping[int, int], warned_tables: Collection[int]) -> int:
    """The verdict of the first table that the judge has not warned, else of the first."""
    alone = (verdict for table, verdict in members.items() if table not in warned_tables)
    return next(alone, next(iter(members.values())))


@dataclass(frozen=True, slots=True)
class Judging:
    """What slips of a turn are judged by."""

    position: Position
    profile: Profile
    words: WordList


@dataclass(frozen=True, slots=True)
class _Reading:
    """What all groups of a turn are read with."""

    top: int | None
    reader: Reader
    looks: Looks
    warned: Sequence[WarningLine]
    anonymous: bool
    judging: Judging

    def group(self, key: str, first: Verdict, tables: list[int], state: str) -> Group:
        slip = written(first.slip)
        reference = slip.reference(self.reader.notation)
        doubt = self._doubt(first)
        return Group(
            key=key,
            word=slip.word,
            ref=slip.place_text,
            direction=reference.direction.value if reference else slip.direction or "",
            declared=slip.declared,
            result=first.result,
            points=first.points,
            move_score=first.move_score,
            move_ref=first.move_ref,
            reason=first.reason,
            sentence=self.reader.sentence(first),
            kind=_kind(first),
            received=slip.received,
            count=len(tables),
            tables=[] if self.anonymous else tables,
            doubt=doubt.kind,
            each=doubt.points,
            failed=first.word,
            meant=doubt.meant,
            is_top=first.result != "zero" and first.move_score == self.top,
            decided_by=first.decided_by,
            decision_reason=first.decision_reason,
            warned=[line for line in self.warned if line.table in tables],
            state=state,
            version=self.looks.version(key, state),
            seen_by=self.looks.seen_by(key, state),
        )

    def _doubt(self, row: Verdict) -> Doubt:
        if row.decided_by != BY_RULE or row.result == "valid":
            return CLEAR
        verdict = self.reader.judgement(row)
        return _doubt_about(written(row.slip), verdict, tuple(sorted(verdict.details.items())), self.judging)


# A judge's desk is made anew at each change; board, rack, rules and words of a turn mostly stay.
@lru_cache(maxsize=4096)
def _doubt_about(
    slip: WrittenSlip, verdict: Judgement, _details: tuple[tuple[str, str | int], ...], judging: Judging
) -> Doubt:
    return doubt_about(slip, verdict, judging.position, judging.profile, judging.words)


def _kind(row: Verdict) -> str:
    if row.result == "zero":
        return BAD
    return WARN if row.warnings or row.penalty or row.result == "rescued" or _score_differs(row) else OK


def _score_differs(row: Verdict) -> bool:
    """Whether the player counted wrongly, even where the rules do not mind: he should be told."""
    declared = row.slip.declared if row.slip is not None else None
    return declared is not None and row.move_score is not None and declared != row.move_score
