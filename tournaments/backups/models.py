from __future__ import annotations

from django.db import models


class Heartbeat(models.Model):
    """The last heartbeat of the server, in a single row, from which a restart computes the downtime.

    A restart that finds a running clock sets `lost_at` (the last heartbeat) and `away_s`; `backup_at` is the time of
    the backup from which this database was restored. The judge's answer clears all three. `steady_us` is the reading of
    the steady clock in this `boot` of the computer (`tournaments/now.py`).
    """

    at = models.DateTimeField()
    boot = models.CharField(max_length=36, blank=True)
    steady_us = models.BigIntegerField(null=True, blank=True)
    backup_at = models.DateTimeField(null=True, blank=True)
    lost_at = models.DateTimeField(null=True, blank=True)
    away_s = models.PositiveIntegerField(null=True, blank=True)

    def __str__(self) -> str:
        return str(self.at)
