"""The seeds of a game: one, and another from the turn on with which it was taken up after the first was public."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from engine.draw import SEED_BYTES, commitment
from tournaments.enums import DrawMode
from tournaments.models import Game


def draws_of(game: Game, *, over: bool) -> list[dict[str, Any]]:
    """Every seed of a game whose racks the program draws, as an archive has them: the last one is null until the game
    is over."""
    present = {
        "from_turn": game.draws_from,
        "commitment": game.commitment,
        "seed": bytes(game.seed).hex() if over else None,
        "hall_word": game.hall_word or None,
    }
    return [*game.earlier_draws, present]


def without_seeds(draws: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What a room may know that follows and has not played the whole script: commitments alone."""
    return [{**draw, "seed": None} for draw in draws]


def draw_anew(game: Game, *, from_turn: int, seed: bytes) -> dict[str, object]:
    """Let the turns from this one on be drawn by a new seed, since everybody may have seen the one so far. The caller
    has locked the game and writes the commitment that this gives into the ledger; nothing for a game drawn from a bag.
    """
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
    if game.draw_mode != DrawMode.SEEDED:
        return {}
    game.earlier_draws = draws_of(game, over=True)
    game.draws_from, game.seed, game.commitment, game.hall_word = from_turn, seed, commitment(seed), ""
    game.save(update_fields=["earlier_draws", "draws_from", "seed", "commitment", "hall_word"])
    return {"from_turn": from_turn, "commitment": game.commitment}


def is_drawn_anew(game: Game, turn: int) -> bool:
    """Whether this turn is drawn by another seed than the game began with: no script knows its rack."""
    return bool(game.earlier_draws) and turn >= game.draws_from
