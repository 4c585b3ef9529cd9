from __future__ import annotations

from django.conf import settings
from django.db import models

from tournaments.models.player import Player
from tournaments.models.slip import Slip
from tournaments.models.turn import Turn


class Typing(models.Model):
    """A paper slip as somebody typed it, in an event in which each is typed by two people. Never changed.

    `raw` is the line, the other fields what it was read as. `slip` is the slip that counts by it, null for what stands
    beside it. `settles`: a judge has looked at the paper himself, and what was typed before is compared no more.
    `entry` is the number of the ledger entry that seals it.
    """

    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="typings")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="typings")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    raw = models.CharField(max_length=300)
    word = models.CharField(max_length=200, blank=True)
    ref = models.CharField(max_length=20, blank=True)
    direction = models.CharField(max_length=6, blank=True)
    hook = models.CharField(max_length=20, blank=True)
    declared = models.PositiveIntegerField(null=True, blank=True)
    several = models.BooleanField(default=False)
    in_time = models.BooleanField(default=True)
    at = models.DateTimeField()
    slip = models.ForeignKey(Slip, on_delete=models.CASCADE, null=True, blank=True, related_name="typings")
    settles = models.BooleanField(default=False)
    entry = models.PositiveIntegerField()

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.player}: {self.raw}"
