from __future__ import annotations

from django.conf import settings
from django.db import models

from tournaments.enums import Role
from tournaments.events.models.event import Event
from tournaments.players.models import Player


class Membership(models.Model):
    """Role of a user in an event, and the time (to the minute) of their last visit to its desk.

    `plays_as` is the player that a judge is when playing along.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role.choices)
    seen_at = models.DateTimeField(null=True, blank=True)
    plays_as = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="judges")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["event", "user"], name="one_role_an_event")]

    def __str__(self) -> str:
        return f"{self.user}: {self.role}"


class LoginLink(models.Model):
    """A link that logs its user in once. Only the SHA-256 of its token is stored."""

    token_hash = models.CharField(max_length=64, unique=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return str(self.user)
