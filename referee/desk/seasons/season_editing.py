"""Forms of a season: new, its name and dates, the events that count; and its deletion."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from engine.bounded_input import parse_whole_number
from engine.seasons.presets import PRESET_BY_CODE, PRESETS
from referee.desk.access import general_page
from referee.desk.registry import Access
from referee.desk.seasons.changes import preview_of
from referee.desk.seasons.forms import SeasonForm
from tournaments.errors import Refused
from tournaments.models import EventSummary, Season
from tournaments.seasons.queries.rank_changes import preview_events
from tournaments.seasons.queries.seasons import list_event_choices, propose_dates, propose_name
from tournaments.seasons.services import seasons
from tournaments.seasons.services.summaries import try_refresh_summaries


@require_http_methods(["GET", "HEAD", "POST"])
@general_page("season-new", access=Access.ORGANISER)
def new_season(request: HttpRequest) -> HttpResponse:
    """Create a season with a ranking by one of the presets."""
    starts, ends = propose_dates(timezone.localdate())
    initial = {"name": propose_name(starts, ends), "starts": starts, "ends": ends}
    form = SeasonForm(request.POST or None, initial=initial)
    preset = PRESET_BY_CODE.get(request.POST.get("preset", ""), PRESETS[0])
    if request.method == "POST" and form.is_valid():
        try:
            season = seasons.create_season(form.fields_of_season, [(_(preset.title), preset.rule)])
            messages.success(request, _("The season is created."))
            return redirect("desk:season", season.pk)
        except Refused as refused:
            form.add_error(None, refused.sentence)
    context = {"form": form, "presets": PRESETS, "preset": preset.code, "page": "seasons"}
    return render(request, "desk/seasons/new_season.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@general_page("season-edit", access=Access.ORGANISER)
def edit_season(request: HttpRequest, season: int) -> HttpResponse:
    """Change name, dates and filter of a season; who moves is shown before other dates are stored."""
    stored = get_object_or_404(Season, pk=season)
    try_refresh_summaries()
    form = SeasonForm(request.POST or None, initial=SeasonForm.initial_of(stored))
    previews = None
    if request.method == "POST" and form.is_valid():
        fields = form.fields_of_season
        try:
            if _counts_same_events(stored, fields) or request.POST.get("previewed") == _seal(fields):
                seasons.change_season(stored, fields)
                messages.success(request, _("The season is saved."))
                return redirect("desk:season", stored.pk)
            changed = Season(pk=stored.pk)
            seasons.set_fields(changed, fields)
            previews = [preview_of(each) for each in preview_events(changed, exceptions=_exceptions(stored))]
        except Refused as refused:
            form.add_error(None, refused.sentence)
    context = {
        "season": stored,
        "form": form,
        "rankings": stored.rankings.all(),
        "previews": previews,
        "previewed": _seal(form.fields_of_season) if previews is not None else "",
        "page": "seasons",
    }
    return render(request, "desk/seasons/edit_season.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@general_page("season-events", access=Access.ORGANISER)
def season_events(request: HttpRequest, season: int) -> HttpResponse:
    """Choose by hand the events that count; who moves is shown before the choice is stored."""
    stored = get_object_or_404(Season, pk=season)
    try_refresh_summaries()
    exceptions, previews, refusal = _exceptions(stored), None, ""
    if request.method == "POST":
        chosen = _read_choices(request.POST)
        exceptions |= chosen
        if request.POST.get("previewed") == _seal(sorted(chosen.items())):
            try:
                seasons.choose_events(stored, chosen)
                messages.success(request, _("The events are saved."))
                return redirect("desk:season", stored.pk)
            except Refused as refused:
                refusal = refused.sentence
        else:
            previews = [preview_of(each) for each in preview_events(stored, exceptions=exceptions)]
    choices = list_event_choices(stored, exceptions)
    context = {
        "season": stored,
        "choices": choices,
        "others": EventSummary.objects.exclude(pk__in=[each.summary.pk for each in choices]).order_by("-date", "-pk"),
        "previews": previews,
        "previewed": "" if previews is None else _seal(sorted(_read_choices(request.POST).items())),
        "refusal": refusal,
        "page": "seasons",
    }
    return render(request, "desk/seasons/season_events.html", context, status=422 if refusal else 200)


@require_POST
@general_page("season-delete", access=Access.ORGANISER)
def delete_season(request: HttpRequest, season: int) -> HttpResponse:
    """Delete a season with its rankings; events and results stay."""
    stored = get_object_or_404(Season, pk=season)
    seasons.delete_season(stored)
    messages.success(
        request, _("“%(name)s” is deleted; its events and their results are still there.") % {"name": stored}
    )
    return redirect("desk:seasons")


def _counts_same_events(season: Season, fields: seasons.SeasonFields) -> bool:
    """Return True if at most the name of the season differs."""
    stored = (season.starts, season.ends, season.name_contains)
    return stored == (fields.starts, fields.ends, fields.name_contains)


def _seal(previewed: object) -> str:
    """Return the text by which a form states for which values it has shown who moves."""
    return str(previewed)


def _exceptions(season: Season) -> dict[int, bool]:
    return dict(season.exceptions.values_list("summary", "counts"))


def _read_choices(post: QueryDict) -> dict[int, bool]:
    """Read the ticked events among those that the form showed, and another one that is to count."""
    shown, ticked = _numbers(post, "shown"), set(_numbers(post, "counts"))
    return {pk: pk in ticked for pk in shown} | dict.fromkeys(_numbers(post, "other"), True)


def _numbers(post: QueryDict, name: str) -> list[int]:
    numbers = [parse_whole_number(text, digits=12) for text in post.getlist(name)]
    return [number for number in numbers if number is not None]
