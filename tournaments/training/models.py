from __future__ import annotations

from datetime import datetime, timedelta

from django.db import models

from tournaments.members.models import Member
from tournaments.play.models.turn import Turn


class Exercise(models.Model):
    """A turn that a member plays again. It is due on `due_on`; each time the member finds the top the interval grows,
    until `solved_at` is set; a failed try starts with the shortest interval again.

    The clock of a try runs for `seconds` from `started_at`, which is null while no try runs. `result` is the last try
    that ended: {"word", "ref", "result", "points", "text", "found"}; empty before the first.
    """

    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="exercises")
    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="exercises")
    due_on = models.DateField()
    interval_days = models.PositiveSmallIntegerField(default=0)
    tries = models.PositiveSmallIntegerField(default=0)
    started_at = models.DateTimeField(null=True, blank=True)
    seconds = models.PositiveIntegerField(default=0)
    result = models.JSONField(default=dict)
    solved_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["due_on", "pk"]
        constraints = [models.UniqueConstraint(fields=["member", "turn"], name="one_exercise_a_member_and_turn")]

    def __str__(self) -> str:
        return f"{self.member}: {self.turn}"

    @property
    def deadline(self) -> datetime | None:
        """The moment at which the clock of the running try shows zero; None while no try runs."""
        return None if self.started_at is None else self.started_at + timedelta(seconds=self.seconds)
