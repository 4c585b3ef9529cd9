from __future__ import annotations

from django.db import models

from tournaments.models.event import Event, Room


class Player(models.Model):
    """Who sits at a table. `token_hash` is the SHA-256 of the token in the player's phone, empty without a phone."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="players")
    room = models.ForeignKey(Room, on_delete=models.PROTECT, related_name="players")
    table = models.PositiveIntegerField()
    name = models.CharField(max_length=200)
    club = models.CharField(max_length=200, blank=True)
    series = models.CharField(max_length=50, blank=True)
    age_class = models.CharField(max_length=50, blank=True)
    country = models.CharField(max_length=50, blank=True)
    team = models.CharField(max_length=200, blank=True)
    token_hash = models.CharField(max_length=64, blank=True, db_index=True)
    joined_at = models.DateTimeField()

    class Meta:
        ordering = ["table"]
        constraints = [models.UniqueConstraint(fields=["event", "table"], name="one_player_a_table")]

    def __str__(self) -> str:
        return f"{self.table} {self.name}"
