from __future__ import annotations

from django.db import models

from tournaments.events.models.event import Event


class Round(models.Model):
    """The organiser's name ("Morning") and starting time of the game of this number, which may exist or be planned.

    A planned game takes over `variant`, `turn_seconds`, `profile` and `switches` (only those that are planned); what is
    empty is as in the game before.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=100, blank=True)
    starts_at = models.DateTimeField(null=True, blank=True)
    variant = models.CharField(max_length=20, blank=True)
    turn_seconds = models.PositiveIntegerField(null=True, blank=True)
    profile = models.CharField(max_length=40, blank=True)
    switches = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["event", "number"], name="one_round_of_a_number")]

    def __str__(self) -> str:
        return f"{self.number} {self.name}".strip()
