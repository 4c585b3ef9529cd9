from __future__ import annotations

from django.db import models


class Event(models.Model):
    """A club night or a tournament. `code` is what players type to join; `wall_token` opens the wall.

    In the team standings the `team_best` players of a team count (all when null), in each game or over all games.
    `handicap` is {"unit": "points" | "percent", "series": {name: n a game}}, empty without one. Only a rehearsal may
    be played by simulated phones. With `seat_codes` a phone needs the code that is printed for its table; with
    `listed_only` phones create no new players; with `members_may_join` a phone finds members of the club who are not on
    the list of players; with `double_typing` each paper slip is typed by two people.

    Names are stored for `keep_days` after the date: 0 means for good, null means settings.RETENTION_DAYS.
    `forgotten_at` is when they were removed. `ledger_has_names` marks ledgers of an older version, whose entries
    cannot be changed and still hold names. With `anonymous_judging` judges see neither names nor tables of slips until
    the move is placed. `spot_check` is the percentage of the clear slips that a person checks, 0 for none. With
    `season_on_wall` the wall shows the first ranking of the season between turns.
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
    seat_codes = models.BooleanField(default=False)
    listed_only = models.BooleanField(default=False)
    members_may_join = models.BooleanField(default=False)
    double_typing = models.BooleanField(default=False)
    is_rehearsal = models.BooleanField(default=False)
    keep_days = models.PositiveIntegerField(null=True, blank=True)
    forgotten_at = models.DateTimeField(null=True, blank=True)
    ledger_has_names = models.BooleanField(default=False)
    anonymous_judging = models.BooleanField(default=False)
    spot_check = models.PositiveSmallIntegerField(default=0)
    season_on_wall = models.BooleanField(default=False)

    class Meta:
        ordering = ["-date", "-pk"]

    def __str__(self) -> str:
        return self.name


class Room(models.Model):
    """A room of an event, with its own clock for every turn; a club has one room.

    `number` counts from 1 within the event and is never reused. Number 1 is the drawing room, whose turns are the
    script of the game. The other rooms follow it: automatically `offset_s` seconds after its announcement, manually
    when null. `wall_token` opens the wall of a room that follows; the drawing room uses the token of the event. `seq`
    grows with every change that only this room can see.
    """

    DRAWING = 1

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="rooms")
    number = models.PositiveIntegerField(default=DRAWING)
    name = models.CharField(max_length=100)
    offset_s = models.PositiveIntegerField(null=True, blank=True)
    wall_token = models.CharField(max_length=43, unique=True, null=True, blank=True)
    seq = models.PositiveBigIntegerField(default=0)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["event", "name"], name="one_room_of_a_name"),
            models.UniqueConstraint(fields=["event", "number"], name="one_room_of_a_number"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_drawing(self) -> bool:
        """Return True where racks are drawn and master moves placed."""
        return self.number == self.DRAWING
