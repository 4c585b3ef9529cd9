from __future__ import annotations

from django.db import models

from tournaments.members.models import Member
from tournaments.seasons.models import EventSummary


class OpenRating(models.Model):
    """Ratings of a member after an event: the open rating, and the scores of the event from which the form follows.

    Derived values (`engine.ratings`): they are computed again when an earlier result changes. `mean` and `deviation`
    are those of the open rating. `games` is the number of games that have counted so far. `scores` are the games of
    this event in their order: [points without handicap, sum of tops]. `version` is that of the computation, so that
    ratings of different versions are never mixed.
    """

    summary = models.ForeignKey(EventSummary, on_delete=models.CASCADE, related_name="ratings")
    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="ratings")
    version = models.PositiveSmallIntegerField()
    mean = models.FloatField()
    deviation = models.FloatField()
    games = models.PositiveIntegerField(default=0)
    scores = models.JSONField(default=list)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["summary", "member"], name="one_rating_an_event_and_member")]

    def __str__(self) -> str:
        return f"{self.member}: {self.mean:.2f} ± {self.deviation:.2f}"


class RatingRun(models.Model):
    """The last computation of all ratings; there is one row.

    `state` changes with everything on which ratings depend. `days` are the dates of the rated games in their order,
    each with the fingerprint of all games until then: [["2026-01-09", hash], ...]. The first difference is the day
    from which ratings are computed again.
    """

    state = models.CharField(max_length=64, blank=True)
    days = models.JSONField(default=list)

    def __str__(self) -> str:
        return self.state


class ExportTemplate(models.Model):
    """The form of a file with results, for a federation: its columns, and how the text is written.

    `columns` are pairs [column, heading] in their order; the columns are those of `referee.results.template_columns`.
    A file `for_rating` has no handicap points: points and ranks are those without them.
    """

    class Encoding(models.TextChoices):
        UTF_8 = "utf-8", "UTF-8"
        UTF_8_MARK = "utf-8-sig", "UTF-8 (BOM)"
        LATIN_1 = "latin-1", "Latin-1 (ISO 8859-1)"
        WINDOWS = "cp1252", "Windows-1252"

    name = models.CharField(max_length=100, unique=True)
    columns = models.JSONField(default=list)
    separator = models.CharField(max_length=1, default=";")
    encoding = models.CharField(max_length=10, choices=Encoding.choices, default=Encoding.UTF_8)
    decimal_sign = models.CharField(max_length=1, default=".")
    with_header = models.BooleanField(default=True)
    line_end = models.CharField(max_length=2, default="\r\n")
    line_for_each_game = models.BooleanField(default=False)
    for_rating = models.BooleanField(default=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name
