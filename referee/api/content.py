"""Content of the answers. All data comes from the queries of the public page, so that nothing is told early."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

from django.urls import reverse

from referee.api.schemas import (
    EventDetail,
    EventLine,
    EventList,
    GameDetail,
    GameLine,
    RankingDetail,
    RankingLine,
    RankingLink,
    SeasonLine,
    SeasonList,
    Standings,
    StandingsLine,
    Turn,
)
from tournaments.models import Event, Game, PublicPage, Ranking, Season
from tournaments.publishing.queries.public_events import describe_line, describe_turn, games_of, list_events
from tournaments.publishing.queries.public_seasons import public_ranking
from tournaments.results.queries.event_results import event_places
from tournaments.results.queries.public_game import public_board, public_standings, public_turns
from tournaments.results.queries.public_page import count_known_turns, is_finished, state_of_event, state_of_game
from tournaments.seasons.queries.results import list_counting_events

EVENTS_A_PART = 100
LINES_A_PART = 500


def build_event_list(part: int) -> EventList | None:
    """Build a part of the list of events; None if there are not so many parts."""
    events, number = list_events((part - 1) * EVENTS_A_PART, EVENTS_A_PART)
    parts = _parts(number, EVENTS_A_PART)
    if part > parts:
        return None
    lines = [EventLine(**_event_facts(each.event, each.page), games=each.games) for each in events]
    return EventList(events=lines, part=part, parts=parts)


def build_event(page: PublicPage) -> EventDetail:
    """Build an event."""
    shown = page if page.is_on else None
    games = [GameLine(**_game_facts(page, game)) for game in games_of(page.event)]
    return EventDetail(**_event_facts(page.event, shown), games=games)


def build_game(page: PublicPage, number: int) -> GameDetail | None:
    """Build a game; None if there is none."""
    game = _game(page, number)
    if game is None:
        return None
    return GameDetail(
        **_game_facts(page, game),
        event=page.event.pk,
        board=public_board(page, game).rows,
        turns=[Turn(**describe_turn(turn)) for turn in public_turns(page, game)],
    )


def build_game_standings(page: PublicPage, number: int, part: int, now: datetime) -> Standings | None:
    """Build a part of the standings of a game; None if there is none."""
    game = _game(page, number)
    return None if game is None else _game_standings(page, game, part, now)


def build_event_standings(page: PublicPage, part: int, now: datetime) -> Standings | None:
    """Build a part of the standings over all games, which in an event of one game are those of the game."""
    games = games_of(page.event)
    if len(games) == 1:
        return _game_standings(page, games[0], part, now)
    places = event_places(page.event, {game.number: count_known_turns(game, page.delay) for game in games})
    return _standings(
        lambda start, end: [StandingsLine(**describe_line(place)) for place in places[start:end]],
        len(places),
        part,
        event=page.event.pk,
        game=None,
        state=state_of_event(games, now).stage.value,
        after_turn=None,
    )


def build_season_list(seasons: Iterable[Season]) -> SeasonList:
    """Build the list of seasons."""
    return SeasonList(
        seasons=[
            SeasonLine(
                id=season.pk,
                name=season.name,
                starts=season.starts,
                ends=season.ends,
                rankings=[RankingLink(id=each.pk, name=each.name) for each in season.rankings.all()],
            )
            for season in seasons
        ]
    )


def build_ranking(ranking: Ranking) -> RankingDetail:
    """Build a ranking of a season."""
    lines = [
        RankingLine(rank=line.rank, name=line.name, group=line.group, value=line.value, events=line.events)
        for line in public_ranking(ranking)
    ]
    return RankingDetail(
        season=ranking.season_id,
        id=ranking.pk,
        name=ranking.name,
        events=len(list_counting_events(ranking.season)),
        lines=lines,
    )


def _game_standings(page: PublicPage, game: Game, part: int, now: datetime) -> Standings | None:
    start = (part - 1) * LINES_A_PART
    rows, number = public_standings(page, game, start, LINES_A_PART)
    return _standings(
        lambda _start, _end: [StandingsLine(**describe_line(row)) for row in rows],
        number,
        part,
        event=page.event.pk,
        game=game.number,
        state=state_of_game(page, game, now).stage.value,
        after_turn=count_known_turns(game, page.delay),
    )


def _standings(
    lines: Callable[[int, int], list[StandingsLine]], number: int, part: int, **facts: Any
) -> Standings | None:
    parts, start = _parts(number, LINES_A_PART), (part - 1) * LINES_A_PART
    if part > parts:
        return None
    return Standings(lines=lines(start, start + LINES_A_PART), part=part, parts=parts, **facts)


def _game(page: PublicPage, number: int) -> Game | None:
    return next((game for game in games_of(page.event) if game.number == number), None)


def _event_facts(event: Event, page: PublicPage | None) -> dict[str, Any]:
    return {
        "id": event.pk,
        "name": event.name,
        "date": event.date,
        "place": event.place,
        "language": event.language,
        "page": reverse("public:event", args=[page.token]) if page is not None else None,
    }


def _game_facts(page: PublicPage, game: Game) -> dict[str, Any]:
    return {
        "number": game.number,
        "edition": game.edition,
        "rules": game.profile,
        "variant": game.variant,
        "turn_count": count_known_turns(game, page.delay),
        "over": is_finished(game),
    }


def _parts(number: int, most: int) -> int:
    return max(1, -(-number // most))
