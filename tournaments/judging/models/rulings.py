from __future__ import annotations

from django.conf import settings
from django.db import models

from tournaments.enums import JudgeWarningCode, Ruling
from tournaments.events.models.event import Event
from tournaments.play.models.game import Game
from tournaments.play.models.turn import Turn
from tournaments.players.models import Player


class WordRuling(models.Model):
    """A ruling that accepts or strikes a word, as of `from_turn` of `game` and for later games of the event.

    `agreed`: the word is on the list agreed for the event. `known_since`: number of the first turn whose master move is
    chosen with the ruling: `from_turn`, or a later one if `from_turn` was placed before the ruling.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="word_rulings")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="word_rulings")
    word = models.CharField(max_length=60)
    ruling = models.CharField(max_length=10, choices=Ruling.choices)
    from_turn = models.PositiveIntegerField()
    known_since = models.PositiveIntegerField()
    agreed = models.BooleanField(default=False)
    reason = models.CharField(max_length=300)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True)
    at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.word}: {self.ruling}"


class SlipRuling(models.Model):
    """A judge's decision on a group of identical slips of a turn, in place of the verdict by rule.

    `points`: None if the verdict by rule counts again. `known_since`: number of the first turn whose master move is
    chosen with the decision: the turn itself, or a later one if it was placed before the decision.
    """

    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="slip_rulings")
    group = models.CharField(max_length=64)
    points = models.PositiveIntegerField(null=True, blank=True)
    known_since = models.PositiveIntegerField()
    reason = models.CharField(max_length=300)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True)
    at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.turn}: {self.points}"


class GivenWarning(models.Model):
    """A warning that a judge gives a player in a turn. A revoked warning stays stored with `revoked_at`."""

    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="given_warnings")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="given_warnings")
    code = models.CharField(max_length=20, choices=JudgeWarningCode.choices)
    reason = models.CharField(max_length=300, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True)
    at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["turn", "player", "code"],
                condition=models.Q(revoked_at=None),
                name="one_standing_warning_of_a_code",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.code}"
