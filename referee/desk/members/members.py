"""The list of members, and the pages to add and edit one."""

from __future__ import annotations

from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from referee.desk.access import general_page, user_of
from referee.desk.form_values import read_text
from referee.desk.members.forms import MemberForm
from referee.desk.registry import Access
from tournaments.errors import Refused
from tournaments.members.queries.member_list import (
    CURRENT,
    EVERYBODY,
    LEFT,
    STATES,
    MemberFilter,
    MemberList,
    get_members,
    list_members,
)
from tournaments.members.services.members import NamesakeFound, change_member, create_member
from tournaments.models import Member
from tournaments.now import utc_now

PER_PAGE, MOST_MERGEABLE = 100, 10


@require_GET
@general_page("members", access=Access.ORGANISER)
def members(request: HttpRequest) -> HttpResponse:
    """List the members that the fields of the address choose, a hundred a page."""
    chosen = read_filter(request.GET)
    listed = find_members(chosen)
    page = Paginator(listed.found, PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "page": "members",
        "chosen": chosen,
        "listed": listed,
        "shown": page,
        "members": get_members(list(page.object_list)),
        "states": [(CURRENT, _("Members now")), (LEFT, _("Left the club")), (EVERYBODY, _("Everybody"))],
        "query": urlencode({name: request.GET[name] for name in request.GET if name != "page"}),
        "is_filtered": chosen != MemberFilter(),
    }
    return render(request, "desk/members/members.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@general_page("member-new", access=Access.ORGANISER)
def new_member(request: HttpRequest) -> HttpResponse:
    """Add a member; a namesake after a question."""
    return _edit(request, None)


@require_http_methods(["GET", "HEAD", "POST"])
@general_page("member", access=Access.ORGANISER)
def edit_member(request: HttpRequest, pk: int) -> HttpResponse:
    """Edit a member. The address of a merged record leads to its member."""
    member = get_object_or_404(Member, pk=pk)
    if member.merged_into_id is not None:
        return redirect("desk:member", member.merged_into_id)
    return _edit(request, member)


def read_filter(fields: QueryDict) -> MemberFilter:
    """Read the search and the filters of the list."""
    state = read_text(fields, "state")
    return MemberFilter(
        words=read_text(fields, "q"),
        club=read_text(fields, "club"),
        category=read_text(fields, "category"),
        state=state if state in STATES else CURRENT,
    )


def find_members(chosen: MemberFilter) -> MemberList:
    """Find members in the order of the page's language."""
    return list_members(chosen, language=get_language() or "en", today=timezone.localdate())


def _edit(request: HttpRequest, member: Member | None) -> HttpResponse:
    form = MemberForm(request.POST if request.method == "POST" else None, member)
    context: dict[str, object] = {}
    if request.method == "POST" and form.is_valid():
        try:
            saved = _save(request, form, member)
            messages.success(request, _("%(name)s is saved.") % {"name": saved.name})
            return redirect("desk:members")
        except NamesakeFound as found:
            context["namesakes"] = found.namesakes
        except Refused as refused:
            context["refusal"] = refused.sentence
    context |= {
        "page": "members",
        "form": form,
        "member": member,
        "duplicates": member.duplicates.order_by("pk") if member else (),
        "searched": read_text(request.GET, "merge"),
        "mergeable": _find_mergeable(request, member) if member else (),
        "listed": find_members(MemberFilter()),
    }
    return render(request, "desk/members/member.html", context, status=422 if request.method == "POST" else 200)


def _find_mergeable(request: HttpRequest, member: Member) -> list[Member]:
    """Find members whom the user searches by `merge`, to merge them into this one."""
    words = read_text(request.GET, "merge")
    found = find_members(MemberFilter(words=words, state=EVERYBODY)).found if words else ()
    others = get_members([pk for pk in found if pk != member.pk][: MOST_MERGEABLE + 1])
    return [other for other in others if other.anonymised_at is None][:MOST_MERGEABLE]


def _save(request: HttpRequest, form: MemberForm, member: Member | None) -> Member:
    by, now, is_namesake = user_of(request), utc_now(), form.cleaned_data["is_namesake"]
    if member is None:
        return create_member(details=form.details(), by=by, now=now, is_namesake=is_namesake)
    change_member(member=member, details=form.details(), by=by, now=now, is_namesake=is_namesake)
    return member
