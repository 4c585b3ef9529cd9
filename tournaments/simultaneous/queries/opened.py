"""The games of a package that the club has opened."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.enums import GameState
from tournaments.models import Game, OpenedPackage, PreparedGame
from tournaments.play.queries.phases import is_over


@dataclass(frozen=True, slots=True)
class OpenedGame:
    """Game of a package: `game` is null before it is begun; `may_begin`: the games before it are over."""

    number: int
    prepared: PreparedGame
    game: Game | None
    is_over: bool
    may_begin: bool


@dataclass(frozen=True, slots=True)
class OpenedGames:
    """All games of a package. `may_return`: at least one was begun, and all that were begun are over."""

    games: Sequence[OpenedGame]
    may_return: bool


def opened_games(opened: OpenedPackage) -> OpenedGames:
    """Return the games in their order."""
    played = {game.prepared_id: game for game in Game.objects.filter(event=opened.event, prepared__opened_from=opened)}
    games: list[OpenedGame] = []
    before_is_over = True
    for number, prepared in enumerate(opened.prepared.order_by("pk"), 1):
        game = played.get(prepared.pk)
        over = game is not None and game.state == GameState.FINISHED and is_over(game)
        games.append(OpenedGame(number, prepared, game, over, game is None and before_is_over))
        before_is_over = over
    begun = [each for each in games if each.game is not None]
    return OpenedGames(games, bool(begun) and all(each.is_over for each in begun))
