"""Webhooks: addresses, and messages in a queue from which a sender takes one at a time.

A message is queued once for each address, by its key. It is sent until the address accepts it; after a crash it may be
sent twice, with the same key.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db.models import F
from django.utils.translation import gettext as _

from tournaments import signals
from tournaments.errors import Refused
from tournaments.models import Game, Webhook, WebhookDelivery
from tournaments.publishing.queries.webhooks import (
    RECENT,
    TEST,
    News,
    build_bodies,
    build_test_body,
    list_news,
    list_queued,
)
from tournaments.publishing.webhook_targets import read_target

MOST_WEBHOOKS = 10
RETRY_AFTER = (
    *(timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=30)),
    *(timedelta(hours=2), timedelta(hours=6), timedelta(hours=12), timedelta(hours=24)),
)
MOST_TRIES = len(RETRY_AFTER) + 1
KEPT = timedelta(days=30)
_CLAIM = timedelta(minutes=1)


def add_webhook(*, url: str, secret: str, by: User, now: datetime) -> Webhook:
    """Tell this address of turns and games from now on."""
    url = url.strip()
    read_target(url)
    if Webhook.objects.count() >= MOST_WEBHOOKS:
        raise Refused(_("There are %d addresses: delete one that is not used any more.") % MOST_WEBHOOKS)
    if Webhook.objects.filter(url=url).exists():
        raise Refused(_("This address is in the list already."))
    return Webhook.objects.create(url=url, secret=secret, created_at=now, created_by=by, on_since=now)


def set_webhook_on(*, pk: int, is_on: bool, now: datetime) -> Webhook:
    """Switch an address on or off. What happens while it is off is not told later."""
    webhook = _get_webhook(pk)
    if webhook.is_on != is_on:
        webhook.is_on, webhook.on_since = is_on, now
        webhook.save(update_fields=["is_on", "on_since"])
        signals.send_message_queued()
    return webhook


def delete_webhook(*, pk: int) -> None:
    """Delete an address and its messages."""
    _get_webhook(pk).delete()


def queue_test(*, pk: int, now: datetime) -> WebhookDelivery:
    """Queue a test message."""
    webhook = _get_webhook(pk)
    if not webhook.is_on:
        raise Refused(_("The address is switched off: switch it on first."))
    key = f"test.{now.timestamp():.3f}"
    delivery = WebhookDelivery.objects.create(
        webhook=webhook, kind=TEST, key=key, body=build_test_body(key), created_at=now, next_at=now
    )
    signals.send_message_queued()
    return delivery


def retry_delivery(*, pk: int, now: datetime) -> None:
    """Try a message again now, with all tries."""
    given_up = WebhookDelivery.objects.filter(pk=pk, delivered_at=None).exclude(error="")
    if not given_up.update(next_at=now, tries=0):
        raise Refused(_("This message is not waiting: load the page again."))
    signals.send_message_queued()


def queue_messages(*, now: datetime) -> int:
    """Queue a message for each placed turn and finished game of the last seven days that may be told and is not queued;
    return their number. Called after each change and at the start, so that a crash loses none."""
    webhooks = list(Webhook.objects.filter(is_on=True))
    if not webhooks:
        return 0
    news = list_news(max(now - RECENT, min(each.on_since for each in webhooks)))
    queued = list_queued([each.key for each in news])
    wanted = {
        webhook: [each for each in news if each.at >= webhook.on_since and (webhook.pk, each.key) not in queued]
        for webhook in webhooks
    }
    new = list(dict.fromkeys(each for some in wanted.values() for each in some))
    bodies = _bodies(new, now)
    events = dict(Game.objects.filter(pk__in={each.game for each in new}).values_list("pk", "event"))
    rows = [
        WebhookDelivery(
            webhook=webhook,
            event_id=events[each.game],
            kind=bodies[each.key][0],
            key=each.key,
            body=bodies[each.key][1],
            created_at=now,
            next_at=now,
        )
        for webhook, some in wanted.items()
        for each in some
        if each.key in bodies
    ]
    if rows:
        WebhookDelivery.objects.bulk_create(rows, ignore_conflicts=True)
        WebhookDelivery.objects.filter(created_at__lt=now - KEPT, next_at=None).delete()
    return len(rows)


def has_due_delivery(now: datetime) -> bool:
    """Return True if a message is to be sent."""
    return WebhookDelivery.objects.filter(webhook__is_on=True, next_at__lte=now).exists()


def claim_delivery(*, now: datetime, except_for: Collection[int] = ()) -> WebhookDelivery | None:
    """Take the next message that is due and count a try; of several processes only one gets it. If the process dies, it
    is due again a minute later. `except_for` are webhooks to leave out."""
    due = WebhookDelivery.objects.filter(webhook__is_on=True, next_at__lte=now).exclude(webhook__in=except_for)
    while (found := due.select_related("webhook").order_by("next_at", "pk").first()) is not None:
        unclaimed = WebhookDelivery.objects.filter(pk=found.pk, next_at=found.next_at)
        if unclaimed.update(next_at=now + _CLAIM, tries=F("tries") + 1):
            found.tries += 1
            return found
    return None


def record_delivered(*, delivery: WebhookDelivery, now: datetime) -> None:
    """Store that the address has accepted the message."""
    WebhookDelivery.objects.filter(pk=delivery.pk).update(delivered_at=now, next_at=None, error="")


def record_failure(*, delivery: WebhookDelivery, error: str, now: datetime) -> None:
    """Store why a try failed, and the time of the next one unless it was the last."""
    is_last = delivery.tries >= MOST_TRIES
    next_at = None if is_last else now + RETRY_AFTER[delivery.tries - 1]
    WebhookDelivery.objects.filter(pk=delivery.pk, delivered_at=None).update(next_at=next_at, error=error)


def _bodies(news: list[News], now: datetime) -> dict[str, tuple[str, dict[str, object]]]:
    games = Game.objects.select_related("event").in_bulk({each.game for each in news})
    bodies: dict[str, tuple[str, dict[str, object]]] = {}
    for pk, game in games.items():
        bodies |= build_bodies(game, [each for each in news if each.game == pk], now)
    return bodies


def _get_webhook(pk: int) -> Webhook:
    webhook = Webhook.objects.filter(pk=pk).first()
    if webhook is None:
        raise Refused(_("There is no such address: load the page again."))
    return webhook
