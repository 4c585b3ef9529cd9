from __future__ import annotations

from django.db import models

from tournaments.events.models.event import Room
from tournaments.play.models.game import Game


class LedgerEntry(models.Model):
    """An act in a game; the hash of each entry includes that of the one before (`engine.archive.ledger`).

    A game has a chain of its own, and one for each room that follows: `room` is null in the chain of the game. `n` is
    the number of the entry in its chain. The first entry of a room's chain names one of the game's, and the game's
    chain seals those of the rooms.

    The table is append-only by database triggers (`tournaments.ledger.append_only`), so a game with entries cannot be
    deleted. `data` names players by their tables only, so that players can be anonymised without breaking the chain.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="ledger")
    room = models.ForeignKey(Room, on_delete=models.PROTECT, null=True, blank=True, related_name="ledger")
    n = models.PositiveIntegerField()
    at = models.DateTimeField()
    kind = models.CharField(max_length=30)
    by = models.CharField(max_length=150)
    data = models.JSONField()
    hash = models.CharField(max_length=64)

    class Meta:
        ordering = ["n"]
        constraints = [
            models.UniqueConstraint(
                fields=["game", "n"], condition=models.Q(room=None), name="one_ledger_entry_of_a_number"
            ),
            models.UniqueConstraint(fields=["game", "room", "n"], name="one_room_entry_of_a_number"),
        ]

    def __str__(self) -> str:
        return f"{self.n} {self.kind}"
