"""`python -m engine draw`: one rack of the reproducible draw, to verify a game."""

from __future__ import annotations

import argparse
import json
import sys

from engine.commands.edition_option import add_edition_option
from engine.draw.reproducible import SEED_BYTES, GameOver, draw_key, draw_next_rack
from engine.rules.profile import load_profile, profile_codes
from engine.tiles.edition import Edition
from engine.tiles.tiles import MissingTilesError, Tiles
from engine.variants.variant import NORMAL, load_variant, variant_codes

DEFAULT_PROFILE = "it-box"
LAST_TURN = 2**32 - 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Print the rack of a turn, and the racks that were rejected before it, as the reproducible draw gives them. "
        "No board is looked at: a rack without a move does not go back, and in the explosive variant the blank is not "
        "exchanged yet for the letter that makes the rack worth most."
    )
    add_edition_option(parser)
    parser.add_argument("--seed", required=True, metavar="HEX", help="the seed of the game: 64 hexadecimal digits")
    parser.add_argument("--turn", required=True, type=int, help="the number of the turn, from 1")
    parser.add_argument("--kept", default="", metavar="TILES", help="what was left on the rack (nothing)")
    parser.add_argument("--bag", default=None, metavar="TILES", help="what is in the bag (all tiles but those kept)")
    parser.add_argument("--profile", default=DEFAULT_PROFILE, choices=profile_codes(), help="%(default)s")
    parser.add_argument("--formula", dest="variant", default=NORMAL, choices=variant_codes(), help="%(default)s")
    parser.add_argument("--hall-word", default=None, metavar="WORD", help="the word the hall called out (none)")


def run(arguments: argparse.Namespace) -> int:
    """Print `{"rejected", "rack", "attempts"}` or `{"end"}`; return 2 after an error message for invalid arguments."""
    try:
        print(json.dumps(_draw_result(arguments), ensure_ascii=False))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _draw_result(arguments: argparse.Namespace) -> dict[str, object]:
    edition, variant = arguments.edition, load_variant(arguments.variant)
    profile = variant.apply_to(load_profile(arguments.profile))
    if not 1 <= arguments.turn <= LAST_TURN:
        raise ValueError(f"--turn counts from 1; there is no turn {arguments.turn}.")
    kept, bag = _parse_kept_and_bag(edition, arguments.kept, arguments.bag)
    if kept.total > profile.rack_size:
        raise ValueError(f"--kept has {kept.total} tiles, but a rack holds {profile.rack_size}.")
    key = draw_key(_parse_seed(arguments.seed), arguments.hall_word)
    drawn = draw_next_rack(key, arguments.turn, kept, bag, profile, variant=variant)
    if isinstance(drawn, GameOver):
        return {"end": drawn.why}
    rejected = [rack.text for rack in drawn.rejected]
    return {"rejected": rejected, "rack": drawn.rack.text, "attempts": drawn.attempts}


def _parse_seed(text: str) -> bytes:
    try:
        seed = bytes.fromhex(text)
    except ValueError:
        raise ValueError("--seed must be hexadecimal digits only (0-9, a-f).") from None
    if len(seed) != SEED_BYTES:
        raise ValueError(f"--seed must be {2 * SEED_BYTES} hexadecimal digits long, not {len(text.strip())}.")
    return seed


def _parse_kept_and_bag(edition: Edition, kept_text: str, bag_text: str | None) -> tuple[Tiles, Tiles]:
    """Return (kept, bag)."""
    kept = Tiles.parse(edition, kept_text)
    if bag_text is not None:
        return kept, Tiles.parse(edition, bag_text)
    try:
        return kept, Tiles.full_bag(edition) - kept
    except MissingTilesError as error:
        raise ValueError(f"--kept has tiles that the edition does not have: {error.missing}.") from None
