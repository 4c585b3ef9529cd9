"""`python -m engine draw`: one rack of the reproducible draw, for whoever wants to check a game by himself."""

from __future__ import annotations

import argparse
import json
import sys

from engine.commands.edition_option import add_edition
from engine.draw import SEED_BYTES, Ended, draw, draw_key
from engine.edition import Edition
from engine.formulas import NORMAL, formula_codes, load_formula
from engine.rules.profile import load_profile, profile_codes
from engine.tiles import NotThere, Tiles

DEFAULT_PROFILE = "it-box"
LAST_TURN = 2**32 - 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Print the rack of a turn, and the racks that were rejected before it, as the reproducible draw gives them. "
        "No board is looked at: a rack without a move does not go back, and in the explosive formula the blank is not "
        "exchanged yet for the letter that makes the rack worth most."
    )
    add_edition(parser)
    parser.add_argument("--seed", required=True, metavar="HEX", help="the seed of the game: 64 hexadecimal digits")
    parser.add_argument("--turn", required=True, type=int, help="the number of the turn, from 1")
    parser.add_argument("--kept", default="", metavar="TILES", help="what was left on the rack (nothing)")
    parser.add_argument("--bag", default=None, metavar="TILES", help="what is in the bag (all tiles but those kept)")
    parser.add_argument("--profile", default=DEFAULT_PROFILE, choices=profile_codes(), help="%(default)s")
    parser.add_argument("--formula", default=NORMAL, choices=formula_codes(), help="%(default)s")
    parser.add_argument("--hall-word", default=None, metavar="WORD", help="the word the hall called out (none)")


def run(arguments: argparse.Namespace) -> int:
    """Print `{"rejected", "rack", "attempts"}` or `{"end"}`; 2 and one sentence when the arguments cannot be."""
    try:
        print(json.dumps(_answer(arguments), ensure_ascii=False))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _answer(arguments: argparse.Namespace) -> dict[str, object]:
    edition, formula = arguments.edition, load_formula(arguments.formula)
    profile = formula.applied_to(load_profile(arguments.profile))
    if not 1 <= arguments.turn <= LAST_TURN:
        raise ValueError(f"--turn counts from 1; there is no turn {arguments.turn}.")
    kept, bag = _tiles(edition, arguments.kept, arguments.bag)
    if kept.total > profile.rack_size:
        raise ValueError(f"--kept has {kept.total} tiles, but a rack holds {profile.rack_size}.")
    key = draw_key(_seed(arguments.seed), arguments.hall_word)
    drawn = draw(key, arguments.turn, kept, bag, profile, formula=formula)
    if isinstance(drawn, Ended):
        return {"end": drawn.why}
    rejected = [rack.text for rack in drawn.rejected]
    return {"rejected": rejected, "rack": drawn.rack.text, "attempts": drawn.attempts}


def _seed(text: str) -> bytes:
    try:
        seed = bytes.fromhex(text)
    except ValueError:
        raise ValueError("--seed must be hexadecimal digits only (0-9, a-f).") from None
    if len(seed) != SEED_BYTES:
        raise ValueError(f"--seed must be {2 * SEED_BYTES} hexadecimal digits long, not {len(text.strip())}.")
    return seed


def _tiles(edition: Edition, kept_text: str, bag_text: str | None) -> tuple[Tiles, Tiles]:
    """(kept, bag)"""
    kept = Tiles.parse(edition, kept_text)
    if bag_text is not None:
        return kept, Tiles.parse(edition, bag_text)
    try:
        return kept, Tiles.full_bag(edition) - kept
    except NotThere as error:
        raise ValueError(f"--kept has tiles that the edition does not have: {error.missing}.") from None
