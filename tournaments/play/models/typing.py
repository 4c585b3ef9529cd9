from __future__ import annotations

from django.conf import settings
from django.db import models

from tournaments.play.models.slip import Slip, WrittenFields
from tournaments.play.models.turn import Turn
from tournaments.players.models import Player


class Typing(WrittenFields):
    """A paper slip as one person typed it, in an event with double typing. Never changed.

    `raw` is the line; the other fields are its reading. `slip` is the slip that counts because of this typing, null
    for a reading that is only compared. `settles`: a judge has checked the paper, and earlier typings are no longer
    compared. `entry` is the number of the ledger entry that seals it.
    """

    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="typings")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="typings")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    raw = models.CharField(max_length=300)
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
