from __future__ import annotations

from django.db import models

from tournaments.play.models.slip import Slip
from tournaments.play.models.turn import Turn
from tournaments.players.models import Player


class Verdict(models.Model):
    """A player's result in a turn, derived from slips and rulings; always replaced as a whole, never patched.

    `slip` is null if the player handed in nothing. `group` is the key of identical slips. `details` holds further
    values of the verdict's sentence; `move_*` is the move that counts, empty without one.
    """

    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="verdicts")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="verdicts")
    slip = models.ForeignKey(Slip, on_delete=models.CASCADE, null=True, blank=True, related_name="verdicts")
    group = models.CharField(max_length=64)
    result = models.CharField(max_length=10)
    reason = models.CharField(max_length=40, blank=True)
    points = models.PositiveIntegerField()
    move_score = models.PositiveIntegerField(null=True, blank=True)
    warnings = models.JSONField(default=list, blank=True)
    penalty = models.PositiveIntegerField(default=0)
    bonus = models.PositiveIntegerField(default=0)
    word = models.CharField(max_length=200, blank=True)
    rule = models.CharField(max_length=100, blank=True)
    details = models.JSONField(default=dict, blank=True)
    move_word = models.CharField(max_length=60, blank=True)
    move_ref = models.CharField(max_length=3, blank=True)
    decided_by = models.CharField(max_length=10)
    decision_reason = models.CharField(max_length=300, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["turn", "player"], name="one_verdict_a_player_and_turn")]

    def __str__(self) -> str:
        return f"{self.player}: {self.points}"
