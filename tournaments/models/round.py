from __future__ import annotations

from django.db import models

from tournaments.models.event import Event


class Round(models.Model):
    """What the organiser says of the game of this number, be it there already or planned: a name ("Morning") and the
    time at which it is to begin."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=100, blank=True)
    starts_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["event", "number"], name="one_round_of_a_number")]

    def __str__(self) -> str:
        return f"{self.number} {self.name}".strip()
