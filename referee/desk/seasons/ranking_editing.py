"""Forms of a ranking: new from a preset, changed with a preview of who moves, moved among the others, deleted."""

from __future__ import annotations

import json

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from engine.bounded_input import parse_whole_number
from engine.seasons.presets import PRESET_BY_CODE, PRESETS, RankingPreset
from engine.seasons.ranking_rule import RankingRule, read_rule, rule_as_json
from engine.seasons.rule_text import describe_rule
from referee.desk.access import general_page
from referee.desk.registry import Access
from referee.desk.seasons.changes import ChangePreview, preview_of
from referee.desk.seasons.forms import RankingForm
from tournaments.errors import Refused
from tournaments.models import Ranking, Season
from tournaments.seasons.queries.rank_changes import preview_rule
from tournaments.seasons.services import seasons
from tournaments.seasons.services.summaries import try_refresh_summaries


@require_http_methods(["GET", "HEAD", "POST"])
@general_page("ranking-new", access=Access.ORGANISER)
def new_ranking(request: HttpRequest, season: int) -> HttpResponse:
    """Add a ranking to a season, from the preset in the address or from the first one."""
    stored = get_object_or_404(Season, pk=season)
    preset = _preset_of(request) or PRESETS[0]
    form = RankingForm(request.POST or None, initial=RankingForm.initial_of(_(preset.title), preset.rule))
    if request.method == "POST" and form.is_valid() and form.rule is not None:
        try:
            ranking = seasons.create_ranking(stored, form.cleaned_data["name"], form.rule)
            messages.success(request, _("The ranking is created."))
            return redirect(f"{reverse('desk:season', args=[stored.pk])}?ranking={ranking.pk}")
        except Refused as refused:
            form.add_error(None, refused.sentence)
    return _form_page(request, stored, None, form, preset.rule)


@require_http_methods(["GET", "HEAD", "POST"])
@general_page("ranking-edit", access=Access.ORGANISER)
def edit_ranking(request: HttpRequest, season: int, ranking: int) -> HttpResponse:
    """Change a ranking; who moves is shown before another rule is stored."""
    stored = get_object_or_404(Ranking.objects.select_related("season"), pk=ranking, season=season)
    try_refresh_summaries()
    old_rule, preset = read_rule(stored.rule), _preset_of(request)
    rule = preset.rule if preset else old_rule
    form, preview = RankingForm(request.POST or None, initial=RankingForm.initial_of(stored.name, rule)), None
    if request.method == "POST" and form.is_valid() and form.rule is not None:
        rule = form.rule
        if rule == old_rule or request.POST.get("previewed") == _seal(rule):
            try:
                seasons.change_ranking(stored, form.cleaned_data["name"], rule)
                messages.success(request, _("The ranking is saved."))
                return redirect(f"{reverse('desk:season', args=[season])}?ranking={stored.pk}")
            except Refused as refused:
                form.add_error(None, refused.sentence)
        else:
            preview = preview_of(preview_rule(stored, rule))
    return _form_page(request, stored.season, stored, form, rule, preview)


@require_POST
@general_page("ranking-move", access=Access.ORGANISER)
def move_ranking(request: HttpRequest, season: int, ranking: int) -> HttpResponse:
    """Put a ranking at the posted `position` among those of its season."""
    stored = get_object_or_404(Ranking.objects.select_related("season"), pk=ranking, season=season)
    seasons.move_ranking(stored, parse_whole_number(request.POST.get("position", "")) or 0)
    messages.success(request, _("The order of the rankings is saved."))
    return redirect("desk:season-edit", season)


@require_POST
@general_page("ranking-delete", access=Access.ORGANISER)
def delete_ranking(request: HttpRequest, season: int, ranking: int) -> HttpResponse:
    """Delete a ranking; events and results stay."""
    stored = get_object_or_404(Ranking.objects.select_related("season"), pk=ranking, season=season)
    seasons.delete_ranking(stored)
    messages.success(request, _("The ranking “%(name)s” is deleted.") % {"name": stored.name})
    return redirect("desk:season-edit", season)


def _preset_of(request: HttpRequest) -> RankingPreset | None:
    return PRESET_BY_CODE.get(request.GET.get("preset", ""))


def _form_page(
    request: HttpRequest,
    season: Season,
    ranking: Ranking | None,
    form: RankingForm,
    rule: RankingRule,
    preview: ChangePreview | None = None,
) -> HttpResponse:
    context = {
        "season": season,
        "ranking": ranking,
        "form": form,
        "text": describe_rule(rule, _),
        "presets": [(preset, describe_rule(preset.rule, _)) for preset in PRESETS],
        "previews": None if preview is None else [preview],
        "previewed": "" if preview is None else _seal(rule),
        "page": "seasons",
    }
    return render(request, "desk/seasons/ranking.html", context, status=422 if form.errors else 200)


def _seal(rule: RankingRule) -> str:
    """Return the text by which the form states for which rule it has shown who moves."""
    return json.dumps(rule_as_json(rule))
