"""HTTP fallback for networks that break WebSockets: state by GET, slips by POST. Routed in `referee.phone.urls`."""

from __future__ import annotations

import hashlib
import math
from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST

from referee.live.rooms.event_reader import RoomChannelClosed
from referee.live.rooms.live_server import get_live_server
from referee.live.slips.slip_form import LARGEST_FRAME, MalformedMessage, read_message
from referee.live.slips.submit_slip import submit_and_wait
from referee.live.sockets import messages, versions
from referee.live.sockets.unseated_requests import no_seat_message
from referee.security import failure_throttle
from referee.security.origin import is_own_request
from tournaments.now import utc_now
from tournaments.play.queries.live import SeatedPlayer


@require_GET
async def state(request: HttpRequest) -> HttpResponse:
    """Return the messages of the socket as `{"outdated", "hello", "state", "count", "me"}`, each possibly null.

    The status is 304 if nothing has changed.
    """
    seat = await _seat(request)
    if seat is None:
        return _no_seat()
    if (wait := get_live_server().polls_allowed.take(seat.token_hash)) > 0.0:
        return _too_many(wait)
    channel = get_live_server().room_channel((seat.event_id, seat.room_id))
    try:
        view = await channel.personal(seat.player_id, request.LANGUAGE_CODE)
        snapshot, slip_count = await channel.snapshot.current(), await channel.slip_count.current()
    except RoomChannelClosed:
        return _no_seat()
    hello = messages.hello_message(seat, snapshot.turn, view)
    count = "null" if slip_count is None else slip_count.for_all
    me = messages.me_message(view)
    outdated = versions.build_outdated_notice(request.GET.get("v")) or "null"
    etag = _etag(snapshot.for_phones, outdated, hello, count, me)
    if request.headers.get("If-None-Match") == etag:
        return _answer("", 304, etag)
    shown = snapshot.state("phone", utc_now())
    return _answer(f'{{"outdated":{outdated},"hello":{hello},"state":{shown},"count":{count},"me":{me}}}', 200, etag)


@csrf_exempt  # the Origin is checked instead: a slip sent again after a reload has no current token
@require_POST
async def slip(request: HttpRequest) -> HttpResponse:
    """Submit a slip as by the socket; the answer is the same `ack` or `refused` message."""
    received_at = _read_at(request)
    if not is_own_request(request):
        return _refused("foreign", _("This slip was sent from another page; send it from the page of the game."), 403)
    if int(request.headers.get("Content-Length") or 0) > LARGEST_FRAME:
        return _refused("malformed", _("The message is too long: at most %(bytes)d bytes are read.") % _LIMIT, 413)
    seat = await _seat(request)
    if seat is None:
        return _no_seat()
    try:
        message = read_message(request.body.decode("utf-8", "replace"))
        text = await submit_and_wait(
            get_live_server(), seat, message, received_at, failure_throttle.address_of(request)
        )
    except MalformedMessage as fault:
        return _refused("malformed", fault.sentence, 400)
    except RoomChannelClosed:
        return _no_seat()
    return _answer(text)


_LIMIT = {"bytes": LARGEST_FRAME}


def _read_at(request: HttpRequest) -> datetime:
    """Return the time of receipt, before a delay by `referee.security.rate_limit`."""
    scope: dict[str, Any] = getattr(request, "scope", {})
    read_at = scope.get("read_at")
    return read_at if isinstance(read_at, datetime) else utc_now()


async def _seat(request: HttpRequest) -> SeatedPlayer | None:
    return await get_live_server().phone_sessions.admit(request.COOKIES)


def _no_seat() -> HttpResponse:
    return _answer(no_seat_message(), 401)


def _too_many(wait: float) -> HttpResponse:
    sentence = _("Too many messages come from this phone; some were not read.")
    return _answer(messages.refused_message(None, "too_fast", sentence, retry_ms=math.ceil(wait * 1000)), 429)


def _refused(why: str, sentence: str, status: int) -> HttpResponse:
    return _answer(messages.refused_message(None, why, sentence), status)


def _answer(text: str, status: int = 200, etag: str = "") -> HttpResponse:
    response = HttpResponse(text, status=status, content_type="application/json")
    response.headers["Cache-Control"] = "no-store"
    if etag:
        response.headers["ETag"] = etag
    return response


def _etag(*parts: str) -> str:
    digest = hashlib.sha256("\n".join(parts).encode())
    return f'"{digest.hexdigest()[:32]}"'
