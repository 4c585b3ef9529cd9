"""Everything stored about a member: the page, the file, and anonymising."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from referee.desk.access import general_page, user_of
from referee.desk.members.field_texts import format_value
from referee.desk.registry import Access
from tournaments.errors import AlreadyDone, Refused
from tournaments.members.member_fields import MEMBER_FIELDS, member_field_titles
from tournaments.members.queries.member_data import member_data, summarise_member_data
from tournaments.members.services.anonymise_member import (
    MemberAnonymisation,
    anonymise_member,
    preview_member_anonymisation,
)
from tournaments.models import Member
from tournaments.now import utc_now

MOST_NAMED = 5


@require_http_methods(["GET", "HEAD", "POST"])
@general_page("member-data", access=Access.ORGANISER)
def stored_data(request: HttpRequest, pk: int) -> HttpResponse:
    """Show everything stored about a member; a POST anonymises, once the box is ticked."""
    member = get_object_or_404(Member, pk=pk)
    if member.merged_into_id is not None:
        return redirect("desk:member-data", member.merged_into_id)
    if request.method == "POST":
        try:
            messages.success(request, _anonymise(request, member))
        except AlreadyDone:
            pass
        except Refused as refused:
            messages.error(request, refused.sentence)
        return redirect("desk:member-data", pk)
    stored = summarise_member_data(member)
    effects = None if member.anonymised_at else preview_member_anonymisation(member)
    context = {
        "page": "members",
        "member": member,
        "records": [_lines(record) for record in stored.records],
        "stored": stored,
        "acts": member.acts.select_related("by"),
        "effects": effects,
        "changes": _changes(effects) if effects else [],
    }
    return render(request, "desk/members/stored_data.html", context)


@require_GET
@general_page("member-data-file", access=Access.ORGANISER)
def stored_data_file(request: HttpRequest, pk: int) -> HttpResponse:
    """Send everything stored about a member, as a file for that person."""
    member = get_object_or_404(Member, pk=pk, merged_into=None)
    response = JsonResponse(member_data(member), json_dumps_params={"ensure_ascii": False, "indent": 1})
    response["Content-Disposition"] = f'attachment; filename="member-{member.pk}.json"'
    response["Cache-Control"] = "no-store"
    return response


def _anonymise(request: HttpRequest, member: Member) -> str:
    if "confirmed" not in request.POST:
        raise Refused(_("Tick the box to confirm that the name goes for good."))
    anonymise_member(member=member, by=user_of(request), now=utc_now())
    return _("The member is anonymised; the results stay under a pseudonym.")


def _lines(record: Member) -> list[tuple[str, str]]:
    """The filled fields of a record with their titles."""
    titles = member_field_titles()
    values = [(titles[name], getattr(record, name)) for name in MEMBER_FIELDS]
    return [(title, format_value(value)) for title, value in values if value not in ("", None, False)]


def _changes(effects: MemberAnonymisation) -> list[str]:
    """The effects of anonymising, one sentence each."""
    named = ", ".join(Truncator(event.name).chars(60) for event in effects.events[:MOST_NAMED])
    more = ", …" if len(effects.events) > MOST_NAMED else ""
    sentences = [
        _("Name, licence, year of birth, address, note and all other fields but the category are deleted."),
        _("In these events the player gets a pseudonym, and the sheets that Multiplo has made are deleted: %(events)s.")
        % {"events": named + more}
        if effects.events
        else "",
        _("Imported results lose name and licence: %(n)d.") % {"n": effects.imported} if effects.imported else "",
        _("The merged records are anonymised too.") if effects.records > 1 else "",
        _("Results stay in seasons and rankings. Backups, saved files and sheets on paper are not changed."),
    ]
    return [sentence for sentence in sentences if sentence]
