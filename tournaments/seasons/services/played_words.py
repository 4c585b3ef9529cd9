"""The best and the longest words of each player in an event, as they are stored with the result."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import asdict, dataclass
from typing import Any

from engine.tiles.edition import Edition
from tournaments.models import Event, Verdict
from tournaments.play.position import edition_of

MOST_WORDS = 5


@dataclass(frozen=True, slots=True)
class PlayedWord:
    """A word that got points. `points` are those of the move on the board, `tiles` the squares that the word covers."""

    word: str
    ref: str
    points: int
    tiles: int
    game: int
    turn: int
    solo: bool


@dataclass(frozen=True, slots=True)
class PlayerWords:
    """The best words of a player, best first, and the longest one; of equal words the earlier comes first."""

    best: tuple[PlayedWord, ...] = ()
    longest: PlayedWord | None = None

    def as_fields(self) -> dict[str, Any]:
        """Return the fields of `PlayerResult`."""
        return {
            "best_word": self.best[0].word if self.best else "",
            "best_points": self.best[0].points if self.best else 0,
            "best_words": [asdict(word) for word in self.best],
            "longest_word": asdict(self.longest) if self.longest else {},
            "longest_tiles": self.longest.tiles if self.longest else 0,
        }


def find_words(event: Event) -> dict[int, PlayerWords]:
    """Return the words of each player of the event who has any."""
    editions = {game.number: edition_of(game) for game in event.games.all()}
    rows = (
        Verdict.objects.filter(turn__game__event=event, points__gt=0, move_score__isnull=False)
        .exclude(move_word="")
        .order_by("turn__game__number", "turn__number")
        .values_list(
            "player",
            "player__table",
            "move_word",
            "move_ref",
            "move_score",
            "turn__game__number",
            "turn__number",
            "turn__solo",
        )
    )
    played: dict[int, list[PlayedWord]] = defaultdict(list)
    for player, table, word, ref, points, game, turn, solo in rows:
        tiles = _count_tiles(editions[game], word)
        played[player].append(PlayedWord(word, ref, points or 0, tiles, game, turn, solo == table))
    return {player: _choose(words) for player, words in played.items()}


def _choose(words: list[PlayedWord]) -> PlayerWords:
    best = sorted(words, key=lambda word: -word.points)[:MOST_WORDS]
    return PlayerWords(tuple(best), max(words, key=lambda word: (word.tiles, word.points)))


def _count_tiles(edition: Edition, word: str) -> int:
    return len(edition.parse_word(word))
