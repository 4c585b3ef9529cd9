from __future__ import annotations

from django.conf import settings
from django.db import models

from tournaments.enums import ReturnCounts, ReturnFault, ReturnState


class Simultaneous(models.Model):
    """A simultaneous game at the hub: one or more prepared games for many clubs in one time window.

    `package_id` names it in packages and returns, `token` is its public address. `content_key` (hex) opens the sealed
    `games` (engine.simultaneous.sealing.SealedGame), and both are secret. `ranking`
    (engine.simultaneous.ranking.CommonRanking) is derived from the returns that count, null until it is computed;
    nobody but the organiser may see it before `embargo_until`.
    """

    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="simultaneous_games")
    title = models.CharField(max_length=200)
    note = models.TextField(max_length=4000, blank=True)
    package_id = models.CharField(max_length=32, unique=True)
    token = models.CharField(max_length=43, unique=True)
    content_key = models.CharField(max_length=64)
    games = models.JSONField(default=list)
    opens_at = models.DateTimeField()
    closes_at = models.DateTimeField()
    embargo_until = models.DateTimeField()
    created_at = models.DateTimeField()
    ranking = models.JSONField(null=True)
    ranked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-opens_at", "-pk"]

    def __str__(self) -> str:
        return self.title


class SimultaneousGame(models.Model):
    """One prepared game of a simultaneous game. `comments`: the commentator's text by number of the turn."""

    simultaneous = models.ForeignKey(Simultaneous, on_delete=models.CASCADE, related_name="prepared_games")
    number = models.PositiveSmallIntegerField()
    prepared = models.ForeignKey("tournaments.PreparedGame", on_delete=models.PROTECT, related_name="simultaneous")
    comments = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["simultaneous", "number"], name="one_game_a_number"),
        ]

    def __str__(self) -> str:
        return f"{self.simultaneous}, {self.number}"


class InvitedClub(models.Model):
    """A club that may play. `start_code` opens the package, and `return_key` (hex) seals the return of the club."""

    simultaneous = models.ForeignKey(Simultaneous, on_delete=models.CASCADE, related_name="clubs")
    number = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=200)
    start_code = models.CharField(max_length=30)
    return_key = models.CharField(max_length=64)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["simultaneous", "number"], name="one_club_a_number"),
        ]

    def __str__(self) -> str:
        return self.name


class ClubReturn(models.Model):
    """A file that was returned; it is kept whatever it is. `content` is the file, gzipped, `sha256` of the file itself.

    `club` is null where the file does not prove its club. `report` (list of engine.simultaneous.rejudging.GameReport)
    and `signals` are derived from the file; `error` says why it could not be judged. `acts` lists what the organiser
    decided: [{"at", "by", "kind"}].
    """

    simultaneous = models.ForeignKey(Simultaneous, on_delete=models.CASCADE, related_name="returns")
    club = models.ForeignKey(InvitedClub, on_delete=models.CASCADE, null=True, blank=True, related_name="returns")
    received_at = models.DateTimeField()
    content = models.BinaryField()
    sha256 = models.CharField(max_length=64)
    fault = models.CharField(max_length=10, choices=ReturnFault.choices, blank=True)
    altered_part = models.PositiveSmallIntegerField(default=0)
    state = models.CharField(max_length=10, choices=ReturnState.choices, default=ReturnState.WAITING)
    counts = models.CharField(max_length=10, choices=ReturnCounts.choices)
    players = models.PositiveIntegerField(default=0)
    differences = models.PositiveIntegerField(default=0)
    report = models.JSONField(null=True)
    signals = models.JSONField(default=list, blank=True)
    error = models.CharField(max_length=400, blank=True)
    acts = models.JSONField(default=list, blank=True)

    class Meta:
        ordering = ["-received_at", "-pk"]
        indexes = [models.Index(fields=["simultaneous", "state"], name="waiting_returns")]

    def __str__(self) -> str:
        return f"{self.club or '?'}: {self.simultaneous}"


class OpenedPackage(models.Model):
    """A package that this club has opened to play. `hub` is the address for the return, or empty.

    `return_key` (hex) seals the return. `prepared` are its sealed games in their order, `event` is where they are
    played. `answer` is what the hub said about the last return.
    """

    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="opened_packages")
    package_id = models.CharField(max_length=32)
    title = models.CharField(max_length=200)
    note = models.TextField(max_length=4000, blank=True)
    hub = models.CharField(max_length=500, blank=True)
    opens_at = models.DateTimeField()
    closes_at = models.DateTimeField()
    embargo_until = models.DateTimeField()
    club_number = models.PositiveSmallIntegerField()
    club_name = models.CharField(max_length=200)
    return_key = models.CharField(max_length=64)
    prepared = models.ManyToManyField("tournaments.PreparedGame", related_name="opened_from")
    event = models.ForeignKey("tournaments.Event", on_delete=models.SET_NULL, null=True, related_name="+")
    opened_at = models.DateTimeField()
    returned_at = models.DateTimeField(null=True, blank=True)
    answer = models.CharField(max_length=400, blank=True)

    class Meta:
        ordering = ["-opened_at", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["package_id", "club_number"], name="a_package_is_opened_once"),
        ]

    def __str__(self) -> str:
        return self.title
