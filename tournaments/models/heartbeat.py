from __future__ import annotations

from django.db import models


class Heartbeat(models.Model):
    """When the server was last known to live: one row, so that a restart can say how long it was away.

    `away_s` is set by the restart and cleared by the judge's answer.
    """

    at = models.DateTimeField()
    away_s = models.PositiveIntegerField(null=True, blank=True)

    def __str__(self) -> str:
        return str(self.at)
