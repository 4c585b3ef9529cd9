"""The page "Club and website": the club's settings, and the button that publishes its website."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from referee.desk.access import general_page
from referee.desk.registry import Access
from referee.phone.join_address import base_of
from tournaments.documents.logo import LARGEST_FILE
from tournaments.errors import Refused
from tournaments.now import utc_now
from tournaments.publishing.queries.club import get_club
from tournaments.publishing.queries.website_runs import get_website_status
from tournaments.publishing.services.club import ABOUT_LENGTH, FOLDER_LENGTH, set_club, set_folder
from tournaments.publishing.services.website_runs import request_website
from tournaments.staff.queries import owns_installation
from tournaments.validators import NAME_LENGTH

CLUB_URL = "desk:club"
TEXTS, SWITCHES = ("name", "language", "about"), ("lists_events", "publishes_all_events")


@require_http_methods(["GET", "HEAD", "POST"])
@general_page("club", access=Access.ORGANISER)
def club(request: HttpRequest) -> HttpResponse:
    """Show the settings; a POST stores them. After a refusal the form keeps its values."""
    refusal = ""
    if request.method == "POST":
        try:
            set_club(
                name=request.POST.get("name", ""),
                language=request.POST.get("language", ""),
                about=request.POST.get("about", ""),
                lists_events="lists_events" in request.POST,
                publishes_all_events="publishes_all_events" in request.POST,
                logo=_read_logo(request),
                without_logo="without_logo" in request.POST,
            )
        except Refused as refused:
            refusal = refused.sentence
        else:
            messages.success(request, _("The settings of the club are saved."))
            return redirect(CLUB_URL)
    return _show(request, refusal=refusal)


@require_POST
@general_page("publish-website", access=Access.ORGANISER)
def publish_website(request: HttpRequest) -> HttpResponse:
    """Request the writing of the website; the owner of the installation may choose another folder with it."""
    try:
        if "folder" in request.POST and _owns(request):
            set_folder(folder=request.POST["folder"])
        request_website(now=utc_now())
    except Refused as refused:
        return _show(request, website_refusal=refused.sentence)
    return redirect(f"{reverse(CLUB_URL)}#website")


@require_GET
@general_page("website-progress", access=Access.ORGANISER)
def website_progress(request: HttpRequest) -> HttpResponse:
    """Show the state of the last run."""
    return render(request, "desk/publishing/_website_status.html", {"status": get_website_status(utc_now())})


@require_GET
@general_page("club-logo", access=Access.ORGANISER)
def club_logo(request: HttpRequest) -> HttpResponse:
    """Send the logo of the club."""
    content = bytes(get_club().logo)
    if not content:
        raise Http404
    return HttpResponse(content, content_type="image/png" if content.startswith(b"\x89PNG") else "image/jpeg")


def _show(request: HttpRequest, *, refusal: str = "", website_refusal: str = "") -> HttpResponse:
    stored = get_club()
    given = request.POST if refusal else None
    values = {name: getattr(stored, name) if given is None else given.get(name, "") for name in TEXTS}
    switches = {name: getattr(stored, name) if given is None else name in given for name in SWITCHES}
    context = {
        "page": "club",
        **values,
        **switches,
        "has_logo": bool(stored.logo),
        "languages": settings.LANGUAGES,
        "name_length": NAME_LENGTH,
        "about_length": ABOUT_LENGTH,
        "folder_length": FOLDER_LENGTH,
        "list_address": f"{base_of(request)}{reverse('events:list')}" if stored.lists_events else "",
        "folder": request.POST.get("folder", "") if website_refusal else stored.folder or _usual_folder(),
        "stored_folder": stored.folder,
        "may_choose_folder": _owns(request),
        "status": get_website_status(utc_now()),
        "refusal": refusal,
        "website_refusal": website_refusal,
    }
    status = 422 if refusal or website_refusal else 200
    return render(request, "desk/publishing/club.html", context, status=status)


def _owns(request: HttpRequest) -> bool:
    return isinstance(request.user, User) and owns_installation(request.user)


def _usual_folder() -> str:
    return str(Path(settings.DATA_DIR).resolve() / "website")


def _read_logo(request: HttpRequest) -> bytes:
    """Return the uploaded file, b"" without one; of a file that is too large only so much that it is refused."""
    upload = request.FILES.get("logo")
    return upload.read(LARGEST_FILE + 1) if upload else b""
