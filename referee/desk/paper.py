"""The line for paper slips: how it is read, and its slips handed in. Answers are JSON (static/desk/entry.js)."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.http import HttpRequest, JsonResponse, QueryDict
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from engine.bounded_input import whole_number
from engine.rules.typed_line import NO_SLIP, REASONS
from referee.desk.access import Desk, at_desk
from referee.desk.typings import told_of_differences
from referee.security.rights import JUDGES
from tournaments.errors import Refused
from tournaments.now import utc_now
from tournaments.services.paper import LineEcho, Typed, enter_line, read_line


@require_GET
@at_desk
def echo(request: HttpRequest, desk: Desk) -> JsonResponse:
    """Say in plain words how a line is read, before it counts."""
    if not request.GET.get("line", "").strip():
        return JsonResponse({"ok": False, "sentence": _("Table, reference, word, score – then Enter.")})
    try:
        read = read_line(game=desk.game, typed=typed_line(request.GET), room=desk.room, judges=_judges(desk))
        return JsonResponse(_told(read) | {"hint": _reasons(desk) if read.said == NO_SLIP else ""})
    except Refused as refused:
        return JsonResponse({"ok": False, "sentence": refused.sentence})


@require_POST
@at_desk
def paper(request: HttpRequest, desk: Desk) -> JsonResponse:
    """Hand in the slips of a line; one that comes again, because its answer was lost, changes nothing."""
    try:
        read = enter(desk, request.POST, utc_now())
    except Refused as refused:
        return JsonResponse({"ok": False, "sentence": refused.sentence})
    if read is None:
        return JsonResponse({"ok": True, "sentence": _("This line is in already.")})
    return JsonResponse(_told(read) | told_of_differences(desk, read.tables, read.sentence))


def enter(desk: Desk, post: QueryDict, now: datetime) -> LineEcho | None:
    """Hand in the slips of a posted line, with the rights of whoever sits at the desk."""
    typed, judges = typed_line(post), _judges(desk)
    return enter_line(game=desk.game, typed=typed, room=desk.room, judges=judges, now=now, by=desk.user)


def typed_line(fields: QueryDict) -> Typed:
    """The line as the page sends it; a browser without scripts sends the line alone."""
    known = {name: fields.get(name, "").strip() for name in ("line", "offered", "same", "group", "turn", "line_id")}
    given = {"line": known["line"], "same": known["same"], "group": known["group"]}
    read = {name: whole_number(known[name]) for name in ("offered", "turn")}
    numbers = {name: number for name, number in read.items() if number is not None}
    try:
        sent = {"line_id": UUID(known["line_id"])} if known["line_id"] else {}
    except ValueError:
        raise Refused(_("This line came without a proper mark: load the page anew and type it again.")) from None
    return Typed(**given, **numbers, **sent)  # type: ignore[arg-type]


def _judges(desk: Desk) -> bool:
    """Whether tops and the slips of others are open to whoever types; a judge who plays along does not come here."""
    return desk.role in JUDGES


def _reasons(desk: Desk) -> str:
    """What may follow a zero: the letters and digits of its reasons, but for what only a judge may say."""
    reasons = [reason for reason in REASONS if _judges(desk) or reason.slip.received != "late"]
    named = ", ".join(f"{reason.digit} {reason.letter} {_(reason.name)}" for reason in reasons)
    return _("Or another reason behind it: %(reasons)s.") % {"reasons": named}


def _told(read: LineEcho) -> dict[str, object]:
    return {
        "ok": True,
        "sentence": read.sentence,
        "said": read.said,
        "tables": read.tables,
        "replaces": read.replaced.sentence,
        "replaced_version": read.replaced.version,
        "versions": read.versions,
    }
