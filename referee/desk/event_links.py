"""Links from pages of the club to the desks of events, for users who have a role there."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.urls import reverse

from tournaments.models import Membership


def event_codes(user: User) -> dict[int, str]:
    """Return the codes of the events in which the user has a role, by event."""
    return dict(Membership.objects.filter(user=user).values_list("event", "event__code"))


def standings_paths(user: User) -> dict[int, str]:
    """Return the paths of the standings that the user may open, by event."""
    return {event: reverse("desk:standings", args=[code]) for event, code in event_codes(user).items()}
