"""Events on the club's website, with the names that may be shown there.

An event is published when it is finished, and either its public page is on or the club publishes all its events. The
data are those of the public page; a game that is played elsewhere by the same script is not finished before that one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import TypeVar

from django.db.models import Q, QuerySet

from tournaments.enums import GameState
from tournaments.models import Club, Event, Game, PublicPage
from tournaments.play.queries.phases import list_games_not_over
from tournaments.publishing.queries.public_names import UNNAMED, ShownPlayer, list_unnamed_people, public_names_in
from tournaments.results.queries.event_results import EventPlace, event_places
from tournaments.results.queries.public_game import (
    PublicGame,
    PublicPosition,
    PublicRow,
    PublicTurn,
    public_game,
    public_positions,
    public_standings,
    public_standings_after,
)
from tournaments.results.queries.public_page import count_known_turns, is_finished, state_of_event
from tournaments.results.queries.standings_state import StandingsState, has_rounds_ahead

FIRST_ROWS = 20
_ALL_ROWS = 100_000
Row = TypeVar("Row", PublicRow, EventPlace)


@dataclass(frozen=True, slots=True)
class PublishedEvent:
    """A finished event of the website. `names` are the players by table, as they may be shown."""

    event: Event
    page: PublicPage
    games: Sequence[Game]
    names: Mapping[int, ShownPlayer]

    @property
    def finished_at(self) -> datetime:
        """The end of its last game."""
        return max((game.finished_at for game in self.games if game.finished_at), default=self.event.created_at)


@dataclass(frozen=True, slots=True)
class PublishedStandings:
    """The final standings of an event, over all games if there are several, and their state."""

    rows: Sequence[PublicRow | EventPlace]
    state: StandingsState


def list_published_events(club: Club, today: date) -> list[PublishedEvent]:
    """Return the events of the website, the newest first, with their games and names."""
    pages = {page.event_id: page for page in PublicPage.objects.filter(is_on=True)}
    events = Event.objects.filter(is_rehearsal=False).order_by("-date", "-pk")
    chosen = events if club.publishes_all_events else events.filter(pk__in=pages)
    published, unnamed = [], list_unnamed_people()
    for event in chosen:
        games = list(Game.objects.filter(event=event).select_related("event").order_by("number"))
        if _is_over(event, games, today):
            page = PublicPage(event=event, delay=0, is_on=False)
            names = public_names_in(event, unnamed, with_guests=event.pk in pages)
            published.append(PublishedEvent(event, page, games, names))
    return published


def list_coming_events(club: Club, today: date) -> list[Event]:
    """Return the events of today and later that are not finished and that the club announces, the next first."""
    return list(_announced(club).filter(date__gte=today).exclude(pk__in=_finished()).order_by("date", "pk"))


def list_withheld_events() -> set[int]:
    """Return the events in which a game is still played, here or elsewhere by the same script: their words are
    secret."""
    playing = Game.objects.filter(pk__in=list_games_not_over())
    scripts = playing.filter(prepared__isnull=False).values("prepared")
    found = Game.objects.filter(Q(pk__in=playing) | Q(prepared__in=scripts))
    return set(found.values_list("event", flat=True))


def published_standings(published: PublishedEvent, now: datetime) -> PublishedStandings:
    """Return the standings over all games, or those of the only game."""
    state = state_of_event(published.games, now)
    known = {game.number: count_known_turns(game, 0) for game in published.games}
    places = event_places(published.event, known)
    if places:
        return PublishedStandings(_named(places, published.names), state)
    rows, _ranked = public_standings(published.page, published.games[-1], 0, _ALL_ROWS)
    return PublishedStandings(_named(rows, published.names), state)


def published_state(published: PublishedEvent, now: datetime) -> tuple[object, ...]:
    """Return what all pages of an event depend on: each act that changes its results counts up a `seq`."""
    event = published.event
    games = [(game.pk, game.number, game.seq) for game in published.games]
    rooms = list(event.rooms.order_by("pk").values_list("pk", "seq"))
    names = sorted((table, shown.name, shown.club) for table, shown in published.names.items())
    settled = state_of_event(published.games, now).stage.value
    return event.pk, event.name, event.date, event.place, games, rooms, names, settled


def published_game(published: PublishedEvent, game: Game, now: datetime) -> PublicGame:
    """Return a game with its turns; of the standings only the first lines."""
    view = public_game(published.page, game, now)
    return replace(
        view,
        turns=tuple(_with_name(turn, published.names) for turn in view.turns),
        standings=tuple(_named(view.standings, published.names)),
    )


def published_game_standings(published: PublishedEvent, game: Game) -> list[PublicRow]:
    """Return all standings of a game."""
    rows, _ranked = public_standings(published.page, game, 0, _ALL_ROWS)
    return _named(rows, published.names)


def published_positions(published: PublishedEvent, game: Game) -> list[PublicPosition]:
    """Return the turns of a game with the board before and after each."""
    positions = public_positions(published.page, game)
    return [replace(position, turn=_with_name(position.turn, published.names)) for position in positions]


def published_standings_after(published: PublishedEvent, game: Game, turn: int) -> list[PublicRow]:
    """Return the first lines of the standings of a game after a turn."""
    rows, _ranked = public_standings_after(game, turn, 0, FIRST_ROWS)
    return _named(rows, published.names)


def _is_over(event: Event, games: Sequence[Game], today: date) -> bool:
    """Tell if all games are over; a round that is still planned counts until the day of the event has passed."""
    if not games or any(game.state != GameState.FINISHED for game in games):
        return False
    return all(map(is_finished, games)) and (event.date < today or not has_rounds_ahead(event))


def _announced(club: Club) -> QuerySet[Event]:
    events = Event.objects.filter(is_rehearsal=False)
    if club.lists_events or club.publishes_all_events:
        return events
    return events.filter(public_page__is_on=True)


def _finished() -> QuerySet[Event]:
    """Return the events whose games are all finished."""
    return Event.objects.filter(games__isnull=False).exclude(
        Q(pk__in=Game.objects.exclude(state=GameState.FINISHED).values("event"))
    )


def _named(rows: Sequence[Row], names: Mapping[int, ShownPlayer]) -> list[Row]:
    """Give the rows the names and clubs that may be shown."""
    shown = [names.get(row.table, UNNAMED) for row in rows]
    return [replace(row, name=each.name, club=each.club) for row, each in zip(rows, shown, strict=True)]


def _with_name(turn: PublicTurn, names: Mapping[int, ShownPlayer]) -> PublicTurn:
    return replace(turn, solo=names.get(turn.solo_table, UNNAMED).name)
