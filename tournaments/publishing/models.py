from __future__ import annotations

from django.conf import settings
from django.db import models

from tournaments.enums import RunState
from tournaments.events.models.event import Event
from tournaments.members.models import Member
from tournaments.seasons.models import EventSummary


class Club(models.Model):
    """The club of this installation, one row: what the head of its pages and its website show.

    `lists_events`: the public list of events exists. `logo` is a PNG or JPEG of at most 900 x 450 pixels, as
    `tournaments.documents.logo` makes it. The website is written into `folder`; with `publishes_all_events` it has all
    finished events, otherwise those whose public page is on.
    """

    name = models.CharField(max_length=200, blank=True)
    language = models.CharField(max_length=8, blank=True)
    about = models.TextField(max_length=2000, blank=True)
    logo = models.BinaryField(blank=True, default=b"")
    lists_events = models.BooleanField(default=False)
    publishes_all_events = models.BooleanField(default=False)
    folder = models.CharField(max_length=500, blank=True)

    def __str__(self) -> str:
        return self.name


class WebsiteRun(models.Model):
    """The last request to write the website, one row. `files` counts the files of the website, `changed` those that
    were written, `removed` those that were deleted; `error` is why it failed. `changed_at` moves while it runs."""

    state = models.CharField(max_length=10, choices=RunState.choices, default=RunState.QUEUED)
    folder = models.CharField(max_length=500)
    requested_at = models.DateTimeField()
    changed_at = models.DateTimeField()
    files = models.PositiveIntegerField(default=0)
    changed = models.PositiveIntegerField(default=0)
    removed = models.PositiveIntegerField(default=0)
    error = models.CharField(max_length=500, blank=True)

    def __str__(self) -> str:
        return f"{self.folder}: {self.state}"


class ApiToken(models.Model):
    """A token for reading by the API. Only its SHA-256 is stored; `revoked_at` makes it void."""

    name = models.CharField(max_length=100)
    token_hash = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True)
    last_used_on = models.DateField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.name


class Webhook(models.Model):
    """An address that is told of placed turns and finished games since `on_since`. `secret` signs the messages."""

    url = models.URLField(max_length=500)
    secret = models.CharField(max_length=64)
    created_at = models.DateTimeField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True)
    is_on = models.BooleanField(default=True)
    on_since = models.DateTimeField()

    def __str__(self) -> str:
        return self.url


class WebhookDelivery(models.Model):
    """A message to an address, tried again at `next_at` until `delivered_at` is set or the tries are used up.

    `key` is unique for a placed turn or a finished game, so that it is queued once. A test message has no event.
    `next_at` is null once the message is delivered or given up. `error` is the reason why the last try failed.
    """

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    event = models.ForeignKey(Event, on_delete=models.CASCADE, null=True, blank=True, related_name="webhook_deliveries")
    kind = models.CharField(max_length=20)
    key = models.CharField(max_length=100)
    body = models.JSONField()
    created_at = models.DateTimeField()
    tries = models.PositiveSmallIntegerField(default=0)
    next_at = models.DateTimeField(null=True, blank=True, db_index=True)
    delivered_at = models.DateTimeField(null=True, blank=True)
    error = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [models.UniqueConstraint(fields=["webhook", "key"], name="one_delivery_of_a_message")]

    def __str__(self) -> str:
        return f"{self.key} to {self.webhook}"


class ResultMail(models.Model):
    """The e-mail with the result of an event to a member, sent at most once; `error` is why it was not.

    `claimed_at` is set before it is handed to the mail server. If that is never followed by `sent_at` or an error, the
    program ended in between, and the e-mail may or may not have been sent.
    """

    summary = models.ForeignKey(EventSummary, on_delete=models.CASCADE, related_name="mails")
    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="mails")
    requested_at = models.DateTimeField()
    claimed_at = models.DateTimeField(null=True, blank=True)
    sent_at = models.DateTimeField(null=True, blank=True)
    error = models.CharField(max_length=300, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["summary", "member"], name="one_mail_an_event_and_member")]

    def __str__(self) -> str:
        return f"{self.summary} to {self.member}"
