"""Reports of errors to a service that takes them as Sentry does (`SENTRY_DSN`), without anything that is secret."""

from __future__ import annotations

from typing import Any

from referee.security.log_lines import scrub
from referee.security.request_ids import request_id, room_id

_DROPPED = ("request", "user", "extra", "breadcrumbs", "server_name")


def start_reporting(dsn: str) -> None:
    """Report errors from now on: logged ones and those of requests and tasks."""
    import sentry_sdk  # installed with the extra `federation` only

    sentry_sdk.init(
        dsn,
        send_default_pii=False,
        include_local_variables=False,
        include_source_context=False,
        max_request_body_size="never",
        max_breadcrumbs=0,
        auto_session_tracking=False,
        before_send=remove_secrets,
    )


def remove_secrets(event: Any, hint: Any) -> Any:
    """Return the event with the ids of request and room, and without secrets: racks, slips, names, tokens."""
    kept = {name: value for name, value in event.items() if name not in _DROPPED}
    if "logentry" in kept:  # the parameters of a message may be anything; the message itself is scrubbed
        kept["logentry"] = {"message": str(kept["logentry"].get("formatted") or kept["logentry"].get("message"))}
    kept["tags"] = {**kept.get("tags", {}), "request": request_id.get(), "room": room_id.get()}
    return _scrub_all(kept)


def _scrub_all(value: Any) -> Any:
    """Scrub every text of a JSON value."""
    if isinstance(value, dict):
        return {name: _scrub_all(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_scrub_all(each) for each in value]
    return scrub(value) if isinstance(value, str) else value
