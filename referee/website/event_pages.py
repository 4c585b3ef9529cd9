"""Pages of events: the list by year, standings, games, and every turn to replay."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from itertools import groupby

from engine.board.coordinates import Notation
from engine.standings.statistics import TurnStatistics
from referee.practice.squares import lines_of, rack_of
from referee.website.pages import Site, render_page, render_parts
from tournaments.models import Event, Game
from tournaments.publishing.queries.published_events import (
    FIRST_ROWS,
    PublishedEvent,
    published_game,
    published_game_standings,
    published_positions,
    published_standings,
    published_standings_after,
    published_state,
)
from tournaments.publishing.website_folder import WebsiteFile, WebsiteSection
from tournaments.results.queries.public_game import PublicGame, PublicPosition


def event_folder(event: Event) -> str:
    """Return the folder of an event's pages, with a slash at its end."""
    return f"events/{event.pk}/"


def event_list_pages(site: Site, events: Sequence[PublishedEvent], coming: Sequence[Event]) -> Iterator[WebsiteFile]:
    """Render the list of events: a page for each year, so that a new event changes only the newest one."""
    years = [(year, list(group)) for year, group in groupby(events, lambda each: each.event.date.year)]
    names = [(year, "index.html" if not at else f"{year}.html") for at, (year, _group) in enumerate(years)]
    if not years:
        yield render_page(site, "events/index.html", "events.html", {"coming": coming, "rows": []})
    for at, (year, group) in enumerate(years):
        context = {"coming": () if at else coming, "year": year, "years": names if len(names) > 1 else []}
        yield from render_parts(site, f"events/{names[at][1]}", "events.html", group, context)


def event_section(site: Site, published: PublishedEvent) -> WebsiteSection:
    """Return the pages of an event, which are made again only if something in them has changed."""
    facts = (site.state, published_state(published, site.now))
    state = hashlib.sha256(repr(facts).encode()).hexdigest()
    return WebsiteSection(event_folder(published.event), state, lambda: event_pages(site, published))


def event_pages(site: Site, published: PublishedEvent) -> Iterator[WebsiteFile]:
    """Render all pages of an event."""
    folder, standings = event_folder(published.event), published_standings(published, site.now)
    games = [published_game(published, game, site.now) for game in published.games]
    context = {
        "event": published.event,
        "state": standings.state,
        "rows": standings.rows[:FIRST_ROWS],
        "ranked": len(standings.rows),
        "games": [(view, _best_turn(view)) for view in games],
    }
    yield render_page(site, f"{folder}index.html", "event.html", context)
    if len(standings.rows) > FIRST_ROWS:
        title = {"event": published.event, "state": standings.state, "back": "index.html"}
        yield from render_parts(site, f"{folder}standings.html", "standings.html", standings.rows, title)
    for game, view in zip(published.games, games, strict=True):
        yield from _game_pages(site, published, game, view)


def _game_pages(site: Site, published: PublishedEvent, game: Game, view: PublicGame) -> Iterator[WebsiteFile]:
    folder, event, name = event_folder(published.event), published.event, f"game-{game.number}"
    columns, lines = lines_of(view.board, Notation(view.notation), view.new)
    context = {
        "event": event,
        "game": view,
        "columns": columns,
        "lines": lines,
        "turns": list(zip(view.turns, view.analysis.turns, strict=True)),
    }
    yield render_page(site, f"{folder}{name}.html", "game.html", context)
    if view.ranked > len(view.standings):
        rows = published_game_standings(published, game)
        title = {"event": event, "game": view, "back": f"{name}.html"}
        yield from render_parts(site, f"{folder}{name}-standings.html", "standings.html", rows, title)
    for position, figures in zip(published_positions(published, game), view.analysis.turns, strict=True):
        context = _turn_context(view, position, figures)
        rows = published_standings_after(published, game, position.turn.number)
        path = f"{folder}{name}-turn-{position.turn.number}.html"
        yield render_page(site, path, "turn.html", {"event": event, "rows": rows, **context})


def _turn_context(view: PublicGame, position: PublicPosition, figures: TurnStatistics) -> dict[str, object]:
    columns, lines = lines_of(position.after, Notation(view.notation), position.new)
    number = position.turn.number
    return {
        "game": view,
        "turn": position.turn,
        "figures": figures,
        "columns": columns,
        "lines": lines,
        "rack": rack_of(position.turn.rack, position.before),
        "earlier": number - 1,
        "later": number + 1 if number < position.last else 0,
    }


def _best_turn(view: PublicGame) -> object:
    """Return the turn with the most points on the board, the first of equal ones; None without a move."""
    return max((turn for turn in view.turns if turn.word), key=lambda turn: turn.score, default=None)
