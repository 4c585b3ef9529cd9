"""Addresses of the API, version 1. docs/api.md explains them."""

from __future__ import annotations

from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from ninja import NinjaAPI, Path, Query
from ninja.errors import ValidationError

from referee.api import content
from referee.api.access import BearerToken
from referee.api.answers import answer_event, answer_event_list, answer_season
from referee.api.schemas import (
    EventDetail,
    EventList,
    Fault,
    GameDetail,
    RankingDetail,
    SeasonList,
    Standings,
)
from tournaments.models import Ranking, Season
from tournaments.now import utc_now

MOST = 2_147_483_647
Number = Annotated[int, Path(ge=1, le=MOST)]
Part = Annotated[int, Query(ge=1, le=MOST)]
_FAULTS: dict[Any, Any] = dict.fromkeys((401, 404, 422, 429), Fault)

api = NinjaAPI(
    title="Multiplo",
    version="1",
    description="Events, standings, games and seasons of a club, as far as their public pages tell them. Read only.",
    docs_url=None,
    openapi_url=None,
    urls_namespace="api",
    auth=BearerToken(),
)


@api.exception_handler(ValidationError)
def invalid(request: HttpRequest, fault: ValidationError) -> HttpResponse:
    """Say which number of the address is wrong."""
    names = ", ".join(sorted({str(each["loc"][-1]) for each in fault.errors}))
    return api.create_response(request, {"detail": f"Write a whole number from 1 to {MOST} for: {names}."}, status=422)


@api.get("/openapi.json", include_in_schema=False, url_name="openapi")
def openapi(request: HttpRequest) -> dict[str, Any]:
    """Describe this API in OpenAPI."""
    root = request.path.removesuffix("openapi.json")
    return dict(api.get_openapi_schema(path_prefix=root))


@api.get(
    "/events", operation_id="list_events", url_name="list_events", response={200: EventList, **_FAULTS}, tags=["events"]
)
def events(request: HttpRequest, part: Part = 1) -> HttpResponseBase:
    """List the events, newest first, 100 in a part."""
    return answer_event_list(request, part, lambda: content.build_event_list(part))


@api.get(
    "/events/{event}",
    operation_id="get_event",
    url_name="get_event",
    response={200: EventDetail, **_FAULTS},
    tags=["events"],
)
def event(request: HttpRequest, event: Number) -> HttpResponseBase:
    """Show an event with its games."""
    return answer_event(request, event, "event", content.build_event)


@api.get(
    "/events/{event}/standings",
    operation_id="get_event_standings",
    response={200: Standings, **_FAULTS},
    tags=["standings"],
)
def event_standings(request: HttpRequest, event: Number, part: Part = 1) -> HttpResponseBase:
    """Show the standings over all games of an event, 500 lines in a part."""
    return answer_event(
        request, event, f"standings {part}", lambda page: content.build_event_standings(page, part, utc_now())
    )


@api.get(
    "/events/{event}/games/{game}",
    operation_id="get_game",
    url_name="get_game",
    response={200: GameDetail, **_FAULTS},
    tags=["games"],
)
def game(request: HttpRequest, event: Number, game: Number) -> HttpResponseBase:
    """Show a game with its published turns."""
    return answer_event(request, event, f"game {game}", lambda page: content.build_game(page, game))


@api.get(
    "/events/{event}/games/{game}/standings",
    operation_id="get_game_standings",
    response={200: Standings, **_FAULTS},
    tags=["standings"],
)
def game_standings(request: HttpRequest, event: Number, game: Number, part: Part = 1) -> HttpResponseBase:
    """Show the standings of a game, 500 lines in a part."""
    return answer_event(
        request,
        event,
        f"standings {game} {part}",
        lambda page: content.build_game_standings(page, game, part, utc_now()),
    )


@api.get(
    "/seasons",
    operation_id="list_seasons",
    url_name="list_seasons",
    response={200: SeasonList, **_FAULTS},
    tags=["seasons"],
)
def seasons(request: HttpRequest) -> HttpResponseBase:
    """List the seasons with their rankings, newest first."""
    return answer_season(
        request, "seasons", lambda: content.build_season_list(Season.objects.prefetch_related("rankings"))
    )


@api.get(
    "/seasons/{season}/rankings/{ranking}",
    operation_id="get_ranking",
    response={200: RankingDetail, **_FAULTS},
    tags=["seasons"],
)
def ranking(request: HttpRequest, season: Number, ranking: Number) -> HttpResponseBase:
    """Show a ranking of a season. Members who did not agree to be published have no name."""

    def make() -> RankingDetail | None:
        found = Ranking.objects.select_related("season").filter(pk=ranking, season=season).first()
        return None if found is None else content.build_ranking(found)

    return answer_season(request, f"ranking {season} {ranking}", make)
