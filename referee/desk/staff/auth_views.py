"""Log-in with a password, log-out, and the user's account. Most judges log in by a link and need none of these."""

from __future__ import annotations

from collections.abc import Mapping

from django.contrib import messages
from django.contrib.auth import authenticate, login, logout, update_session_auth_hash
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from referee.desk.access import general_page, user_of
from referee.desk.form_values import get_return_url
from referee.desk.registry import Access
from referee.desk.staff.link_card import link_card
from referee.security import failure_throttle, login_throttle
from referee.security.log_lines import mark_logged
from tournaments.errors import Refused
from tournaments.models import Membership
from tournaments.staff.services.login_links import revoke_login_links
from tournaments.staff.services.staff import set_password
from tournaments.validators import one_line

LONGEST_INPUT = 200


@sensitive_post_parameters("password")
@require_http_methods(["GET", "POST"])
@general_page("locked", access=Access.ANYBODY)
def log_in(request: HttpRequest) -> HttpResponse:
    """Log in with user name and password, or explain the login link."""
    if request.method != "POST":
        return _render_log_in(request, "", 403)
    username, password = (
        one_line(request.POST.get("username", ""))[:LONGEST_INPUT],
        request.POST.get("password", "")[:LONGEST_INPUT],
    )
    wait = login_throttle.get_wait(failure_throttle.address_of(request))
    if wait:
        return _render_log_in(request, login_throttle.wait_sentence(wait), 429)
    user = authenticate(request, username=username, password=password)
    if user is not None:
        login(request, user)
        return redirect(get_return_url(request, reverse("desk:events")))
    if login_throttle.is_locked_out(request):
        return _render_log_in(request, login_throttle.locked_sentence(), 429)
    return mark_logged(_render_log_in(request, _("User name or password is wrong: type them again."), 403))


@require_POST
@general_page("log-out", access=Access.ANYBODY)
def log_out(request: HttpRequest) -> HttpResponse:
    """Log out on this device."""
    logout(request)
    return redirect("desk:locked")


@sensitive_post_parameters("password", "old_password")
@require_http_methods(["GET", "POST"])
@general_page("account", access=Access.USER)
def account(request: HttpRequest) -> HttpResponse:
    """Show the user's account: user name, password, events."""
    user = user_of(request)
    if request.method == "POST":
        try:
            _require_old_password(request, user)
            set_password(user=user, password=request.POST.get("password", "")[:LONGEST_INPUT], by=user)
        except Refused as refused:
            messages.error(request, refused.sentence)
        else:
            update_session_auth_hash(request, user)
            messages.success(request, _("The password is set; your other devices have to log in again."))
        return redirect("desk:account")
    return _account_page(request, {})


@require_POST
@general_page("account-link", access=Access.USER)
def another_device(request: HttpRequest) -> HttpResponse:
    """Show a login link of the user with its QR code, for another device."""
    return _account_page(request, link_card(request, user_of(request), reverse("desk:account-unlink")))


@require_POST
@general_page("account-unlink", access=Access.USER)
def revoke_own_links(request: HttpRequest) -> HttpResponse:
    """Void the user's login links that nobody has used yet."""
    revoke_login_links(user=user_of(request))
    messages.success(request, _("The link no longer works."))
    return redirect("desk:account")


def _account_page(request: HttpRequest, more: Mapping[str, object]) -> HttpResponse:
    places = Membership.objects.filter(user=user_of(request)).select_related("event")
    ordered = places.order_by("-event__date", "-event_id")
    response = render(request, "desk/staff/account.html", {"places": ordered, **more})
    response["Cache-Control"] = "no-store"
    return response


def _require_old_password(request: HttpRequest, user: User) -> None:
    """Require the present password, so that nobody takes over an account on an unlocked device."""
    if not user.has_usable_password():
        return
    if wait := login_throttle.get_wait(failure_throttle.address_of(request)):
        raise Refused(login_throttle.wait_sentence(wait))
    if not user.check_password(request.POST.get("old_password", "")[:LONGEST_INPUT]):
        raise Refused(_("The current password is wrong: type it again, or ask the director for a new one."))


def _render_log_in(request: HttpRequest, sentence: str, status: int) -> HttpResponse:
    context = {
        "sentence": sentence,
        "next": (request.POST.get("next") or request.GET.get("next", "")).partition("?")[0],
        "username": request.POST.get("username", "")[:LONGEST_INPUT],
    }
    return render(request, "desk/staff/locked.html", context, status=status)
