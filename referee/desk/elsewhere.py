"""The page of a room that plays on its own server, at the desk of the drawing room: its secret link, what it handed
in, and where its verdicts are not those that follow here."""

from __future__ import annotations

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from referee.desk.access import Desk, at_desk
from referee.joining import base_of, qr_svg
from tournaments.errors import Refused
from tournaments.feed_seal import new_token
from tournaments.models import FeedLink, Room
from tournaments.now import utc_now
from tournaments.selectors.elsewhere import rooms_elsewhere
from tournaments.services import feeds, merging


@require_http_methods(["GET", "POST"])
@at_desk
def elsewhere(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The page; a POST gives the link out, takes it back, or brings a file in."""
    room = desk.room
    if room.is_drawing:
        return redirect("desk:rooms", desk.code)
    room.event = desk.event
    if request.method == "GET":
        return _page(request, desk, room)
    try:
        if request.POST.get("act") == "give":
            token = new_token()
            feeds.give_link(room=room, token=token, by=desk.user, now=utc_now())
            return _page(request, desk, room, token)
        _act(request, desk, room)
    except Refused as refused:
        messages.error(request, refused.sentence)
    return redirect("desk:elsewhere", desk.code)


def _act(request: HttpRequest, desk: Desk, room: Room) -> None:
    if request.POST.get("act") == "take-back":
        feeds.take_link_back(room=room, by=desk.user, now=utc_now())
        messages.success(request, _("The link opens nothing any more."))
        return
    link, file = FeedLink.objects.filter(room=room).first(), request.FILES.get("file")
    if link is None:
        raise Refused(_("Give the room its link first."))
    if not isinstance(file, UploadedFile):
        raise Refused(_("Choose the file that the room has handed in."))
    if (file.size or 0) > merging.LARGEST_HAND_IN:
        raise Refused(_("This is too large to be what a room hands in."))
    merged = merging.merge(link=link, text=file.read().decode("utf-8", "replace"), by=desk.user, now=utc_now())
    slips = ngettext("%(n)d new slip", "%(n)d new slips", merged.slips) % {"n": merged.slips}
    told = _("Turns that are here now: %(turns)d; %(slips)s.") % {"turns": merged.turns, "slips": slips}
    messages.success(request, told)


def _page(request: HttpRequest, desk: Desk, room: Room, token: str = "") -> HttpResponse:
    """With a fresh link in it, which is shown this once."""
    context: dict[str, object] = {
        "event": desk.event,
        "room": room,
        "line": rooms_elsewhere(desk.game, utc_now()).get(room.number),
        "page": "rooms",
    }
    if token:
        base = base_of(request)
        address = base + reverse("outpost:feed", args=[token])
        context |= {"link": address, "link_qr": qr_svg(address)}
    return render(request, "desk/elsewhere.html", context)
