from __future__ import annotations

from django.db import models

from tournaments.enums import DocumentState
from tournaments.events.models.event import Event, Room
from tournaments.play.models.game import Game


class Document(models.Model):
    """A requested sheet. `path` is below the data folder; `progress` is from 0 to 100.

    Kinds and the meaning of `choice` are defined in `referee/pdf/catalogue.py`; for standings, `choice` is a
    `tournaments.results.queries.event_results.Choice`. The sheet has the data that may be shown in its `room`.
    `worked_at` is the last sign of the worker that makes it, by the clock of the database; `restarts` counts the
    workers that ended before it was finished.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="documents")
    room = models.ForeignKey(Room, on_delete=models.CASCADE, related_name="documents")
    kind = models.CharField(max_length=20)
    choice = models.CharField(max_length=40, blank=True)
    language = models.CharField(max_length=8)
    paper = models.CharField(max_length=10, default="a4")
    state = models.CharField(max_length=10, choices=DocumentState.choices, default=DocumentState.QUEUED)
    progress = models.PositiveSmallIntegerField(default=0)
    path = models.CharField(max_length=300, blank=True)
    error = models.CharField(max_length=300, blank=True)
    asked_at = models.DateTimeField()
    done_at = models.DateTimeField(null=True, blank=True)
    worked_at = models.DateTimeField(null=True, blank=True)
    restarts = models.PositiveSmallIntegerField(default=0, db_default=0)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.game}: {self.kind}"


class Letterhead(models.Model):
    """Logo and texts of the organiser on the sheets of an event.

    `logo` is a picture written by `tournaments.documents.logo`, empty without one.
    """

    event = models.OneToOneField(Event, on_delete=models.CASCADE, related_name="letterhead")
    logo = models.BinaryField(blank=True, default=b"")
    venue = models.CharField(max_length=200, blank=True)
    sponsor = models.CharField(max_length=200, blank=True)
    certificate_text = models.CharField(max_length=400, blank=True)

    def __str__(self) -> str:
        return f"{self.event}: letterhead"
