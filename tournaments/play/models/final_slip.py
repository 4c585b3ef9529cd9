from __future__ import annotations

from django.conf import settings
from django.db import models

from tournaments.play.models.turn import Turn
from tournaments.players.models import Player


class FinalSlip(models.Model):
    """The moment from which the slip of a judge who plays along is final, because their desk has shown them the turn.

    `acknowledged`: the judge declared the slip final before the time was up; otherwise the clock had closed.
    """

    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="final_slips")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="final_slips")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    acknowledged = models.BooleanField()
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["turn", "player"], name="one_final_slip_a_turn")]

    def __str__(self) -> str:
        return f"{self.player} in {self.turn}"
