"""The page that restores a backup: choose, look, confirm, wait until the server has started again."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from referee.desk.access import general_page
from referee.desk.backups.restore_offer import RestoreOffer, offer_file, offer_listed, stage_offer
from referee.desk.registry import Access
from referee.server.backup_scheduler import get_backup_folder
from referee.server.connection_limits import LARGEST_UPLOAD
from referee.server.restart import explain_no_restart, is_restarting, request_restart
from tournaments.backups.backup_file import BackupInfo, describe_database
from tournaments.backups.backup_folder import list_backups
from tournaments.errors import Refused
from tournaments.now import utc_now
from tournaments.play.queries.live import find_running_clock

MEGABYTE = 1024 * 1024
WITHOUT_SCRIPT_S = 20  # a page without script goes on after so many seconds


@require_http_methods(["GET", "POST"])
@general_page("restore", access=Access.OWNER)
def restore(request: HttpRequest) -> HttpResponse:
    """Offer the backups of the folder and an upload; a POST describes the chosen one and asks."""
    if request.method != "POST":
        return _page(request)
    try:
        _require_possible()
        return _page(request, offer=_read_choice(request))
    except Refused as refused:
        return _page(request, refused=refused.sentence)


@require_POST
@general_page("restore-start", access=Access.OWNER)
def start_restore(request: HttpRequest) -> HttpResponse:
    """Restore the confirmed backup; the page that follows waits for the server."""
    try:
        _require_possible()
        token = stage_offer(request.POST.get("seal", ""))
    except Refused as refused:
        return _page(request, refused=refused.sentence)
    request_restart()
    link = reverse("enter", args=[token])
    response = render(request, "desk/backups/restarting.html", {"link": link})
    response["Refresh"] = f"{WITHOUT_SCRIPT_S}; url={link}"
    return response


def _require_possible() -> None:
    if obstacle := explain_no_restart():
        raise Refused(obstacle)
    if is_restarting():
        raise Refused(_("A backup is being restored already."))
    if clock := find_running_clock(utc_now()):
        raise Refused(
            _("The clock of turn %(turn)d of “%(event)s” is running: pause it or close the turn, then restore.")
            % {"turn": clock.turn.number, "event": clock.turn.game.event.name}
        )


def _read_choice(request: HttpRequest) -> RestoreOffer:
    upload: UploadedFile[bytes] | None = request.FILES.get("file")
    if upload is not None:
        return offer_file(upload.name or "", upload.chunks())
    if listed := request.POST.get("listed", ""):
        return offer_listed(listed)
    raise Refused(_("Choose a file first."))


def _page(request: HttpRequest, *, offer: RestoreOffer | None = None, refused: str = "") -> HttpResponse:
    context: dict[str, object] = {"refused": refused, "obstacle": explain_no_restart()}
    if offer is not None:
        context |= {"offer": offer, "restored": _describe(offer.about), "present": _describe(_present())}
    elif not context["obstacle"]:
        folder = get_backup_folder()
        context |= {
            "folder": folder,
            "backups": [(each.name, _describe(each.about), each.about.made_at) for each in list_backups(folder)],
            "largest": LARGEST_UPLOAD // MEGABYTE,
        }
    return render(request, "desk/backups/restore.html", context, status=422 if refused else 200)


def _present() -> BackupInfo:
    try:
        return describe_database(Path(settings.DATABASES["default"]["NAME"]), utc_now())
    except sqlite3.Error:
        return BackupInfo(utc_now())


def _describe(about: BackupInfo) -> str:
    """Return a line on the content of a database."""
    if not about.event:
        return _("no event yet")
    named = {"event": about.event, "code": about.code, "game": about.game, "turn": about.turn, "slips": about.slips}
    if about.turn == 0:
        return _("%(event)s (%(code)s), game %(game)d before its first turn") % named
    sentence = ngettext(
        "%(event)s (%(code)s), game %(game)d, turn %(turn)d, %(slips)d slip",
        "%(event)s (%(code)s), game %(game)d, turn %(turn)d, %(slips)d slips",
        about.slips,
    )
    return sentence % named
