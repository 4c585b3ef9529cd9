"""The review: people of past events are linked to members, certain matches at once, uncertain ones after a question."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from referee.desk.access import general_page, user_of
from referee.desk.members.review_forms import list_questions, read_answers, tell_result
from referee.desk.registry import Access
from tournaments.errors import Refused
from tournaments.members.person_places import read_place
from tournaments.members.queries.linked_players import find_links, label_members
from tournaments.members.queries.reviews import get_review
from tournaments.members.services import links, reviews
from tournaments.now import utc_now

MOST_QUESTIONS, MOST_GUESTS, MOST_CERTAIN = 50, 100, 200
LONGEST_SEARCH = 100


@require_http_methods(["GET", "HEAD", "POST"])
@general_page("members-review", access=Access.ORGANISER)
def members_review(request: HttpRequest) -> HttpResponse:
    """Show the review; a POST does what its button `do` names."""
    if request.method == "POST":
        act = _ACTS.get(request.POST.get("do", ""))
        try:
            if act is not None:
                messages.success(request, act(request.POST, user_of(request), utc_now()))
        except Refused as refused:
            messages.error(request, refused.sentence)
        return redirect("desk:members-review")
    question = request.GET.get("q", "").strip()[:LONGEST_SEARCH]
    review = get_review()
    certain = review.certain[:MOST_CERTAIN]
    labels = label_members(person.match.certain or 0 for person in certain)
    context = {
        "review": review,
        "certain": [(person, labels.get(person.match.certain or 0, "")) for person in certain],
        "questions": list_questions(review.questions[:MOST_QUESTIONS]),
        "guests": review.guests[:MOST_GUESTS],
        "decided": review.decided[:MOST_GUESTS],
        "question": question,
        "links": find_links(question),
        "page": "members",
    }
    return render(request, "desk/members/review.html", context)


def _link_certain(post: QueryDict, user: User, now: datetime) -> str:
    linked = reviews.link_certain(shown=post.get("shown", ""), by=user, now=now)
    return ngettext("%(n)d person is linked.", "%(n)d people are linked.", linked) % {"n": linked}


def _store_answers(post: QueryDict, user: User, now: datetime) -> str:
    return tell_result(reviews.store_answers(answers=read_answers(post), by=user, now=now))


def _make_members(post: QueryDict, user: User, now: datetime) -> str:
    made = reviews.make_members(keys=_read_chosen(post), by=user, now=now)
    return ngettext("%(n)d new member.", "%(n)d new members.", made) % {"n": made}


def _ask_again(post: QueryDict, user: User, now: datetime) -> str:
    asked = reviews.ask_again(keys=_read_chosen(post))
    return ngettext("%(n)d person is asked about again.", "%(n)d people are asked about again.", asked) % {"n": asked}


def _unlink(post: QueryDict, user: User, now: datetime) -> str:
    place = read_place(post.get("place", ""))
    if place is None:
        raise Refused(_("Choose a link first."))
    member = links.unlink_place(place, by=user, now=now)
    return _("The link to %(name)s is removed.") % {"name": member.name}


def _read_chosen(post: QueryDict) -> list[str]:
    keys = post.getlist("person")
    if not keys:
        raise Refused(_("Choose people first."))
    return keys


_ACTS: Mapping[str, Callable[[QueryDict, User, datetime], str]] = {
    "link": _link_certain,
    "answer": _store_answers,
    "make": _make_members,
    "ask": _ask_again,
    "unlink": _unlink,
}
