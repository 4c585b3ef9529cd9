"""Pages of rules: those of a profile, and those of an event, which can be changed before it begins."""

from __future__ import annotations

from typing import cast

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from engine.archive.schema import LexiconEntry, agreed_words
from engine.rules.profile import load_profile, profile_codes
from engine.rules.rules_text import rule_page
from referee.desk import registry
from referee.desk.access import desk_page, general_page
from referee.desk.desk import Desk
from referee.desk.events.rules_form import RulesForm
from referee.desk.events.rules_in_play import RulesInPlay
from referee.desk.registry import Access
from referee.security.permissions import DIRECTOR, STAFF
from tournaments.enums import GameState
from tournaments.errors import Refused
from tournaments.events.services.rule_changes import change_rules, may_change_rules
from tournaments.lexicons.names import profile_name, setup_name, word_list_sentences
from tournaments.now import utc_now
from tournaments.play.position import profile_of, variant_of
from tournaments.results.queries.archive import lexicon_entry


@require_GET
@general_page("rules-of-profile", access=Access.ORGANISER)
def rules_of_profile(request: HttpRequest) -> HttpResponse:
    """Show the rules of a profile: as a part of the form for a new event, or as a page."""
    code = request.GET.get("profile", "")
    if code not in profile_codes():
        raise Http404
    if getattr(request, "htmx", False):
        return render(request, "desk/events/_new_event_rules.html", {"rules_form": RulesForm(code=code)})
    rules = load_profile(code)
    context = {"title": profile_name(rules), "groups": rule_page(rules, translate=_)}
    return render(request, "desk/events/profile_rules.html", context)


@desk_page("rules", get=STAFF, post=DIRECTOR, spoiler=False)
def rules_of_event(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Show the rules of the present game; a POST changes switches, resets them, or selects another profile."""
    profile, variant = profile_of(desk.game), variant_of(desk.game)
    form = None
    if desk.game.profile in profile_codes():
        form = RulesForm(request.POST or None, code=desk.game.profile, current=profile, variant=variant)
    if request.method == "POST" and _apply_changes(request, desk, form):
        return redirect("desk:rules", desk.code)
    words = cast(LexiconEntry, lexicon_entry(desk.game))
    context = {
        "event": desk.event,
        "page": "rules",
        "title": setup_name(profile, variant, desk.game.turn_seconds),
        "groups": rule_page(profile, variant, _),
        "words": word_list_sentences(words, profile),
        "agreed": "\n".join(ruling["word"] for ruling in agreed_words(words)),
        "may_agree": desk.room.is_drawing and desk.game.state != GameState.FINISHED,
        "rules_form": form,
        "is_director": registry.may_open(desk.role, "rules", "POST"),
        "may_change": may_change_rules(desk.game),
        "in_play": RulesInPlay(desk.game) if form and desk.game.state == GameState.RUNNING else None,
        "profiles": [(code, profile_name(load_profile(code))) for code in profile_codes()],
        "code": desk.game.profile,
    }
    return render(request, "desk/events/rules.html", context)


def _apply_changes(request: HttpRequest, desk: Desk, form: RulesForm | None) -> bool:
    """Apply the posted form; return False if it has faults, which the form then shows."""
    code = request.POST.get("profile", desk.game.profile)
    edited = "profile" not in request.POST and "reset" not in request.POST
    if edited and form is not None and not form.sound:
        return False
    switches = form.overrides if edited and form is not None else {}
    try:
        change_rules(game=desk.game, profile=code, switches=switches, by=desk.user, now=utc_now())
    except Refused as refused:
        messages.error(request, refused.sentence)
    else:
        messages.success(request, _("The rules of the game are these now."))
    return True
