"""Groups of identical slips of a turn; the judge decides each group once."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from django.db.models import Q

from engine.judging.lexicon_protocol import WordList
from engine.judging.placement import Position
from engine.judging.review_flags import BY_WORD, NO_FLAG, Kind, ReviewFlag, find_review_flag
from engine.judging.verdict import Verdict as Judgement
from engine.rules.profile import Profile
from engine.slips.slip import Slip as WrittenSlip
from tournaments.judging.derivation import BY_RULE
from tournaments.judging.queries.reviews import VERDICT, ReviewSnapshot, Row, get_reviews
from tournaments.judging.queries.warnings import WarningLine
from tournaments.judging.verdicts import VerdictReader, to_written_slip
from tournaments.lexicons import word_lists
from tournaments.models import Entry, GroupLook, Room, Turn, Verdict, players_in
from tournaments.play.position import position_of, profile_of

BAD, WARN, OK = "bad", "warn", "ok"
_ORDER = (BAD, WARN, OK)


@dataclass(frozen=True, slots=True)
class SlipGroup:
    """Identical slips, decided once.

    `ref` may be crossing letters. `kind`: "bad" (zero), "warn" (points, but with a fault) or "ok". `points` are those
    of the first table without bonuses or own warnings; `warned`: tables warned by the judge. `count`: number of slips;
    `tables`: their tables, empty in anonymous judging. `doubt`: the flag of `engine.judging.review_flags`; `each`:
    points at stake on one slip, `stake`: on all. `failed`: the invalid word on which the judge may rule. `meant`: the
    reference proved by the declared score if the written one is reversed. `received`: in_time, late, delayed or
    several. `sentence` explains the verdict, `source` names its rule. `decided_by`: rule or judge. `version`: required
    in a decision; `seen_by`: judge who accepted the verdict by rule.
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
    source: str
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
        """Return whether a judge still has to review the group."""
        return bool(self.doubt) and not self.seen_by


def groups_of(
    turn: Turn, warned: Sequence[WarningLine] = (), room: Room | None = None, *, anonymous: bool = False
) -> list[SlipGroup]:
    """The groups of a judged turn: first those to review, by points at stake; then the others, by points.

    Slips are those of `room`, or of all rooms. `warned`: the warnings that the judge gave in this turn. `anonymous`:
    leave out tables and warnings.
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
    # Slips of a group are identical, so one of each is read.
    warned_tables = {line.table for line in warned}
    chosen = {key: _example(members, warned_tables) for key, members in by_key.items()}
    examples, looks = rows.select_related("slip").in_bulk(list(chosen.values())), get_reviews(turn)
    reading = _GroupReader(
        turn.top,
        VerdictReader(turn.game),
        looks,
        [] if anonymous else warned,
        anonymous,
        JudgingBasis(position_of(turn), profile_of(turn.game), word_lists.open_lexicon(turn.game, turn.number)),
    )
    groups = [
        reading.group(key, examples[chosen[key]], list(members), looks.state(key, verdicts[key]))
        for key, members in by_key.items()
        if not to_written_slip(examples[chosen[key]].slip).is_blank
    ]
    return sorted(groups, key=lambda group: (_ORDER.index(group.kind), -group.stake, -group.points, group.word))


def has_doubtful_slip(turn: Turn, room: Room) -> bool:
    """Return whether a slip in a room has zero points for an invalid word, or was sent in time and received late, and
    no judge has reviewed it.

    A review is a decision, an accepted verdict, or the same slip in a room that has been shown the turn. Most rooms
    have no such slip and need one query.
    """
    in_doubt = Q(reason__in=BY_WORD)
    if profile_of(turn.game).delayed_slip == "ask":
        in_doubt |= Q(reason="late", slip__sent_in_time=True)
    by_rule = Verdict.objects.filter(in_doubt, turn=turn, decided_by=BY_RULE, player__in=players_in(turn.game, room))
    groups = set(by_rule.values_list("group", flat=True))
    if not groups:
        return False
    shown = {"room__clocks__turn": turn, "room__clocks__shown_at__isnull": False}
    seen = Entry.objects.filter(game=turn.game, **shown).values("player")
    elsewhere = Verdict.objects.filter(turn=turn, player__in=seen, group__in=groups)
    let_stand = GroupLook.objects.filter(turn=turn, slip=None, group__in=groups)
    return bool(
        groups - set(elsewhere.values_list("group", flat=True)) - set(let_stand.values_list("group", flat=True))
    )


def _example(members: Mapping[int, int], warned_tables: Collection[int]) -> int:
    """Key of the verdict of the first table without a judge's warning, otherwise of the first table."""
    alone = (verdict for table, verdict in members.items() if table not in warned_tables)
    return next(alone, next(iter(members.values())))


@dataclass(frozen=True, slots=True)
class JudgingBasis:
    """Position, profile and words by which the slips of a turn are judged."""

    position: Position
    profile: Profile
    words: WordList


@dataclass(frozen=True, slots=True)
class _GroupReader:
    """Reads the groups of one turn from their verdicts."""

    top: int | None
    reader: VerdictReader
    looks: ReviewSnapshot
    warned: Sequence[WarningLine]
    anonymous: bool
    judging: JudgingBasis

    def group(self, key: str, first: Verdict, tables: list[int], state: str) -> SlipGroup:
        slip = to_written_slip(first.slip)
        reference = slip.reference(self.reader.notation)
        doubt = self._doubt(first)
        sentence, source = self.reader.explanation(first)
        return SlipGroup(
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
            sentence=sentence,
            source=source,
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

    def _doubt(self, row: Verdict) -> ReviewFlag:
        if row.decided_by != BY_RULE or row.result == "valid":
            return NO_FLAG
        verdict = self.reader.judgement(row)
        return _doubt_about(to_written_slip(row.slip), verdict, tuple(sorted(verdict.details.items())), self.judging)


# The judge's desk is rebuilt at each change, while board, rack, rules and words of a turn mostly stay the same.
@lru_cache(maxsize=4096)
def _doubt_about(
    slip: WrittenSlip, verdict: Judgement, _details: tuple[tuple[str, str | int], ...], judging: JudgingBasis
) -> ReviewFlag:
    return find_review_flag(slip, verdict, judging.position, judging.profile, judging.words)


def _kind(row: Verdict) -> str:
    if row.result == "zero":
        return BAD
    return WARN if row.warnings or row.penalty or row.result == "rescued" or _score_differs(row) else OK


def _score_differs(row: Verdict) -> bool:
    """Return whether the declared score is wrong, even if the rules ignore it; the player should know."""
    declared = row.slip.declared if row.slip is not None else None
    return declared is not None and row.move_score is not None and declared != row.move_score
