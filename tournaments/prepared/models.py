from __future__ import annotations

from django.conf import settings
from django.db import models

from tournaments.enums import PreparationState, ScriptKind


class PreparedGame(models.Model):
    """A whole game prepared in advance, to be played in any number of events or in solo practice.

    `script` (engine.prepared.script.Script) is secret: no page or message shows any of it before the turn is played,
    except to a user who opens it. It is null while the game is being generated. `order` holds the settings: edition,
    rules, variant, seconds of a turn, word list, wishes, the secret of the seeds, the judge's choices. `acts` lists
    who opened, printed, saved or changed it, and when: [{"at", "by", "kind"}]. `progress` counts to 100.
    """

    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="prepared_games")
    kind = models.CharField(max_length=10, choices=ScriptKind.choices)
    title = models.CharField(max_length=200)
    created_at = models.DateTimeField()
    state = models.CharField(max_length=10, choices=PreparationState.choices, default=PreparationState.MAKING)
    progress = models.PositiveSmallIntegerField(default=0)
    error = models.CharField(max_length=400, blank=True)
    order = models.JSONField(default=dict)
    script = models.JSONField(null=True)
    acts = models.JSONField(default=list, blank=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.title


class PracticeLink(models.Model):
    """A public address for playing a game alone. `token` is secret to those who do not have the link."""

    prepared = models.ForeignKey(PreparedGame, on_delete=models.CASCADE, related_name="practice_links")
    token = models.CharField(max_length=43, unique=True)
    made_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.prepared}"


class Practice(models.Model):
    """A practice game of one person. `key_hash` is the SHA-256 of the key in the browser.

    `turn` counts from 1, 0 before the first; its clock runs from `started_at` to `deadline` (UTC). `results` has an
    entry for every finished turn: {"word", "ref", "declared", "result", "reason", "points", "warnings", "penalty",
    "bonus", "text"}.
    """

    link = models.ForeignKey(PracticeLink, on_delete=models.CASCADE, related_name="practices")
    key_hash = models.CharField(max_length=64, unique=True)
    name = models.CharField(max_length=200, blank=True)
    begun_at = models.DateTimeField()
    turn = models.PositiveIntegerField(default=0)
    started_at = models.DateTimeField(null=True, blank=True)
    deadline = models.DateTimeField(null=True, blank=True)
    results = models.JSONField(default=list, blank=True)

    def __str__(self) -> str:
        return f"{self.name}: {self.link}"
