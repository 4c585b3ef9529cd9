from __future__ import annotations

from django.db import models

from tournaments.enums import SlipSource
from tournaments.events.models.event import Room
from tournaments.play.models.turn import Turn
from tournaments.players.models import Player
from tournaments.slip_content import SlipContent


class WrittenFields(models.Model):
    """The columns of a `SlipContent`."""

    word = models.CharField(max_length=200, blank=True)
    ref = models.CharField(max_length=20, blank=True)
    direction = models.CharField(max_length=6, blank=True)
    hook = models.CharField(max_length=20, blank=True)
    declared = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        abstract = True

    @property
    def content(self) -> SlipContent:
        """The written fields as one value."""
        return SlipContent(self.word, self.ref, self.declared, self.direction, self.hook)


class Slip(WrittenFields):
    """A slip as the player wrote it. Never changed: a correction is a new version; the newest in time counts.

    `in_time` follows from `received_at` for a phone and is the judge's decision for paper. `sent_at` is the time at
    which a phone sent a slip that was received late, by the phone's clock; `sent_in_time` follows from it. `batch` is
    the number of the ledger entry that seals the slip, together with the others of that number in the order of their
    keys; null before version 0.1. `batch_room` is the room in whose chain that entry is, null for the game's.
    """

    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="slips")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="slips")
    version = models.PositiveIntegerField()
    client_id = models.UUIDField(unique=True)
    source = models.CharField(max_length=10, choices=SlipSource.choices)
    several = models.BooleanField(default=False)
    received_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True, blank=True)
    in_time = models.BooleanField()
    sent_in_time = models.BooleanField(default=False)
    batch = models.PositiveIntegerField(null=True, blank=True)
    batch_room = models.ForeignKey(Room, on_delete=models.PROTECT, null=True, blank=True, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["turn", "player", "version"], name="one_slip_of_a_version"),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.word} {self.place_text}"

    @property
    def place_text(self) -> str:
        """The written reference, or the crossing letters that replace it."""
        return self.ref or self.hook.upper()
