"""Compression of pages for the browser."""

from __future__ import annotations

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

TEXTS = ("text/", "application/json")


class TextGZipMiddleware(GZipMiddleware):
    """Django's middleware, which also protects forms against BREACH, for texts only: PDF, ZIP and pictures are
    compressed already."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if not response.get("Content-Type", "").startswith(TEXTS):
            return response
        return super().process_response(request, response)
