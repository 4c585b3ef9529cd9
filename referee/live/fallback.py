"""For networks that break sockets: the same state by GET, the same intake by POST. Mounted by the phone's urls."""

from __future__ import annotations

import hashlib

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST

from referee.live import messages
from referee.live.handing_in import hand_in
from referee.live.house import house
from referee.live.slip_form import LARGEST_FRAME, Malformed, read_message
from referee.live.stage import StageGone
from referee.security import gate
from referee.security.origin import is_own_request
from tournaments.now import utc_now
from tournaments.selectors.live import SeatedPlayer


@require_GET
async def state(request: HttpRequest) -> HttpResponse:
    """What the socket would show: `{"hello", "state", "count", "me"}`, each as there. 304 while nothing has changed."""
    seat = await _seat(request)
    if seat is None:
        return _no_seat()
    stage = house().stage((seat.event_id, seat.room_id))
    try:
        view = await stage.personal(seat.player_id, request.LANGUAGE_CODE)
        picture, tally = await stage.picture.current(), await stage.tally.current()
    except StageGone:
        return _no_seat()
    hello = messages.hello(seat, picture.turn, view)
    count = "null" if tally is None else tally.for_all
    me = "null" if view is None else messages.me(view)
    etag = _etag(picture.for_phones, hello, count, me)
    if request.headers.get("If-None-Match") == etag:
        return _answer("", 304, etag)
    shown = picture.state("phone", utc_now())
    return _answer(f'{{"hello":{hello},"state":{shown},"count":{count},"me":{me}}}', 200, etag)


@csrf_exempt  # the Origin is checked instead: a slip that waited through a reload has no token of the page
@require_POST
async def slip(request: HttpRequest) -> HttpResponse:
    """A slip as the socket takes it, answered by the same `ack` or `refused`."""
    received_at = utc_now()
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


async def _seat(request: HttpRequest) -> SeatedPlayer | None:
    return await house().seating.admit(request.COOKIES, gate.address_of(request))


def _no_seat() -> HttpResponse:
    return _refused("no_seat", _("This phone has no place in the game; join again with the code."), 401)


def _refused(why: str, sentence: str, status: int) -> HttpResponse:
    return _answer(messages.refused(None, why, sentence), status)


def _answer(text: str, status: int = 200, etag: str = "") -> HttpResponse:
    response = HttpResponse(text, status=status, content_type="application/json")
    response.headers["Cache-Control"] = "private, no-cache" if etag else "no-store"
    if etag:
        response.headers["ETag"] = etag
    return response


def _etag(*parts: str) -> str:
    digest = hashlib.sha256("\n".join(parts).encode())
    return f'"{digest.hexdigest()[:32]}"'
