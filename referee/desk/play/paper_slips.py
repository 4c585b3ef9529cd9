"""The input line for paper slips: explain it and submit its slips. Answers are JSON (static/desk/paper_line.js)."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from uuid import UUID

from django.http import HttpRequest, JsonResponse, QueryDict
from django.utils.translation import gettext as _

from engine.bounded_input import parse_whole_number
from engine.slips.typed_line import NO_SLIP, ZERO_REASONS
from referee.desk.access import desk_page
from referee.desk.desk import Desk
from referee.desk.play.typing_conflicts import describe_new_conflicts
from referee.security.permissions import JUDGES, STAFF
from tournaments.errors import Refused
from tournaments.now import utc_now
from tournaments.play.services.paper_slips import QUESTIONS, DeskLine, LineEcho, Question, enter_line, read_line


@desk_page("echo", get=STAFF, spoiler=True)
def explain_line(request: HttpRequest, desk: Desk) -> JsonResponse:
    """Explain in plain words how a line is read, before it is submitted."""
    if not request.GET.get("line", "").strip():
        return JsonResponse({"ok": False, "sentence": _("Table, reference, word, score – then Enter.")})
    try:
        read = read_line(
            game=desk.game, typed=read_typed_line(request.GET), room=desk.room, judges=_can_see_slips(desk)
        )
        return JsonResponse(_describe_reading(read) | {"hint": _reasons(desk) if read.said == NO_SLIP else ""})
    except Refused as refused:
        return JsonResponse({"ok": False, "sentence": refused.sentence})


@desk_page("paper", post=STAFF, spoiler=True)
def submit_line(request: HttpRequest, desk: Desk) -> JsonResponse:
    """Submit the slips of a line. The line has an id, so sending it again after a lost answer changes nothing."""
    try:
        read = submit_paper_slips(desk, request.POST, utc_now(), unanswered=_list_unanswered(request.POST))
    except Refused as refused:
        return JsonResponse({"ok": False, "sentence": refused.sentence})
    if read is not None and read.asks is not None:
        return JsonResponse({"ok": False, "asks": read.asks, **_describe_question(read, read.asks)})
    if read is None or not read.sentence:
        repeated = {"ok": True, "sentence": _("This line was taken already.")}
        return JsonResponse(repeated | ({} if read is None else {"refused": read.refused, "rest": read.rest}))
    return JsonResponse(_describe_reading(read) | describe_new_conflicts(desk, read.tables, read.sentence))


def submit_paper_slips(
    desk: Desk, post: QueryDict, now: datetime, *, unanswered: tuple[Question, ...] = ()
) -> LineEcho | None:
    """Submit the slips of a posted line with the permissions of the user. A browser without scripts cannot be asked."""
    typed, judges = replace(read_typed_line(post), unanswered=unanswered), _can_see_slips(desk)
    return enter_line(game=desk.game, typed=typed, room=desk.room, judges=judges, now=now, by=desk.user)


def read_typed_line(fields: QueryDict) -> DeskLine:
    """Return the line as the page sends it; a browser without scripts sends only the text."""
    fields_sent = {
        name: fields.get(name, "").strip() for name in ("line", "offered", "same", "group", "turn", "line_id")
    }
    texts = {"line": fields_sent["line"], "same": fields_sent["same"], "group": fields_sent["group"]}
    read = {name: parse_whole_number(fields_sent[name]) for name in ("offered", "turn")}
    numbers = {name: number for name, number in read.items() if number is not None}
    try:
        sent = {"line_id": UUID(fields_sent["line_id"])} if fields_sent["line_id"] else {}
    except ValueError:
        raise Refused(_("This line has no valid id: load the page again and type it again.")) from None
    return DeskLine(**texts, **numbers, **sent)  # type: ignore[arg-type]


def _list_unanswered(post: QueryDict) -> tuple[Question, ...]:
    return tuple(question for question in QUESTIONS if question not in post.get("answered", "").split(","))


def _describe_question(read: LineEcho, question: Question) -> dict[str, str]:
    """Return the texts of the dialog that asks before a line is stored, and the sentence if it is not."""
    if question == "phone":
        return {
            "title": _("Replace the slip of the phone?"),
            "text": f"{read.sentence} {read.replaced.sentence}",
            "verb": _("Replace it"),
            "leave": _("Keep the phone’s slip"),
            "sentence": _("The slip of the phone counts; the line is not stored."),
        }
    return {
        "title": _("Was it handed in before the close?"),
        "text": _("%(slip)s The time is up. Your answer holds for the slips that you type in this turn.")
        % {"slip": read.sentence},
        "verb": _("It was in time"),
        "leave": _("Do not store it"),
        "sentence": _("The line is not stored. For a slip that came too late type 0 L behind the table."),
    }


def _can_see_slips(desk: Desk) -> bool:
    """Return True if the user may see tops and the slips of others. Judges who play along do not get here."""
    return desk.role in JUDGES


def _reasons(desk: Desk) -> str:
    """Return the letters and digits of reasons that may follow a zero, without those reserved for judges."""
    reasons = [reason for reason in ZERO_REASONS if _can_see_slips(desk) or reason.slip.received != "late"]
    named = ", ".join(f"{reason.digit} {reason.letter} {_(reason.name)}" for reason in reasons)
    return _("Or add a reason: %(reasons)s.") % {"reasons": named}


def _describe_reading(read: LineEcho) -> dict[str, object]:
    return {
        "ok": True,
        "sentence": read.sentence,
        "said": read.said,
        "tables": read.tables,
        "replaces": read.replaced.sentence,
        "replaced_version": read.replaced.version,
        "versions": read.versions,
        "refused": read.refused,
        "rest": read.rest,
    }
