"""Records that are probably one person: merging, separating, telling apart."""

from __future__ import annotations

from datetime import datetime

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from referee.desk.access import general_page, user_of
from referee.desk.form_values import get_return_url, parse_number
from referee.desk.members.field_texts import format_value
from referee.desk.registry import Access
from tournaments.errors import AlreadyDone, Refused
from tournaments.members.member_fields import member_field_titles
from tournaments.members.near_members import Likeness
from tournaments.members.queries.duplicates import LikelyDuplicate, list_likely_duplicates
from tournaments.members.services.merging import GIVEN_FIELDS, mark_distinct, merge_members, unmerge_member
from tournaments.models import Member
from tournaments.now import utc_now

PER_PAGE = 50


@require_http_methods(["GET", "HEAD", "POST"])
@general_page("member-duplicates", access=Access.ORGANISER)
def duplicates(request: HttpRequest) -> HttpResponse:
    """List likely duplicates; a POST merges `duplicate` into `kept`, or with `distinct` tells both apart,
    and returns to `next`."""
    if request.method == "POST":
        try:
            messages.success(request, _decide(request, utc_now()))
        except AlreadyDone:
            pass
        except Refused as refused:
            messages.error(request, refused.sentence)
        return redirect(get_return_url(request, reverse("desk:member-duplicates")))
    pairs = list_likely_duplicates()
    shown = Paginator(pairs, PER_PAGE).get_page(request.GET.get("page"))
    context = {"page": "members", "pairs": pairs, "shown": shown, "lines": [_line(pair) for pair in shown]}
    return render(request, "desk/members/duplicates.html", context)


@require_POST
@general_page("member-unmerge", access=Access.ORGANISER)
def unmerge(request: HttpRequest, pk: int) -> HttpResponse:
    """Separate a merged record."""
    record = get_object_or_404(Member, pk=pk)
    member = record.merged_into or record
    try:
        unmerge_member(record=record, by=user_of(request), now=utc_now())
        messages.success(request, _("The record of %(name)s is separate again.") % {"name": record.name})
    except Refused as refused:
        messages.error(request, refused.sentence)
    return redirect("desk:member", member.pk)


def _decide(request: HttpRequest, now: datetime) -> str:
    kept, duplicate = _member(request, "kept"), _member(request, "duplicate")
    if "distinct" in request.POST:
        mark_distinct(first=kept, second=duplicate, by=user_of(request), now=now)
        return _("These two members are not proposed as duplicates again.")
    merge_members(kept=kept, duplicate=duplicate, by=user_of(request), now=now)
    return _("The records are merged. Separate them on the page of %(name)s.") % {"name": kept.name}


def _member(request: HttpRequest, field: str) -> Member:
    member = Member.objects.filter(pk=parse_number(request.POST.get(field, ""))).first()
    if member is None:
        raise Refused(_("This member does not exist any more: look at the duplicates again."))
    return member


def _line(pair: LikelyDuplicate) -> dict[str, object]:
    """A pair with the fields in which they differ or which one of them has."""
    titles = member_field_titles()
    names = [name for name in GIVEN_FIELDS if name not in ("first_name", "note")]
    values = [(name, getattr(pair.first, name), getattr(pair.second, name)) for name in names]
    fields = [
        (titles[name], format_value(first), format_value(second), name in pair.against)
        for name, first, second in values
        if first != second
    ]
    against = [titles[name] for name in pair.against]
    names = [f"{member.surname} {member.first_name}".strip() for member in (pair.first, pair.second)]
    choices = [(pair.first, pair.second, *names), (pair.second, pair.first, *reversed(names))]
    return {"pair": pair, "reason": _reason(pair.likeness), "fields": fields, "against": against, "choices": choices}


def _reason(likeness: Likeness) -> str:
    return {
        Likeness.EQUAL: _("The names are equal."),
        Likeness.SWAPPED: _("Surname and first name are swapped."),
        Likeness.TYPO: _("One or two letters differ."),
        Likeness.PART: _("One name is a part of the other."),
    }[likeness]
