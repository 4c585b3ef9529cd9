"""Letterhead at the desk: the form for the organiser's logo and texts on the sheets."""

from __future__ import annotations

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from referee.desk.access import desk_page
from referee.desk.desk import Desk
from referee.security.permissions import DIRECTOR
from tournaments.documents.logo import LARGEST_FILE
from tournaments.documents.queries import letterhead_of
from tournaments.documents.services.letterheads import CERTIFICATE_LENGTH, TEXT_LENGTH, set_letterhead
from tournaments.errors import Refused

FIELDS = ("venue", "sponsor", "certificate_text")


@desk_page("letterhead", get=DIRECTOR, post=DIRECTOR, spoiler=False)
def letterhead(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Show the form; a POST stores it. After a refusal the form keeps the typed texts."""
    stored = letterhead_of(desk.event)
    texts = {name: getattr(stored, name) for name in FIELDS}
    status = 200
    if request.method == "POST":
        texts = {name: request.POST.get(name, "") for name in FIELDS}
        try:
            set_letterhead(
                event=desk.event, **texts, logo=_read_upload(request), without_logo="without_logo" in request.POST
            )
        except Refused as refused:
            messages.error(request, refused.sentence)
            status = 422
        else:
            messages.success(request, _("Logo and texts are saved. Sheets that you create from now on show them."))
            return redirect("desk:letterhead", desk.code)
    context = {
        "event": desk.event,
        "page": "documents",
        "has_logo": bool(stored.logo),
        "texts": texts,
        "text_length": TEXT_LENGTH,
        "certificate_length": CERTIFICATE_LENGTH,
    }
    return render(request, "desk/results/letterhead.html", context, status=status)


@desk_page("logo", get=DIRECTOR, spoiler=False)
def logo(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Send the stored logo."""
    content = letterhead_of(desk.event).logo
    if not content:
        raise Http404
    return HttpResponse(content, content_type="image/png" if content.startswith(b"\x89PNG") else "image/jpeg")


def _read_upload(request: HttpRequest) -> bytes:
    """Return the uploaded file, b"" without one; of a file that is too large only so much that it is refused."""
    upload: UploadedFile[bytes] | None = request.FILES.get("logo")
    content: bytes = upload.read(LARGEST_FILE + 1) if upload else b""
    return content
