"""What the drawing server answers to a room that plays on its own server. There is no browser at the other end: the
secret in the address is all that counts, and no cookie is looked at.
"""

from __future__ import annotations

import zlib

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST

from engine.bounded_input import whole_number
from referee.security import gate
from referee.security.throttle import Rate, Throttle
from tournaments.errors import Refused
from tournaments.models import FeedLink
from tournaments.now import utc_now
from tournaments.selectors.feeding import etag_of, feed_of, link_by_token
from tournaments.services import feeds, merging

LARGEST_BODY = 16_000_000
_asked = Throttle(Rate(per_second=2, burst=20))
_GZIP = 31


@require_GET
def feed(request: HttpRequest, token: str) -> HttpResponse:
    """The feed of the current game; 304 while nothing is new."""
    link = _link(request, token)
    if isinstance(link, HttpResponse):
        return link
    feeds.heard(link=link, now=utc_now())
    text = feed_of(link, token)
    etag = etag_of(text)
    if request.headers.get("If-None-Match") == etag:
        return _with(HttpResponse(status=304), etag)
    return _with(HttpResponse(text, content_type="application/json; charset=utf-8"), etag)


@csrf_exempt  # no browser and no cookie: the secret address alone lets in
@require_POST
def results(request: HttpRequest, token: str) -> HttpResponse:
    """What the room has played so far, as JSON, perhaps compressed by gzip; answered by what became of it."""
    link = _link(request, token)
    if isinstance(link, HttpResponse):
        return link
    text = _text(request)
    if text is None:
        return _sentence(_("This is too large to be what a room hands in."), 413)
    try:
        merged = merging.merge(link=link, text=text, by=None, now=utc_now())
    except Refused as refused:
        return _sentence(refused.sentence, 409)
    return _with(JsonResponse({"turns": merged.turns, "slips": merged.slips, "again": merged.again}))


def _link(request: HttpRequest, token: str) -> FeedLink | HttpResponse:
    """The link of this secret, or the answer to one that opens nothing or asks too often."""
    address = gate.address_of(request)
    wait = gate.delay(address)
    link = link_by_token(token) if wait == 0.0 else None
    if link is not None:
        wait = _asked.take(str(link.pk))
    elif wait == 0.0:
        gate.failed(address)
        return _sentence(_("This link opens nothing: ask the drawing room for another one."), 404)
    if wait > 0.0 or link is None:
        return _sentence(_("Too many questions; ask again in a moment."), 429)
    return link


def _text(request: HttpRequest) -> str | None:
    """The body as text; None when it is too large, compressed or not."""
    length = whole_number(request.headers.get("Content-Length", ""), digits=12)
    if length is None or length > LARGEST_BODY:
        return None
    raw = request.read(LARGEST_BODY + 1)
    if len(raw) > LARGEST_BODY:
        return None
    if request.headers.get("Content-Encoding") == "gzip":
        try:
            raw = zlib.decompressobj(_GZIP).decompress(raw, merging.LARGEST_HAND_IN + 1)
        except zlib.error:
            return ""
    return raw.decode("utf-8", "replace") if len(raw) <= merging.LARGEST_HAND_IN else None


def _sentence(sentence: str, status: int) -> HttpResponse:
    return _with(JsonResponse({"sentence": sentence}, status=status))


def _with(response: HttpResponse, etag: str = "") -> HttpResponse:
    response["Cache-Control"] = "no-store"
    if etag:
        response["ETag"] = etag
    return response
