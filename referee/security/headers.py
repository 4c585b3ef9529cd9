"""Headers that every page has: what it may use of a device, and that nobody keeps it unless it says so itself."""

from __future__ import annotations

from collections.abc import Callable, MutableMapping
from typing import Any

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

_NOT_USED = (
    *("accelerometer", "camera", "display-capture", "encrypted-media", "geolocation", "gyroscope", "hid"),
    *("magnetometer", "microphone", "midi", "payment", "publickey-credentials-get", "serial", "usb"),
    "xr-spatial-tracking",
)
# Phones keep the screen on while the clock runs; the wall fills it.
PERMISSIONS = ", ".join(["fullscreen=(self)", "screen-wake-lock=(self)", *(f"{feature}=()" for feature in _NOT_USED)])


@sync_and_async_middleware
def page_headers(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Middleware for pages of both kinds. A page that may be kept has set Cache-Control itself."""
    if iscoroutinefunction(get_response):

        async def answer_later(request: HttpRequest) -> HttpResponseBase:
            return _with_headers(await get_response(request))

        return answer_later

    def answer(request: HttpRequest) -> HttpResponseBase:
        return _with_headers(get_response(request))

    return answer


def file_headers(headers: MutableMapping[str, str], path: str, url: str) -> None:
    """What the program's own files have besides; their kind is told and not to be guessed."""
    headers["X-Content-Type-Options"] = "nosniff"


def _with_headers(response: HttpResponseBase) -> HttpResponseBase:
    response.headers.setdefault("Permissions-Policy", PERMISSIONS)
    response.headers.setdefault("Cache-Control", "no-store")
    return response
