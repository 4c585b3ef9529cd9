"""Seeds of a game: the first, and another for each continuation after the seed became public."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from engine.draw.reproducible import SEED_BYTES, commitment
from tournaments.enums import DrawMode
from tournaments.models import Game


def draws_of(game: Game, *, over: bool) -> list[dict[str, Any]]:
    """Every seed of a game whose racks the program draws, in archive form: the last one is null until the game is
    over."""
    present = {
        "from_turn": game.draws_from,
        "commitment": game.commitment,
        "seed": bytes(game.seed).hex() if over else None,
        "hall_word": game.hall_word or None,
    }
    return [*game.earlier_draws, present]


def remove_seeds(draws: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Remove the seeds from earlier draws for a room that has not played the whole script: only commitments remain."""
    return [{**draw, "seed": None} for draw in draws]


def replace_seed(game: Game, *, from_turn: int, seed: bytes) -> dict[str, object]:
    """Draw the turns from this one on with a new seed, because the current one may be public.

    The caller has locked the game and records the returned commitment in the ledger. Does nothing for a game drawn
    from a bag.
    """
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
    if game.draw_mode != DrawMode.SEEDED:
        return {}
    game.earlier_draws = draws_of(game, over=True)
    game.draws_from, game.seed, game.commitment, game.hall_word = from_turn, seed, commitment(seed), ""
    game.save(update_fields=["earlier_draws", "draws_from", "seed", "commitment", "hall_word"])
    return {"from_turn": from_turn, "commitment": game.commitment}


def has_replaced_seed(game: Game, turn: int) -> bool:
    """Return True when this turn is drawn by a newer seed than the game began with, so that no script knows its
    rack."""
    return bool(game.earlier_draws) and turn >= game.draws_from
