from __future__ import annotations

from django.db import models


class Heartbeat(models.Model):
    """When the server was last known to live: one row, so that a restart can say how long it was away.

    `lost_at` (the last beat before) and `away_s` are set by a restart that found a clock running, and cleared by the
    judge's answer.
    """

    at = models.DateTimeField()
    lost_at = models.DateTimeField(null=True, blank=True)
    away_s = models.PositiveIntegerField(null=True, blank=True)

    def __str__(self) -> str:
        return str(self.at)
