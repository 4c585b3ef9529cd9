from __future__ import annotations

from django.conf import settings
from django.db import models

from tournaments.play.models.slip import Slip
from tournaments.play.models.turn import Turn


class GroupLook(models.Model):
    """A judge's review: a group of identical slips whose verdict by rule is accepted.

    With `slip`, this slip was found correct in a spot check. `state` identifies the reviewed verdict
    (`judging.queries.reviews`): the review is stored for ever, but counts only in this state.
    """

    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="looks")
    group = models.CharField(max_length=64)
    slip = models.ForeignKey(Slip, on_delete=models.CASCADE, null=True, blank=True, related_name="looks")
    state = models.CharField(max_length=32)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True)
    at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.turn}: {self.group[:8]}"
