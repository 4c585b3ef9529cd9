"""The game that a page or a file is about: the parameter `game` of addresses and forms, and the tabs that choose it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import Http404, QueryDict
from django.utils.functional import cached_property
from django.utils.translation import gettext as _

from engine.bounded_input import parse_whole_number
from referee.desk.desk import Desk
from tournaments.errors import Refused
from tournaments.models import Game
from tournaments.play.queries.phases import game_to_show
from tournaments.results.queries.event_results import WHOLE_EVENT

GAME = "game"


@dataclass(frozen=True, slots=True)
class Tab:
    """One of several views of a page: title, address or the part of it that differs, and whether it is shown now."""

    title: str
    choice: str
    on: bool


@dataclass(frozen=True)
class GameChoice:
    """The chosen game; None stands for all games of the event."""

    desk: Desk
    only: Game | None

    @property
    def game(self) -> Game:
        """The chosen game, or the last one of the whole event."""
        return self.only or self.all_games[-1]

    @property
    def games(self) -> list[Game]:
        """The chosen games in their order."""
        return self.all_games if self.only is None else [self.only]

    @cached_property
    def all_games(self) -> list[Game]:
        """All games of the event in their order."""
        return list(Game.objects.filter(event=self.desk.event).select_related("event").order_by("number"))

    @property
    def text(self) -> str:
        """The value of the parameter."""
        return WHOLE_EVENT if self.only is None else str(self.only.number)

    @property
    def query(self) -> str:
        """The query of an address of this choice."""
        return "?" + urlencode({GAME: self.text})

    def tabs(
        self, *, with_event: bool, link: Callable[[str], str] = lambda text: "?" + urlencode({GAME: text})
    ) -> list[Tab]:
        """Return a tab for each game, after one of the whole event; empty for a single game."""
        numbers = [game.number for game in self.all_games]
        if len(numbers) < 2:
            return []
        named = [(WHOLE_EVENT, _("Whole event"))] if with_event else []
        named += [(str(number), _("Game %(number)s") % {"number": number}) for number in numbers]
        return [Tab(title, link(text), text == self.text) for text, title in named]


def find_game(desk: Desk, text: str) -> Game:
    """Return the game with this number, by default the one that the pages show; `Refused` if there is none."""
    if not text:
        return game_to_show(desk.event, desk.room)
    games = Game.objects.filter(event=desk.event, number=parse_whole_number(text) or 0)
    game = games.select_related("event").first()
    if game is None:
        raise Refused(_("There is no game %(number)s.") % {"number": text[:20]})
    return game


def read_game(desk: Desk, fields: QueryDict) -> GameChoice:
    """Return the game that an address names; 404 if there is none."""
    try:
        return GameChoice(desk, find_game(desk, fields.get(GAME, "")))
    except Refused:
        raise Http404 from None


def find_games(desk: Desk, text: str) -> GameChoice:
    """Return all games of the event, or the game with this number; `Refused` if there is none."""
    return GameChoice(desk, None if text == WHOLE_EVENT else find_game(desk, text))


def read_games(desk: Desk, fields: QueryDict) -> GameChoice:
    """Return the game, or all games of the event, that an address names; 404 if there is none."""
    return GameChoice(desk, None) if fields.get(GAME) == WHOLE_EVENT else read_game(desk, fields)
