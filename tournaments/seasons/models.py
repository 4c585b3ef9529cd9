from __future__ import annotations

from django.db import models

from tournaments.events.models.event import Event
from tournaments.members.models import Member
from tournaments.players.models import Player

IN_PLAY = "in play"
"""State of the stored results of an event that goes on after it was finished."""


class FinishedEvents(models.Manager["EventSummary"]):
    """The events whose results may be shown."""

    def get_queryset(self) -> models.QuerySet[EventSummary]:
        """Leave out the events that go on."""
        return super().get_queryset().exclude(state=IN_PLAY)


class EventSummary(models.Model):
    """The results of an event, stored so that seasons and histories need not read its slips.

    The summary of an event in this installation is derived: `state` tells for which state of its games
    (`tournaments.seasons.services.summaries`), and it is replaced as a whole when that changes. An event that goes on
    has no results but keeps its summary (`IN_PLAY`), since a season may count it by hand and e-mails with results may
    have been sent; `objects` leaves it out. A summary without an event is an earlier evening that was imported from a
    spreadsheet or an archive; `source` is then the name of the file. `tops` is the sum of tops, 0 where a spreadsheet
    had none. `games` is the number of games.
    """

    event = models.OneToOneField(Event, on_delete=models.CASCADE, null=True, blank=True, related_name="summary")
    name = models.CharField(max_length=200)
    date = models.DateField(db_index=True)
    state = models.CharField(max_length=300, blank=True)
    source = models.CharField(max_length=200, blank=True)
    tops = models.PositiveIntegerField(default=0)
    turns = models.PositiveIntegerField(default=0)
    games = models.PositiveSmallIntegerField(default=1)

    objects = FinishedEvents()
    with_events_in_play: models.Manager[EventSummary] = models.Manager()

    class Meta:
        ordering = ["date", "pk"]

    def __str__(self) -> str:
        return f"{self.date} {self.name}"


class PlayerResult(models.Model):
    """Result of a player in an event: of `player` in an event of this installation, else of `member` or of a person
    with this `name` in an imported one.

    `rank` is null for a disqualified player. `points` include the `handicap`. `games` has one entry for each game:
    {"number", "points", "tops", "rank", "presence"}, points and rank without handicap, and "started_at" (start of the
    first turn) in one that was imported from an archive. `category`, `club` and `team`
    are those of that day. `best_word` is the word with the most points on the board and `best_points` its score.
    `best_words` are the best five, each {"word", "ref", "points", "tiles", "game", "turn", "solo"}, and `longest_word`
    is the one with most tiles (`longest_tiles`) in the same form; both are empty in an imported result.
    """

    summary = models.ForeignKey(EventSummary, on_delete=models.CASCADE, related_name="results")
    player = models.OneToOneField(Player, on_delete=models.CASCADE, null=True, blank=True, related_name="result")
    member = models.ForeignKey(
        Member, on_delete=models.SET_NULL, null=True, blank=True, related_name="imported_results"
    )
    name = models.CharField(max_length=200, blank=True)
    licence = models.CharField(max_length=50, blank=True)
    club = models.CharField(max_length=200, blank=True)
    rank = models.PositiveIntegerField(null=True, blank=True)
    points = models.IntegerField()
    handicap = models.IntegerField(default=0)
    solos = models.PositiveSmallIntegerField(default=0)
    tops_found = models.PositiveSmallIntegerField(default=0)
    best_word = models.CharField(max_length=60, blank=True)
    best_points = models.IntegerField(default=0)
    best_words = models.JSONField(default=list)
    longest_word = models.JSONField(default=dict)
    longest_tiles = models.PositiveSmallIntegerField(default=0)
    games = models.JSONField(default=list)

    class Meta:
        ordering = ["summary", "rank", "pk"]

    def __str__(self) -> str:
        return f"{self.name}: {self.points}"


class Season(models.Model):
    """A season: the events from `starts` to `ends` (both included) whose name contains `name_contains`."""

    name = models.CharField(max_length=100, unique=True)
    starts = models.DateField()
    ends = models.DateField()
    name_contains = models.CharField(max_length=100, blank=True)

    class Meta:
        ordering = ["-starts", "-pk"]

    def __str__(self) -> str:
        return self.name


class SeasonException(models.Model):
    """An event that counts for a season, or does not, whatever the season's dates say."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="exceptions")
    summary = models.ForeignKey(EventSummary, on_delete=models.CASCADE, related_name="exceptions")
    counts = models.BooleanField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["season", "summary"], name="one_exception_a_season_and_event")]

    def __str__(self) -> str:
        return f"{self.summary} counts: {self.counts}"


class Ranking(models.Model):
    """A ranking of a season. `rule` is read by `engine.seasons.ranking_rule`; the ranking of position 0 is shown
    first, also on the wall."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="rankings")
    position = models.PositiveSmallIntegerField(default=0)
    name = models.CharField(max_length=100)
    rule = models.JSONField(default=dict)

    class Meta:
        ordering = ["position", "pk"]

    def __str__(self) -> str:
        return self.name
