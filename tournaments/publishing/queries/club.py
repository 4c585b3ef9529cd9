"""The club of this installation."""

from __future__ import annotations

from django.conf import settings

from tournaments.models import Club


def get_club() -> Club:
    """Return the club; one without a name, in the language of the installation, until its settings are stored."""
    return Club.objects.order_by("pk").first() or Club(language=settings.LANGUAGE_CODE)
