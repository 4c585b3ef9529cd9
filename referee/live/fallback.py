"""For networks that break sockets: the same state by GET, the same intake by POST. Mounted by the phone's urls."""

from __future__ import annotations

import hashlib
import math
from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST

from referee.live import messages, versions
from referee.live.handing_in import hand_in
from referee.live.house import house
from referee.live.seatless import no_seat
from referee.live.slip_form import LARGEST_FRAME, Malformed, read_message
from referee.live.stage import StageGone
from referee.security import gate
from referee.security.origin import is_own_request
from tournaments.now import utc_now
from tournaments.selectors.live import SeatedPlayer


@require_GET
async def state(request: HttpRequest) -> HttpResponse:
    """What the socket would show: `{"outdated", "hello", "state", "count", "me"}`, each as there, or null.

    304 while nothing has changed.
    """
    seat = await _seat(request)
    if seat is None:
        return _no_seat()
    if (wait := house().polls_allowed.take(seat.token_hash)) > 0.0:
        return _too_many(wait)
    stage = house().stage((seat.event_id, seat.room_id))
    try:
        view = await stage.personal(seat.player_id, request.LANGUAGE_CODE)
        picture, tally = await stage.picture.current(), await stage.tally.current()
    except StageGone:
        return _no_seat()
    hello = messages.hello(seat, picture.turn, view)
    count = "null" if tally is None else tally.for_all
    me = "null" if view is None else messages.me(view)
    outdated = versions.notice(request.GET.get("v")) or "null"
    etag = _etag(picture.for_phones, outdated, hello, count, me)
    if request.headers.get("If-None-Match") == etag:
        return _answer("", 304, etag)
    shown = picture.state("phone", utc_now())
    return _answer(f'{{"outdated":{outdated},"hello":{hello},"state":{shown},"count":{count},"me":{me}}}', 200, etag)


@csrf_exempt  # the Origin is checked instead: a slip that waited through a reload has no token of the page
@require_POST
async def slip(request: HttpRequest) -> HttpResponse:
    """A slip as the socket takes it, answered by the same `ack` or `refused`."""
    received_at = _read_at(request)
    if not is_own_request(request):
        return _refused("foreign", _("This slip comes from another page; hand it in on the page of the game."), 403)
    if int(request.headers.get("Content-Length") or 0) > LARGEST_FRAME:
        return _refused("malformed", _("The message is too long: at most %(bytes)d bytes are read.") % _LIMIT, 413)
    seat = await _seat(request)
    if seat is None:
        return _no_seat()
    try:
        message = read_message(request.body.decode("utf-8", "replace"))
        text = await hand_in(house(), seat, message, received_at, gate.address_of(request))
    except Malformed as fault:
        return _refused("malformed", fault.sentence, 400)
    except StageGone:
        return _no_seat()
    return _answer(text)


_LIMIT = {"bytes": LARGEST_FRAME}


def _read_at(request: HttpRequest) -> datetime:
    """When the request was read, before an address that asks for very much was held up (referee.security.pace)."""
    scope: dict[str, Any] = getattr(request, "scope", {})
    read_at = scope.get("read_at")
    return read_at if isinstance(read_at, datetime) else utc_now()


async def _seat(request: HttpRequest) -> SeatedPlayer | None:
    return await house().seating.admit(request.COOKIES)


def _no_seat() -> HttpResponse:
    return _answer(no_seat(), 401)


def _too_many(wait: float) -> HttpResponse:
    sentence = _("Too many messages come from this phone; some were not read.")
    return _answer(messages.refused(None, "too_fast", sentence, retry_ms=math.ceil(wait * 1000)), 429)


def _refused(why: str, sentence: str, status: int) -> HttpResponse:
    return _answer(messages.refused(None, why, sentence), status)


def _answer(text: str, status: int = 200, etag: str = "") -> HttpResponse:
    response = HttpResponse(text, status=status, content_type="application/json")
    response.headers["Cache-Control"] = "no-store"
    if etag:
        response.headers["ETag"] = etag
    return response


def _etag(*parts: str) -> str:
    digest = hashlib.sha256("\n".join(parts).encode())
    return f'"{digest.hexdigest()[:32]}"'
