from __future__ import annotations

from django.db import models

from tournaments.members.models import Member
from tournaments.seasons.models import EventSummary


class OpenRating(models.Model):
    """The open rating of a member after an event: mean and standard deviation of the estimated strength.

    A derived value (`engine.ratings`): it is computed again when an earlier result changes. `version` is that of the
    computation, so that ratings of different versions are never mixed.
    """

    summary = models.ForeignKey(EventSummary, on_delete=models.CASCADE, related_name="ratings")
    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="ratings")
    version = models.PositiveSmallIntegerField()
    mean = models.FloatField()
    deviation = models.FloatField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["summary", "member"], name="one_rating_an_event_and_member")]

    def __str__(self) -> str:
        return f"{self.member}: {self.mean:.2f} ± {self.deviation:.2f}"
