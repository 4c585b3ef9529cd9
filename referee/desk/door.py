"""In and out: the log-in with a password, and one's own account. Most judges come by a link and need neither."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import authenticate, login, logout, update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from referee.desk.posted import way_back
from referee.security import attempts, gate
from referee.security.log_lines import logged
from tournaments.errors import Refused
from tournaments.models import Membership
from tournaments.services.staff import set_password
from tournaments.validators import one_line

LONGEST = 200


@sensitive_post_parameters("password")
@require_http_methods(["GET", "POST"])
def locked(request: HttpRequest) -> HttpResponse:
    """How to get in, for somebody who is not: by a link, or by user name and password."""
    if request.method != "POST":
        return _door(request, "", 403)
    username, password = (
        one_line(request.POST.get("username", ""))[:LONGEST],
        request.POST.get("password", "")[:LONGEST],
    )
    wait = attempts.pause(gate.address_of(request))
    if wait:
        return _door(request, attempts.wait_sentence(wait), 429)
    user = authenticate(request, username=username, password=password)
    if user is not None:
        login(request, user)
        return redirect(way_back(request, reverse("desk:events")))
    if attempts.locked_out(request):
        return _door(request, attempts.locked_sentence(), 429)
    return logged(_door(request, _("User name and password do not belong together: type them again."), 403))


@require_POST
def log_out(request: HttpRequest) -> HttpResponse:
    """Leave this device."""
    logout(request)
    return redirect("desk:locked")


@sensitive_post_parameters("password", "old_password")
@require_http_methods(["GET", "POST"])
@login_required
def account(request: HttpRequest) -> HttpResponse:
    """One's own account: the user name, a password of one's own, the way out."""
    user = request.user
    assert isinstance(user, User)  # noqa: S101  login_required let nobody else pass
    if request.method == "POST":
        try:
            _demand_old_password(request, user)
            set_password(user=user, password=request.POST.get("password", "")[:LONGEST], by=user)
        except Refused as refused:
            messages.error(request, refused.sentence)
        else:
            update_session_auth_hash(request, user)
            messages.success(request, _("The password is set; your other devices have to log in anew."))
        return redirect("desk:account")
    places = Membership.objects.filter(user=user).select_related("event").order_by("-event__date", "-event_id")
    return render(request, "desk/account.html", {"places": places})


def _demand_old_password(request: HttpRequest, user: User) -> None:
    """Whoever sits down at a device that was left open does not make the account his own."""
    if not user.has_usable_password():
        return
    if wait := attempts.pause(gate.address_of(request)):
        raise Refused(attempts.wait_sentence(wait))
    if not user.check_password(request.POST.get("old_password", "")[:LONGEST]):
        raise Refused(_("The present password is another one: type it again, or ask the director for a new one."))


def _door(request: HttpRequest, sentence: str, status: int) -> HttpResponse:
    context = {
        "sentence": sentence,
        "next": (request.POST.get("next") or request.GET.get("next", "")).partition("?")[0],
        "username": request.POST.get("username", "")[:LONGEST],
    }
    return render(request, "desk/locked.html", context, status=status)
