"""Judging a turn: every player's verdict, from slips and rulings alone, written anew as a whole."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from django.db import transaction
from django.db.models import Sum

from engine.ledger import canonical_json
from engine.rules.bonuses import solo_table, with_bonuses
from engine.rules.profile import Profile
from engine.rules.slip import Slip as WrittenSlip
from engine.rules.verdict import Position, judge
from engine.rules.verdict import Verdict as Judgement
from tournaments import lexicons
from tournaments.models import Entry, Slip, SlipRuling, Turn, Verdict
from tournaments.position import board_before, edition_of, is_blitz, profile_of, rack_of
from tournaments.verdicts import written

BY_RULE, BY_JUDGE = "rule", "judge"
_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Judged:
    """A player's slip that counts, and what it gets. `ruling` is the judge's own decision, if there is one."""

    player_id: int
    table: int
    slip: Slip | None
    group: str
    judgement: Judgement
    ruling: SlipRuling | None


def judge_turn(*, turn: Turn) -> None:
    """Write all verdicts of a turn anew: one for each player with a place in it, identical slips judged once.

    The caller has locked the game. Derived from the slips, the words ruled on up to this turn and the judge's
    decisions; bonuses and the solo follow when all are judged.
    """
    with transaction.atomic():
        profile = profile_of(turn.game)
        judged = _judge_all(turn, profile)
        single = {one.table: one.judgement for one in judged}
        whole = with_bonuses(single, turn.top or 0, profile, _bonuses_before(turn, profile, judged))
        Verdict.objects.filter(turn=turn).delete()
        # The judge's points are the last word: no bonus is added to them.
        rows = [_row(turn, one, whole[one.table] if one.ruling is None else one.judgement, profile) for one in judged]
        Verdict.objects.bulk_create(rows, batch_size=_AT_ONCE)
        turn.solo = solo_table(single, turn.top or 0)
        Turn.objects.filter(pk=turn.pk).update(solo=turn.solo)


def forget_verdicts(*, turn: Turn) -> None:
    """Take the verdicts of a turn back that is being played again; the caller has locked the game."""
    Verdict.objects.filter(turn=turn).delete()
    Turn.objects.filter(pk=turn.pk).update(solo=None)


def group_of(slip: WrittenSlip) -> str:
    """The key that slips have in common which say the same and came in the same way."""
    return hashlib.sha256(canonical_json([None if part is None else str(part) for part in slip.key])).hexdigest()


def counting_slips(turn: Turn) -> dict[int, Slip]:
    """By player the slip that counts: the newest in time, else the newest."""
    counting: dict[int, Slip] = {}
    for slip in Slip.objects.filter(turn=turn).order_by("version"):
        if slip.in_time or slip.player_id not in counting or not counting[slip.player_id].in_time:
            counting[slip.player_id] = slip
    return counting


def _judge_all(turn: Turn, profile: Profile) -> list[Judged]:
    position = Position(board_before(turn), rack_of(turn), turn.number)
    words = lexicons.open_lexicon(turn.game, turn.number)
    blitz = is_blitz(turn.game)
    slips, before, decisions = counting_slips(turn), _warnings_before(turn), _decisions(turn)
    known: dict[tuple[str, int], Judgement] = {}
    judged = []
    for player_id, table in _players(turn):
        slip = slips.get(player_id)
        as_written = written(slip)
        group, prior = group_of(as_written), before[player_id]
        if (group, prior) not in known:
            known[group, prior] = judge(
                as_written, position, profile, words, prior_warnings=prior, blitz=blitz
            )
        judgement, ruling = known[group, prior], decisions.get(group)
        if ruling is not None:
            judgement = _overruled(judgement, ruling.points)
        judged.append(Judged(player_id, table, slip, group, judgement, ruling))
    return judged


def _players(turn: Turn) -> list[tuple[int, int]]:
    """(player, table) of everybody with a place in the turn, by table."""
    entries = Entry.objects.filter(game=turn.game, first_turn__lte=turn.number).order_by("player__table")
    return list(entries.values_list("player_id", "player__table"))


def _warnings_before(turn: Turn) -> Counter[int]:
    """How many warnings each player had in the turns before."""
    earlier = Verdict.objects.filter(turn__game=turn.game, turn__number__lt=turn.number).exclude(warnings=[])
    before: Counter[int] = Counter()
    for player_id, warnings in earlier.values_list("player_id", "warnings"):
        before[player_id] += len(warnings)
    return before


def _bonuses_before(turn: Turn, profile: Profile, judged: Iterable[Judged]) -> Mapping[int, int]:
    """Bonus points by table in the turns before; only asked for where a cap counts them."""
    if profile.bonus_cap is None:
        return {}
    earlier = Verdict.objects.filter(turn__game=turn.game, turn__number__lt=turn.number, bonus__gt=0)
    given = dict(earlier.values_list("player_id").annotate(Sum("bonus")))
    return {one.table: given[one.player_id] for one in judged if one.player_id in given}


def _decisions(turn: Turn) -> dict[str, SlipRuling]:
    """The judge's decisions that stand, by group."""
    return {ruling.group: ruling for ruling in SlipRuling.objects.filter(turn=turn, revoked_at=None).order_by("pk")}


def _overruled(judgement: Judgement, points: int) -> Judgement:
    """What the judge gives instead. What he takes off or adds to the worth of the move is shown as such."""
    if points == 0:
        return Judgement("zero", "judge", 0, judgement.move_score)
    worth = judgement.move_score
    if worth is None:
        return Judgement("valid", None, points, None)
    return replace(
        judgement,
        result="valid",
        reason=None,
        points=points,
        warnings=judgement.warnings if judgement.result != "zero" else (),
        penalty=max(0, worth - points),
        bonus=max(0, points - worth),
        word=None,
        rule=None,
        details={},
    )


def _row(turn: Turn, one: Judged, judgement: Judgement, profile: Profile) -> Verdict:
    move = judgement.move
    return Verdict(
        turn=turn,
        player_id=one.player_id,
        slip=one.slip,
        group=one.group,
        result=judgement.result,
        reason=judgement.reason or "",
        points=judgement.points,
        move_score=judgement.move_score,
        warnings=list(judgement.warnings),
        penalty=judgement.penalty,
        bonus=judgement.bonus,
        word=judgement.word or "",
        rule=judgement.rule or "",
        details=dict(judgement.details),
        move_word=move.word_text(edition_of(turn.game)) if move else "",
        move_ref=move.reference_text(profile.notation) if move else "",
        decided_by=BY_RULE if one.ruling is None else BY_JUDGE,
        decision_reason="" if one.ruling is None else one.ruling.reason,
    )
