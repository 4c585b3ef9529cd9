from __future__ import annotations

from django.conf import settings
from django.db import models

from tournaments.enums import AppealState, SlipSource
from tournaments.play.models.slip import Slip
from tournaments.play.models.turn import Turn
from tournaments.players.models import Player


class Appeal(models.Model):
    """A player's appeal against the verdict on a slip of a placed turn; one for each slip.

    It comes from the phone with the phone's `client_id`, or on paper and is typed `by` a user at the desk. `points`: of
    the slip at that time. `entry`: number of the ledger entry of the appeal; `answer_entry`: of the answer, or of the
    ruling that upheld it.
    """

    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="appeals")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="appeals")
    slip = models.ForeignKey(Slip, on_delete=models.CASCADE, related_name="appeals")
    client_id = models.UUIDField(unique=True)
    source = models.CharField(max_length=10, choices=SlipSource.choices)
    sentence = models.CharField(max_length=300, blank=True)
    points = models.PositiveIntegerField()
    made_at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    entry = models.PositiveIntegerField()
    state = models.CharField(max_length=10, choices=AppealState.choices, default=AppealState.OPEN)
    answer = models.CharField(max_length=300, blank=True)
    answered_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    answered_at = models.DateTimeField(null=True, blank=True)
    answer_entry = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["turn", "player"], name="one_appeal_a_slip")]

    def __str__(self) -> str:
        return f"{self.player}, {self.turn}: {self.state}"
