"""Refusals that name the colleague who has acted before."""

from __future__ import annotations

from django.contrib.auth.models import User

from referee.desk.desk import Desk
from tournaments.errors import Refused
from tournaments.ledger.act_text import act_sentence
from tournaments.ledger.queries import find_last_act
from tournaments.staff.queries import name_of


def explain_refusal(desk: Desk, refused: Refused) -> str:
    """Return the sentence of a refusal, and who did what and when if a colleague was faster."""
    entry = find_last_act(desk.game, refused.act, refused.facts) if refused.act else None
    if entry is None or entry.by in ("", desk.user.get_username()):
        return refused.sentence
    user = User.objects.filter(username=entry.by).first()
    name = name_of(user) if user is not None else entry.by
    return f"{refused.sentence} {act_sentence(entry.kind, name=name, at=entry.at, data=entry.data)}".strip()
