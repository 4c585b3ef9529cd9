from __future__ import annotations

from django.db import models

from tournaments.models.game import Game


class LedgerEntry(models.Model):
    """What was done in a game, in order, each entry sealed with the one before (engine.ledger).

    Append only: triggers of the database refuse everything else (`tournaments.append_only`), so a game with entries
    cannot be deleted. `data` names players by their tables alone, that a player can be forgotten and the chain holds.
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
