"""Members as players of an event: ticked on a page, and its guests who are linked or become members."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import ngettext
from django.views.decorators.gzip import gzip_page

from engine.bounded_input import parse_whole_number
from referee.desk.access import desk_page
from referee.desk.desk import Desk
from referee.desk.members.review_forms import list_questions
from referee.security.permissions import DIRECTOR, STAFF
from tournaments.errors import Refused
from tournaments.members.queries.event_members import MOST_OFFERED, list_members_of_last_event, offer_members
from tournaments.members.queries.reviews import get_review
from tournaments.members.services import event_players
from tournaments.models import Event
from tournaments.now import utc_now

LONGEST_SEARCH = 100


@desk_page("event-members", get=STAFF, post=STAFF, spoiler=False)
@gzip_page
def event_members(request: HttpRequest, desk: Desk) -> HttpResponse:
    """List the members to tick; a POST adds the ticked ones, searches, or ticks those of the last event."""
    ticked = read_members(request.POST)
    refusal = ""
    if request.method == "POST" and not changes_list(request.POST):
        try:
            done = event_players.add_members(
                event=desk.event, members=ticked, room=desk.room, by=desk.user, now=utc_now()
            )
            messages.success(request, _tell_added(done))
            return redirect("desk:players", desk.code)
        except Refused as refused:
            refusal = refused.sentence
    guests = get_review(desk.event) if desk.role in DIRECTOR else None
    context = {
        "event": desk.event,
        "refusal": refusal,
        "questions": list_questions([*guests.certain, *guests.questions, *guests.guests]) if guests else [],
        "page": "players",
        **member_list_context(desk.event, request.POST),
    }
    return render(request, "desk/members/event_members.html", context, status=422 if refusal else 200)


def read_members(post: QueryDict) -> set[int]:
    """Return the numbers of the ticked members."""
    return {number for text in post.getlist("member") if (number := parse_whole_number(text)) is not None}


def changes_list(post: QueryDict) -> bool:
    """Return True if a button of the list was pressed: the page is shown again with another list."""
    return "tick_last" in post or "find_members" in post


def member_list_context(event: Event | None, post: QueryDict) -> dict[str, object]:
    """Return the variables of the template `desk/members/_member_choices.html`."""
    last, of_last = list_members_of_last_event(event)
    ticked = read_members(post) | (of_last if "tick_last" in post else set())
    question = post.get("member_search", "")[:LONGEST_SEARCH] if "find_members" in post else ""
    offered = offer_members(event, ticked, question)
    return {
        "member_choices": offered.choices,
        "members_found": offered.found,
        "most_offered": MOST_OFFERED,
        "are_members_complete": offered.is_complete and not question,
        "member_question": question,
        "ticked_members": ticked,
        "last_event": last,
    }


def _tell_added(done: event_players.AddedMembers) -> str:
    sentences = [
        ngettext("%(n)d member added.", "%(n)d members added.", done.added) % {"n": done.added} if done.added else "",
        ngettext(
            "%(n)d player is linked to the member of the same name.",
            "%(n)d players are linked to the members of the same names.",
            done.linked,
        )
        % {"n": done.linked}
        if done.linked
        else "",
    ]
    return " ".join(filter(None, sentences))
