"""Pages for requests that cannot be answered (`handler400` and `handler404` of the URLconf).

Unlike Django's, they use no CSRF token, because creating it reads the body, which may be the fault.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string

API = "/api/v1/"
_NOTHING = "There is nothing at this address, or the API is off: compare the address with /api/v1/openapi.json."


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer a request that cannot be read; nothing of it is used for the page."""
    return HttpResponse(render_to_string("400.html"), status=400)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer a request to an address that leads nowhere, in JSON to a program that uses the API."""
    if request.path.startswith(API):
        return JsonResponse({"detail": _NOTHING}, status=404)
    return render(request, "404.html", status=404)
