"""What a ruling did, in figures, for the ledger and the register of rulings."""

from __future__ import annotations

from tournaments.models import Turn, Verdict
from tournaments.selectors.preview import Change, derived_by


def effect_of(change: Change) -> dict[str, object]:
    """Whose points became others by a change that is about to be written, and by how much they grew together."""
    tables: set[int] = set()
    grown = 0
    for facts, derived in derived_by(change):
        before = dict(Verdict.objects.filter(turn=facts.turn.pk).values_list("player_id", "points"))
        for one in derived.judged:
            gain = one.judgement.points - before.get(one.player_id, one.judgement.points)
            tables |= {one.table} if gain else set()
            grown += gain
    return {"tables": sorted(tables), "grown": grown}


def slip_of(turn: Turn, group: str) -> dict[str, object]:
    """What the slips of a group say."""
    row = Verdict.objects.filter(turn=turn, group=group, slip__isnull=False).select_related("slip").first()
    slip = row.slip if row else None
    return {"word": slip.word if slip else "", "ref": slip.place_text if slip else ""}
