"""Boards, racks, words and profiles that the tests of the rules share."""

from __future__ import annotations

from engine.board.board import Board
from engine.board.coordinates import Direction, parse_reference
from engine.judging.lexicon_protocol import WordList
from engine.judging.placement import Position
from engine.rules.profile import Profile, load_profile
from engine.slips.slip import Received, Slip
from engine.tiles.edition import LETTER_MASK, Edition, load_edition, read_edition
from engine.tiles.tiles import Tiles

IT, CA = load_edition("it"), load_edition("ca")
FR = read_edition(
    "fr",
    """
name = "French letters of the example PUBLIERA"
language = "fr"
across = "H8"
source = "test"
verified = false
[tiles]
"?" = { count = 2, value = 0, class = "blank" }
A = { count = 9, value = 1, class = "vowel" }
B = { count = 2, value = 3, class = "consonant" }
E = { count = 15, value = 1, class = "vowel" }
I = { count = 8, value = 1, class = "vowel" }
L = { count = 5, value = 1, class = "consonant" }
P = { count = 2, value = 3, class = "consonant" }
R = { count = 6, value = 1, class = "consonant" }
S = { count = 6, value = 1, class = "consonant" }
U = { count = 6, value = 1, class = "vowel" }
""",
)

BOX = load_profile("it-box")
CLUB = load_profile("club")
FISF = CLUB.with_switches(
    notation="H8",
    first_word="across",
    first_move_maximum=True,
    missing_reference="hook",
    extension_needs_reference=False,
    last_letter="rescue",
    wrong_score="warn",
    missing_score="warn",
    blank_unmarked="warn",
    blank_wrong="warn",
    several_slips="zero",
    free_warnings=3,
    free_warnings_blitz=5,
    solo_bonus=10,
    solo_min_players=16,
)
"""The switches of the French federation as far as one slip goes, by the rule matrix."""
FISE = BOX.with_switches(
    notation="H8",
    wrong_score="zero",
    missing_score="zero",
    blank_unmarked="zero",
    blank_wrong="zero",
    solo_bonus=10,
    sole_best_bonus=5,
    bonus_cap=25,
    solo_min_players=10,
)
"""The same for the Spanish federation."""
RO = BOX.with_switches(notation="H8", blank_unmarked="letter_value", blank_wrong="letter_value")
"""The same for the Romanian federation."""

WORDS = (
    "CORNO CORNI SCORNO ORO ORA ORE ARE RARE CASA CASE ROSA OSA OSSO CAOS TAXI NO NOI SONO RE NE SI CORNIO TORO ORSO"
)


def words(edition: Edition, text: str = WORDS) -> WordList:
    return frozenset(tuple(code & LETTER_MASK for code in edition.parse_word(word)) for word in text.split())


def board(edition: Edition, *moves: str) -> Board:
    """The board after moves such as "8D CORNO", references in the notation of the edition."""
    laid = Board.empty(edition)
    for move in moves:
        ref, word = move.split()
        laid = laid.with_word(parse_reference(ref, edition.across), edition.parse_word(word))
    return laid


def position(rack: str, *moves: str, edition: Edition = IT, turn: int = 2) -> Position:
    return Position(board(edition, *moves), Tiles.parse(edition, rack), turn)


def slip(
    written: str,
    *,
    direction: Direction | None = None,
    hook: str = "",
    received: Received = "in_time",
) -> Slip:
    """A slip from "8D CORNO 22"; `-` for what is missing."""
    ref, word, declared = written.split()
    return Slip(
        word="" if word == "-" else word,
        ref="" if ref == "-" else ref,
        declared=None if declared == "-" else int(declared),
        direction=direction,
        hook=hook,
        received=received,
    )


def profile_in(notation: str, profile: Profile) -> Profile:
    return profile.with_switches(notation=notation)
