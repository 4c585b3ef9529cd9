"""Sending of the messages in the queues. Any number of processes may do it at a time: each message has one sender."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from datetime import datetime

from django.conf import settings

from referee.outgoing.http_request import Undelivered
from referee.outgoing.result_mail import Unsent, send_result_mail
from referee.outgoing.webhook_request import send_delivery
from tournaments.now import utc_now
from tournaments.publishing.services import result_mails, webhooks

logger = logging.getLogger(__name__)
LONGEST_RUN_S = 60.0
"""A run ends after this time, well before the queue of tasks would start it a second time."""
Stopped = Callable[[], bool]


def is_mail_configured() -> bool:
    """Return True if the installation has a mail server."""
    return bool(settings.MAIL_IS_CONFIGURED)


def has_waiting_messages() -> bool:
    """Return True if a message is to be sent now."""
    waits_mail = is_mail_configured() and result_mails.has_waiting_mail()
    return waits_mail or webhooks.has_due_delivery(utc_now())


def send_waiting_messages(is_stopped: Stopped = lambda: False, clock: Callable[[], datetime] = utc_now) -> None:
    """Send the waiting messages until none is left, the time is over or `is_stopped`."""
    until = time.monotonic() + LONGEST_RUN_S

    def is_over() -> bool:
        return is_stopped() or time.monotonic() > until

    _send_webhooks(is_over, clock)
    if is_mail_configured():
        _send_mails(is_over, clock)


def _send_webhooks(is_over: Stopped, clock: Callable[[], datetime]) -> None:
    """Send the due deliveries. The others of a webhook that fails wait for the next run, so that it delays no other."""
    failed: set[int] = set()
    while not is_over():
        delivery = webhooks.claim_delivery(now=clock(), except_for=failed)
        if delivery is None:
            return
        try:
            send_delivery(delivery, clock())
        except Undelivered as fault:
            failed.add(delivery.webhook_id)
            webhooks.record_failure(delivery=delivery, error=fault.error, now=clock())
            logger.warning("a webhook was not delivered: %s, try %d", fault.error, delivery.tries)
        except Exception:  # it must not stand in the way of all others for good
            failed.add(delivery.webhook_id)
            webhooks.record_failure(delivery=delivery, error="fault", now=clock())
            logger.exception("a webhook could not be sent")
        else:
            webhooks.record_delivered(delivery=delivery, now=clock())


def _send_mails(is_over: Stopped, clock: Callable[[], datetime]) -> None:
    while not is_over() and (mail := result_mails.claim_mail(now=clock())) is not None:
        try:
            send_result_mail(mail)
        except Unsent as fault:
            result_mails.record_failed(mail=mail, error=fault.error, now=clock())
            logger.warning("an e-mail with a result was not sent: %s", fault.error)
        else:
            result_mails.record_sent(mail=mail, now=clock())
