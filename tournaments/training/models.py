from __future__ import annotations

from django.db import models

from tournaments.members.models import Member
from tournaments.play.models.turn import Turn


class Exercise(models.Model):
    """A turn that a member plays again. It is due on `due_on`; each time the member finds the top the interval grows,
    until `solved_at` is set; a failed try starts with the shortest interval again."""

    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="exercises")
    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="exercises")
    due_on = models.DateField()
    interval_days = models.PositiveSmallIntegerField(default=0)
    tries = models.PositiveSmallIntegerField(default=0)
    started_at = models.DateTimeField(null=True, blank=True)
    solved_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["due_on", "pk"]
        constraints = [models.UniqueConstraint(fields=["member", "turn"], name="one_exercise_a_member_and_turn")]

    def __str__(self) -> str:
        return f"{self.member}: {self.turn}"
