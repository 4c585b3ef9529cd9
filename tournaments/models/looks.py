from __future__ import annotations

from django.conf import settings
from django.db import models

from tournaments.models.slip import Slip
from tournaments.models.turn import Turn


class GroupLook(models.Model):
    """A judge has looked at a group of identical slips and let the verdict of the rules stand; or, with `slip`, has
    compared this one slip in a spot check and found it right.

    `state` is the verdict as he saw it (selectors.looks): under another one the look counts no more, and it stays.
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
