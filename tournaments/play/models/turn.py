from __future__ import annotations

from django.db import models

from tournaments.enums import ChosenBy, ClockState
from tournaments.events.models.event import Room
from tournaments.play.models.game import Game


class Turn(models.Model):
    """A rack, its tops and the master move. `board` (before the turn) and the tops are caches that `verify` checks.

    Racks are tile text in the order of the edition. `tops` is a list of {"word", "ref", "score", "why"} in the order
    of preference, null until the search is done. `master_*` stay empty until the move is placed.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="turns")
    number = models.PositiveIntegerField()
    kept = models.CharField(max_length=60, blank=True)
    rejected = models.JSONField(default=list, blank=True)
    rack = models.CharField(max_length=60)
    board = models.JSONField()
    top = models.PositiveIntegerField(null=True, blank=True)
    tops = models.JSONField(null=True, blank=True)
    master_word = models.CharField(max_length=60, blank=True)
    master_ref = models.CharField(max_length=3, blank=True)
    master_score = models.PositiveIntegerField(null=True, blank=True)
    master_chosen_by = models.CharField(max_length=10, choices=ChosenBy.choices, blank=True)
    master_why = models.CharField(max_length=300, blank=True)
    solo = models.PositiveIntegerField(null=True, blank=True)
    drawn_at = models.DateTimeField()
    placed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["game", "number"], name="one_turn_of_a_number")]

    def __str__(self) -> str:
        return f"{self.game}, turn {self.number}"


class TurnClock(models.Model):
    """The clock of a room in a turn. It does not tick: its display follows from these times (engine.play.clock).

    `judged`: the stored verdicts follow the slips of the room; a closed clock without it waits for
    `tournaments.judging.services.closed_rooms`. `shown_at` is when the move, verdicts and points of the turn were shown
    in the room; until then they are secret there.
    """

    room = models.ForeignKey(Room, on_delete=models.CASCADE, related_name="clocks")
    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="clocks")
    state = models.CharField(max_length=10, choices=ClockState.choices, default=ClockState.READY)
    started_at = models.DateTimeField(null=True, blank=True)
    deadline = models.DateTimeField(null=True, blank=True)
    paused_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    grace_ms = models.PositiveIntegerField(default=1000)
    judged = models.BooleanField(default=False)
    shown_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["room", "turn"], name="one_clock_a_room_and_turn")]
        indexes = [
            models.Index(fields=["room"], condition=models.Q(shown_at=None), name="clocks_not_shown"),
            models.Index(fields=["turn"], condition=models.Q(state="closed", judged=False), name="clocks_not_judged"),
            models.Index(fields=["deadline"], condition=models.Q(state="open"), name="clocks_running"),
        ]

    def __str__(self) -> str:
        return f"{self.turn} in {self.room}: {self.state}"
