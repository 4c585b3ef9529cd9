"""Tokens of the read-only API."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from django.db.models import QuerySet

from tournaments.models import ApiToken


@dataclass(frozen=True, slots=True)
class ActiveToken:
    """A token that is not revoked."""

    pk: int
    last_used_on: date | None


def load_active_tokens() -> dict[str, ActiveToken]:
    """Return the tokens that are not revoked, by their hash."""
    rows = ApiToken.objects.filter(revoked_at=None).values_list("token_hash", "pk", "last_used_on")
    return {token_hash: ActiveToken(pk, used) for token_hash, pk, used in rows}


def list_tokens() -> QuerySet[ApiToken]:
    """Return all tokens, valid ones first, newest first."""
    return ApiToken.objects.select_related("created_by").order_by("revoked_at", "-created_at", "-pk")
