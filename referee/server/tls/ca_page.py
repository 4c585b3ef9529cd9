"""Pages for installing the authority of `serve --tls-ca`: instructions and the certificate."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from referee.server.tls.authority import certificate_of_ca, fingerprint


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Show the instructions for each kind of device."""
    _require_own_ca()
    return render(request, "ca.html", {"fingerprint": fingerprint(certificate_of_ca(settings.DATA_DIR))})


@require_safe
def certificate(request: HttpRequest) -> HttpResponse:
    """Return the authority's certificate as a file."""
    _require_own_ca()
    return HttpResponse(
        certificate_of_ca(settings.DATA_DIR).read_bytes(),
        content_type="application/x-x509-ca-cert",
        headers={"Content-Disposition": 'attachment; filename="multiplo-ca.crt"'},
    )


def _require_own_ca() -> None:
    if not settings.OWN_CA:
        raise Http404(_("This server has no certificate of its own to install."))
