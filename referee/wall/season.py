"""First ranking of the season, which the wall shows between turns if a judge switched it on.

The wall requests it apart from the socket, so that no snapshot of the game waits for it. All walls of an event share an
answer for half a minute.
"""

from __future__ import annotations

from typing import Any

from django.core.cache import cache
from django.http import HttpRequest, JsonResponse
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from referee.formats.season_values import round_value
from referee.results.season_table import title_of_value
from referee.results.standings_table import ResultCell
from referee.views.hall import PHASES_WITH_SEASON
from referee.wall.views import find_room
from tournaments.models import Event
from tournaments.now import utc_now
from tournaments.play.queries.phases import game_to_show, phase_of
from tournaments.seasons.queries.wall_ranking import WallRanking, get_wall_ranking

KEPT_S = 30
EMPTY: dict[str, Any] = {"lines": []}


@require_safe
def season(request: HttpRequest, token: str) -> JsonResponse:
    """Answer with the ranking; without lines while a turn is being played or if it is switched off."""
    room = find_room(request, token)
    phase = phase_of(game_to_show(room.event, room), room, utc_now())
    is_shown = room.event.season_on_wall and phase in PHASES_WITH_SEASON
    answer = JsonResponse(_read_kept(room.event) if is_shown else EMPTY)
    answer["Cache-Control"] = "private, no-store"
    return answer


def _read_kept(event: Event) -> dict[str, Any]:
    """Return the answer of the last half minute, else a new one."""
    key = f"season-on-wall-{event.pk}"
    kept: dict[str, Any] | None = cache.get(key)
    if kept is None:
        with translation.override(event.language):
            ranking = get_wall_ranking(event)
            kept = EMPTY if ranking is None else _as_json(ranking)
        cache.set(key, kept, KEPT_S)
    return kept


def _as_json(ranking: WallRanking) -> dict[str, Any]:
    view = ranking.view
    return {
        "title": f"{view.ranking.season.name} · {view.ranking.name}",
        "events": ngettext("%(n)d event so far", "%(n)d events so far", len(view.events)) % {"n": len(view.events)},
        "note": _("Only members who agreed to be named are shown.") if ranking.unnamed else "",
        "rank": _("Rank"),
        "member": _("Member"),
        "value": title_of_value(view.rule),
        "lines": [
            {
                "rank": str(line.line.rank),
                "name": line.member.name,
                "group": " · ".join(dict.fromkeys(text for text in (line.group, line.apart) if text)),
                "value": ResultCell(round_value(line.line.value, view.rule), is_sum=True).text,
            }
            for line in ranking.lines
        ],
    }
