from __future__ import annotations

from django.db import models


class Heartbeat(models.Model):
    """When the server was last known to live: one row, so that a restart can say how long it was away.

    `lost_at` (the last beat before) and `away_s` are set by a restart that found a clock running, and cleared by the
    judge's answer, as is `backup_at`: the moment of the backup that this database was restored from. `steady_us` is
    what the clock that cannot be set showed at the beat, in this `boot` of the computer (tournaments/now.py).
    """

    at = models.DateTimeField()
    boot = models.CharField(max_length=36, blank=True)
    steady_us = models.BigIntegerField(null=True, blank=True)
    backup_at = models.DateTimeField(null=True, blank=True)
    lost_at = models.DateTimeField(null=True, blank=True)
    away_s = models.PositiveIntegerField(null=True, blank=True)

    def __str__(self) -> str:
        return str(self.at)
