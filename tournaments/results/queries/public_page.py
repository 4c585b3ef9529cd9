"""Data of the public page of an event: only turns that every room has been shown.

Later turns are not queried. A page is found by its token only; it does not show the code of the event.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Sum
from django.utils.crypto import constant_time_compare, salted_hmac

from tournaments.enums import GameState
from tournaments.models import Game, Player, PracticeLink, PublicPage, Room
from tournaments.play.queries.phases import is_over
from tournaments.results.queries.results import last_turn_shown
from tournaments.results.queries.standings_state import (
    StandingsState,
    decide_state,
    has_rounds_ahead,
    is_unsettled,
)

_KEY_DIGITS = 20


@dataclass(frozen=True, slots=True)
class Version:
    """State of the public pages of an event: they do not change while it is the same."""

    event_id: int
    page: tuple[object, ...]
    games: tuple[int | None, ...]
    rooms: tuple[int | None, ...]
    settled: bool


def page_of(token: str) -> PublicPage | None:
    """The page with this token, and its event, if it is switched on; otherwise None."""
    return PublicPage.objects.select_related("event").filter(token=token, is_on=True).first()


def version_of(page: PublicPage, now: datetime) -> Version:
    """State on which all pages of the event depend, in a few queries.

    It changes when the time for appeals is over, since results are final from then on.
    """
    event = page.event
    games = Game.objects.filter(event=event).aggregate(number=Count("pk"), sum=Sum("seq"))
    followers = _siblings_of_event(event.pk)
    rooms = Room.objects.filter(event=event).aggregate(number=Count("pk"), sum=Sum("seq"))
    practices = PracticeLink.objects.filter(closed_at=None).count()
    about = event.name, event.date, event.place, event.forgotten_at
    settings = page.token, page.is_on, page.delay, page.own_sheets, page.may_be_found, *about
    played = (games["number"], games["sum"], followers, practices)
    over = list(Game.objects.filter(event=event, state=GameState.FINISHED))
    settled = not over or not is_unsettled(over, None, now)
    return Version(event.pk, settings, played, (rooms["number"], rooms["sum"]), settled)


def count_known_turns(game: Game, delay: int) -> int:
    """Number of turns of a game that the page may show.

    These are shown in every room and in all other games of the same script; `delay` fewer until the game is over.
    """
    shown = min([last_turn_shown(game), *_turns_shown_in_siblings(game)])
    return shown if is_finished(game) else max(0, shown - delay)


def is_finished(game: Game) -> bool:
    """Return whether the whole game may be shown: it is over in every room and in all other games of its script."""
    if not is_over(game):
        return False
    everything = last_turn_shown(game)
    others_know = min([everything, *_turns_shown_in_siblings(game)])
    return others_know == everything


def state_of_game(page: PublicPage, game: Game, now: datetime) -> StandingsState:
    """The state of the standings of a game on the page."""
    over = is_finished(game)
    return decide_state(
        single=True,
        over=over,
        unsettled=over and is_unsettled([game], None, now),
        turn=count_known_turns(game, page.delay),
    )


def state_of_event(games: Sequence[Game], now: datetime) -> StandingsState:
    """The state of the standings of the event on the page."""
    over = all(map(is_finished, games)) and not has_rounds_ahead(games[0].event)
    return decide_state(single=False, over=over, unsettled=over and is_unsettled(games, None, now), turn=0)


def get_shown_room(game: Game) -> Room | None:
    """The room whose results the page shows: the event's only room; None for several rooms."""
    rooms = list(Room.objects.filter(event=game.event_id)[:2])
    return rooms[0] if len(rooms) == 1 else None


def may_have_players_behind(game: Game) -> bool:
    """Return whether another game of this script is not over."""
    return bool(_turns_shown_in_siblings(game))


def sheet_key(page: PublicPage, player: Player) -> str:
    """Token of a player's own page.

    It is derived from the secret key and the page's token: it is not stored, and changes with the page's address.
    """
    text = f"{page.token}:{player.pk}"
    return salted_hmac("multiplo.public-sheet", text, algorithm="sha256").hexdigest()[:_KEY_DIGITS]


def player_by_key(page: PublicPage, table: int, key: str) -> Player | None:
    """The player with this token; None if players have no own pages or the event is anonymised."""
    if not has_own_sheets(page):
        return None
    player = Player.objects.filter(event=page.event_id, table=table).select_related("event").first()
    return player if player is not None and constant_time_compare(key, sheet_key(page, player)) else None


def has_own_sheets(page: PublicPage) -> bool:
    """Return whether players have their own pages."""
    return page.is_on and page.own_sheets and page.event.forgotten_at is None


def _turns_shown_in_siblings(game: Game) -> list[int]:
    """Number of turns shown in each other unfinished game of the same script; later turns are secret there."""
    if game.prepared_id is None:
        return []
    siblings = Game.objects.filter(prepared=game.prepared_id).exclude(pk=game.pk).select_related("event")
    return [last_turn_shown(sibling) for sibling in siblings if not is_over(sibling)]


def _siblings_of_event(event_id: int) -> int | None:
    scripts = Game.objects.filter(event=event_id, prepared__isnull=False).values("prepared")
    followers: int | None = Game.objects.filter(prepared__in=scripts).aggregate(sum=Sum("seq"))["sum"]
    return followers
