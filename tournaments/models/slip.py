from __future__ import annotations

from django.db import models

from tournaments.enums import SlipSource
from tournaments.models.player import Player
from tournaments.models.turn import Turn


class Slip(models.Model):
    """What a player handed in, as he wrote it. Never changed: a correction is a new version, the newest in time counts.

    `in_time` follows from `received_at` for a phone and is the judge's word for paper. `batch` is the number of the
    ledger entry that seals it, together with the others of that number in the order of their keys; null before
    version 0.1.
    """

    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="slips")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="slips")
    version = models.PositiveIntegerField()
    client_id = models.UUIDField(unique=True)
    source = models.CharField(max_length=10, choices=SlipSource.choices)
    word = models.CharField(max_length=200, blank=True)
    ref = models.CharField(max_length=20, blank=True)
    direction = models.CharField(max_length=6, blank=True)
    hook = models.CharField(max_length=20, blank=True)
    declared = models.PositiveIntegerField(null=True, blank=True)
    several = models.BooleanField(default=False)
    received_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True, blank=True)
    in_time = models.BooleanField()
    batch = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["turn", "player", "version"], name="one_slip_of_a_version"),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.word} {self.place_text}"

    @property
    def place_text(self) -> str:
        """The reference as it was written, or the crossing letters that stand for it."""
        return self.ref or self.hook.upper()
