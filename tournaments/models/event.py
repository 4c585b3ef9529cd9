from __future__ import annotations

from django.db import models


class Event(models.Model):
    """A club night or a tournament. `code` is what players type to join, `wall_token` opens the wall.

    Of a team the `team_best` players count (all when null), in each game or over all games. `handicap` is
    {"unit": "points" | "percent", "series": {name: n a game}}, empty without one.
    """

    code = models.CharField(max_length=12, unique=True)
    wall_token = models.CharField(max_length=43, unique=True)
    name = models.CharField(max_length=200)
    date = models.DateField()
    place = models.CharField(max_length=200, blank=True)
    language = models.CharField(max_length=8)
    created_at = models.DateTimeField()
    team_best = models.PositiveSmallIntegerField(null=True, blank=True)
    team_of_each_game = models.BooleanField(default=True)
    handicap = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["-date", "-pk"]

    def __str__(self) -> str:
        return self.name


class Room(models.Model):
    """A hall. It has a clock of its own for every turn; a club has one room."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="rooms")
    name = models.CharField(max_length=100)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["event", "name"], name="one_room_of_a_name")]

    def __str__(self) -> str:
        return self.name
