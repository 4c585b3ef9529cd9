"""The rules on the desk: those of a profile to read, those of an event to read and, before it begins, to change."""

from __future__ import annotations

from typing import cast

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from engine.archive import LexiconEntry, agreed_words
from engine.rules.profile import load_profile, profile_codes
from engine.rules.wording import rule_page
from referee.desk.access import Desk, at_desk, for_organisers
from referee.desk.rules_form import RulesForm
from referee.desk.rules_in_play import RulesInPlay
from referee.security import rights
from tournaments.enums import GameState
from tournaments.errors import Refused
from tournaments.names import profile_name, rules_name, word_list_sentences
from tournaments.now import utc_now
from tournaments.position import formula_of, profile_of
from tournaments.selectors.archive import lexicon_entry
from tournaments.services.rules import change_rules, may_change_rules


@require_GET
@for_organisers
def rules_of_profile(request: HttpRequest) -> HttpResponse:
    """The rules of the profile that is asked for: as a part of the form of a new event, else as a page to read."""
    code = request.GET.get("profile", "")
    if code not in profile_codes():
        raise Http404
    if getattr(request, "htmx", False):
        return render(request, "desk/_rules_of_new.html", {"rules_form": RulesForm(code=code)})
    rules = load_profile(code)
    context = {"title": profile_name(rules), "groups": rule_page(rules, translate=_)}
    return render(request, "desk/rules_of_profile.html", context)


@require_http_methods(["GET", "POST"])
@at_desk
def rules_of_event(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The rules of the game on the desk; a POST changes single switches, resets them, or takes another profile."""
    profile, formula = profile_of(desk.game), formula_of(desk.game)
    form = None
    if desk.game.profile in profile_codes():
        form = RulesForm(request.POST or None, code=desk.game.profile, current=profile, formula=formula)
    if request.method == "POST" and _changed(request, desk, form):
        return redirect("desk:rules", desk.code)
    words = cast(LexiconEntry, lexicon_entry(desk.game))
    context = {
        "event": desk.event,
        "page": "rules",
        "title": rules_name(profile, formula),
        "groups": rule_page(profile, formula, _),
        "words": word_list_sentences(words, profile),
        "agreed": "\n".join(ruling["word"] for ruling in agreed_words(words)),
        "may_agree": desk.room.is_drawing and desk.game.state != GameState.FINISHED,
        "rules_form": form,
        "is_director": rights.may_open(desk.role, "rules", "POST"),
        "may_change": may_change_rules(desk.game),
        "in_play": RulesInPlay(desk.game) if form and desk.game.state == GameState.RUNNING else None,
        "profiles": [(code, profile_name(load_profile(code))) for code in profile_codes()],
        "code": desk.game.profile,
    }
    return render(request, "desk/rules.html", context)


def _changed(request: HttpRequest, desk: Desk, form: RulesForm | None) -> bool:
    """Do what the posted form asks for; False when it has a mistake that it shows itself."""
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
