from __future__ import annotations

from django.conf import settings
from django.db import models

from tournaments.enums import GivenCode, Ruling
from tournaments.models.event import Event
from tournaments.models.game import Game
from tournaments.models.player import Player
from tournaments.models.turn import Turn


class WordRuling(models.Model):
    """A word accepted or struck, remembered for the event. It counts from `from_turn` of `game` on.

    `agreed`: it is one of the list of words that was agreed for the event.
    `ruled_in`, only of one that was made when that turn was on the board already: the turn that was to be placed next,
    so the first one whose master move was chosen with it.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="word_rulings")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="word_rulings")
    word = models.CharField(max_length=60)
    ruling = models.CharField(max_length=10, choices=Ruling.choices)
    from_turn = models.PositiveIntegerField()
    ruled_in = models.PositiveIntegerField(null=True, blank=True)
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
    """The judge's own decision on a group of identical slips of a turn, instead of the one by rule.

    `again`: decided when the move of the turn was on the board already; it counts for the players, and the one before,
    with which the move was chosen, stays. `by_rule`, only of such a one: the rule decides again, `points` mean nothing.
    """

    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="slip_rulings")
    group = models.CharField(max_length=64)
    points = models.PositiveIntegerField()
    again = models.BooleanField(default=False)
    by_rule = models.BooleanField(default=False)
    reason = models.CharField(max_length=300)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True)
    at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.turn}: {self.points}"


class GivenWarning(models.Model):
    """A warning that the judge gives a player in a turn. One that is taken back stays, with the time of it."""

    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="given_warnings")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="given_warnings")
    code = models.CharField(max_length=20, choices=GivenCode.choices)
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
