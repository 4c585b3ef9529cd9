from __future__ import annotations

from django.db import models

from tournaments.models.event import Room


class FeedLink(models.Model):
    """A room of this event that plays on its own server, elsewhere. Only the SHA-256 of its secret link is kept, null
    once the link is taken back.

    `heard_at` is when that server last asked. Of what it handed in: `handed_in_at`, how many `entries` its ledger had
    and their `head`, its word list, and `claims`: {"turns": {turn: {local table: [result, reason, points]}},
    "words": [[word, ruling, turn]], "waiting": [turn]}, against which the verdicts here are held.
    """

    room = models.OneToOneField(Room, on_delete=models.CASCADE, related_name="feed_link")
    token_hash = models.CharField(max_length=64, unique=True, null=True)  # noqa: DJ001  several are none at all
    made_at = models.DateTimeField()
    heard_at = models.DateTimeField(null=True, blank=True)
    handed_in_at = models.DateTimeField(null=True, blank=True)
    entries = models.PositiveIntegerField(default=0)
    head = models.CharField(max_length=64, blank=True)
    lexicon_sha256 = models.CharField(max_length=64, blank=True)
    claims = models.JSONField(default=dict, blank=True)

    def __str__(self) -> str:
        return f"{self.room}, elsewhere"


class FollowedFeed(models.Model):
    """The line from here to the hall whose racks a game of ours follows.

    `link` is its address, sealed with the key of this installation; `text` the last feed that came (engine.feed), whose
    turns are sealed. `asked_at` and `heard_at`: when the drawing server was last asked, and last answered; `told` is
    what went wrong since. Of our ledger `handed_in` entries are there, since `handed_in_at`, or `refused` says why not;
    `again` says that the drawing server waits for
    the same once more. `given_up_at`: this room plays no further and has handed in for good.
    """

    link = models.CharField(max_length=1000)
    text = models.TextField()
    etag = models.CharField(max_length=80, blank=True)
    asked_at = models.DateTimeField(null=True, blank=True)
    heard_at = models.DateTimeField(null=True, blank=True)
    told = models.CharField(max_length=400, blank=True)
    handed_in = models.PositiveIntegerField(default=0)
    handed_in_at = models.DateTimeField(null=True, blank=True)
    refused = models.CharField(max_length=400, blank=True)
    again = models.BooleanField(default=False)
    given_up_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"line {self.pk}"
