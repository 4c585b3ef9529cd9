"""Response headers of all pages: permitted device features, caching, content types."""

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
# Phones keep the screen on while the clock runs; the wall uses the full screen.
PERMISSIONS = ", ".join(["fullscreen=(self)", "screen-wake-lock=(self)", *(f"{feature}=()" for feature in _NOT_USED)])


@sync_and_async_middleware
def page_headers(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Sync and async middleware that adds the headers. A page that may be cached sets Cache-Control itself."""
    if iscoroutinefunction(get_response):

        async def answer_later(request: HttpRequest) -> HttpResponseBase:
            return _with_headers(await get_response(request))

        return answer_later

    def answer(request: HttpRequest) -> HttpResponseBase:
        return _with_headers(get_response(request))

    return answer


def file_headers(headers: MutableMapping[str, str], path: str, url: str) -> None:
    """Add the header to a static file that forbids guessing its content type."""
    headers["X-Content-Type-Options"] = "nosniff"


def _with_headers(response: HttpResponseBase) -> HttpResponseBase:
    response.headers.setdefault("Permissions-Policy", PERMISSIONS)
    response.headers.setdefault("Cache-Control", "no-store")
    return response
