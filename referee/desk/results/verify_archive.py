"""Check of an archive from a file: the same as `manage.py verify`, without a terminal."""

from __future__ import annotations

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from referee.desk.access import desk_page, general_page, user_of
from referee.desk.desk import Desk
from referee.desk.registry import Access
from referee.desk.spoiler_guard import has_closed_desk
from referee.security.permissions import JUDGES
from tournaments.errors import Refused
from tournaments.now import utc_now
from tournaments.prepared.services.prepared_games import LARGEST_FILE
from tournaments.results.archive_check import (
    ArchiveReport,
    MissingListError,
    check_archive_file,
    installed_lists_of,
    read_archive_bytes,
    read_hashes,
)

MOST_SENTENCES = 200


@desk_page("verify", get=JUDGES, post=JUDGES, spoiler=True)
def verify_archive(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Show the form; a POST checks the uploaded archive and the hashes, and shows the result above it."""
    return _page(request, {"event": desk.event, "page": "log", "back": reverse("desk:log", args=[desk.code])})


@require_http_methods(["GET", "POST"])
@general_page("check-archive", access=Access.ORGANISER)
def check_archive(request: HttpRequest) -> HttpResponse:
    """The same without an event. A user whose desk is closed because they play along gets no best moves here."""
    context: dict[str, object] = {"back": reverse("desk:events")}
    if request.method == "POST" and has_closed_desk(user_of(request), utc_now()):
        refused = _("You play along in a turn that is under way: check the archive after it.")
        return render(request, "desk/results/verify.html", context | {"refused": refused}, status=422)
    return _page(request, context)


def _page(request: HttpRequest, context: dict[str, object]) -> HttpResponse:
    context["hashes"] = request.POST.get("hashes", "")
    if request.method != "POST":
        return render(request, "desk/results/verify.html", context)
    try:
        report = _check(request)
    except Refused as refused:
        return render(request, "desk/results/verify.html", context | {"refused": refused.sentence}, status=422)
    context |= {
        "checked": True,
        "summary": _summary(report),
        "is_right": not report.differences,
        "sentences": report.sentences[:MOST_SENTENCES],
        "left_out": max(0, len(report.sentences) - MOST_SENTENCES),
    }
    return render(request, "desk/results/verify.html", context)


def _check(request: HttpRequest) -> ArchiveReport:
    upload: UploadedFile[bytes] | None = request.FILES.get("archive")
    if upload is None:
        raise Refused(_("Choose the file of an archive first."))
    if (upload.size or 0) > LARGEST_FILE:
        raise Refused(_("The file is larger than 30 MB: that is no archive of a game."))
    archive = read_archive_bytes(upload.read(), upload.name or "")
    shown = read_hashes([line for line in request.POST.get("hashes", "").splitlines() if line.strip()])
    try:
        return check_archive_file(archive, installed_lists_of(archive), shown)
    except MissingListError:
        names = ", ".join(part["name"] for part in archive["lexicon"].get("parts", [archive["lexicon"]]))
        raise Refused(
            _("The word list of this game (%(names)s) is not installed here: check the archive where it was played.")
            % {"names": names}
        ) from None


def _summary(report: ArchiveReport) -> str:
    if not report.differences:
        return _("The archive agrees with its rules, its word list and its ledger.")
    n = report.differences
    return ngettext("%(count)d difference.", "%(count)d differences.", n) % {"count": n}
