from __future__ import annotations

from django.conf import settings
from django.db import models

from tournaments.enums import AppealState, SlipSource
from tournaments.models.player import Player
from tournaments.models.slip import Slip
from tournaments.models.turn import Turn


class Appeal(models.Model):
    """A player does not agree with what his slip got in a turn that is on the board. One a slip.

    It came from his phone under the phone's own id, or was on paper and typed `by` somebody at the desk. `points` are
    those that the slip had then, `entry` is the number of the ledger entry that tells of it; `answer_entry` that of
    the answer, which for one that was upheld may be the ruling.
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
