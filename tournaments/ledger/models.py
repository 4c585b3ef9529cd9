from __future__ import annotations

from django.db import models

from tournaments.play.models.game import Game


class LedgerEntry(models.Model):
    """An act in a game; the hash of each entry includes that of the one before (`engine.archive.ledger`).

    The table is append-only by database triggers (`tournaments.ledger.append_only`), so a game with entries cannot be
    deleted. `data` names players by their tables only, so that players can be anonymised without breaking the chain.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="ledger")
    n = models.PositiveIntegerField()
    at = models.DateTimeField()
    kind = models.CharField(max_length=30)
    by = models.CharField(max_length=150)
    data = models.JSONField()
    hash = models.CharField(max_length=64)

    class Meta:
        ordering = ["n"]
        constraints = [models.UniqueConstraint(fields=["game", "n"], name="one_ledger_entry_of_a_number")]

    def __str__(self) -> str:
        return f"{self.n} {self.kind}"
