"""What the switches of a profile are called and what their values say: phrases for `wording.py`, to be translated.

A title and a value stand side by side on a rule page, as "A wrong score: real points, with a warning".
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.rules.messages import N_

GROUPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        N_("The draw"),
        (
            "rack_size",
            "min_early",
            "last_early_turn",
            "min_late",
            "blanks_early",
            "blanks_late",
            "either_letters",
            "early_minimum_fails",
            "put_back",
            "no_legal_move",
        ),
    ),
    (N_("The board"), ("notation", "first_word", "board_takes", "tie_order", "nobody_correct", "bonuses")),
    (
        N_("The slips"),
        (
            "first_move_maximum",
            "wrong_reference",
            "missing_reference",
            "rescue_when_ambiguous",
            "extension_needs_reference",
            "last_letter",
            "wrong_score",
            "missing_score",
            "blank_unmarked",
            "blank_wrong",
            "several_slips",
        ),
    ),
    (
        N_("Warnings and penalties"),
        (
            "free_warnings",
            "free_warnings_blitz",
            "blitz_below_s",
            "sanction",
            "sanctions_per_slip",
            "discipline_points",
            "floor",
            "average_for_second_zero",
        ),
    ),
    (N_("Bonus points"), ("solo_bonus", "sole_best_bonus", "solo_min_players", "bonus_cap")),
    (N_("Clock and end"), ("clock_s", "calls_s", "grace_ms", "end_rule", "max_turns")),
    (N_("Ranking"), ("ranking", "ranking_ties")),
    (N_("Dictionaries"), ("open_dictionary", "two_dictionaries")),
    (N_("House rules"), ("recycle_blanks", "q_for_qu", "premiums_again")),
)
"""Every switch once, in the groups of a rule page."""

TITLES: Mapping[str, str] = {
    "notation": N_("How a word across is written"),
    "min_early": N_("Vowels and consonants of an early rack"),
    "min_late": N_("Vowels and consonants of a late rack"),
    "last_early_turn": N_("The last early turn"),
    "blanks_early": N_("A blank on an early rack"),
    "blanks_late": N_("A blank on a late rack"),
    "either_letters": N_("Letters that count as a vowel or a consonant"),
    "early_minimum_fails": N_("The tiles left cannot meet the late minimum"),
    "no_legal_move": N_("A rack with which no move is possible"),
    "put_back": N_("What goes back into the bag"),
    "rack_size": N_("Tiles on a rack"),
    "bonuses": N_("Bonus for tiles laid in one move"),
    "board_takes": N_("What goes on the board"),
    "tie_order": N_("Which of several equal tops"),
    "first_word": N_("The direction of the first word"),
    "first_move_maximum": N_("How the first word counts"),
    "wrong_reference": N_("A wrong reference"),
    "missing_reference": N_("A missing reference"),
    "rescue_when_ambiguous": N_("The declared score fits several places"),
    "extension_needs_reference": N_("A word that lengthens one on the board"),
    "last_letter": N_("The last letter lies on the board but is missing or wrong on the slip"),
    "wrong_score": N_("A wrong score"),
    "missing_score": N_("A missing score"),
    "blank_unmarked": N_("A blank that is not marked"),
    "blank_wrong": N_("Another letter marked as the blank"),
    "several_slips": N_("Several paper slips of one player"),
    "free_warnings": N_("Free warnings in a game"),
    "free_warnings_blitz": N_("Free warnings in a blitz game"),
    "blitz_below_s": N_("Blitz is a time to think below"),
    "sanction": N_("Points of a penalty"),
    "sanctions_per_slip": N_("Penalties on one slip, at most"),
    "discipline_points": N_("Points that a warning for discipline costs"),
    "floor": N_("The least that a penalty leaves of a move"),
    "average_for_second_zero": N_("Two zeros running for the same fault"),
    "solo_bonus": N_("Bonus for the only player with the top"),
    "solo_min_players": N_("Players needed for bonus points"),
    "sole_best_bonus": N_("Bonus for the only player with the best score, where nobody has the top"),
    "bonus_cap": N_("Bonus points of a player in a game, at most"),
    "clock_s": N_("Time to think"),
    "calls_s": N_("Calls of the time that is left"),
    "grace_ms": N_("Patience with slips on their way, in milliseconds"),
    "end_rule": N_("When the game is over"),
    "max_turns": N_("Number of turns"),
    "nobody_correct": N_("Nobody has a correct word"),
    "ranking": N_("What the ranking goes by"),
    "ranking_ties": N_("What decides between equal players"),
    "open_dictionary": N_("Looking words up during the game"),
    "two_dictionaries": N_("With two word lists, a word is valid"),
    "recycle_blanks": N_("A blank on the board"),
    "q_for_qu": N_("A Q on a slip, where there is a tile QU"),
    "premiums_again": N_("Premium squares under tiles of earlier turns"),
}

_NO_POINTS = N_("no points")
_REAL = N_("real points")
_EITHER = N_("counts as a vowel or as a consonant")
_NEITHER = N_("counts as neither")
_PLACE_PROVED = N_("real points less a penalty, if the declared score proves the place; else no points")


def _each(switches: tuple[str, ...], phrases: Mapping[str, str]) -> dict[tuple[str, str | bool], str]:
    return {(switch, value): phrase for switch in switches for value, phrase in phrases.items()}


VALUES: Mapping[tuple[str, str | bool], str] = {
    ("notation", "8H"): N_("8H: rows have numbers, columns have letters; H8 is a word down"),
    ("notation", "H8"): N_("H8: rows have letters, columns have numbers; 8H is a word down"),
    **_each(("blanks_early", "blanks_late"), {"either": _EITHER, "not_counted": _NEITHER}),
    ("early_minimum_fails", "relax"): N_("one vowel and one consonant are enough"),
    ("early_minimum_fails", "end"): N_("the game is over"),
    ("no_legal_move", "redraw"): N_("goes back whole, and a new one is drawn"),
    ("no_legal_move", "end"): N_("ends the game"),
    ("put_back", "rejected"): N_("the whole rack when it breaks the rule; else what is left stays on the rack"),
    ("put_back", "always"): N_("all that is left on the rack, after every turn"),
    ("board_takes", "top"): N_("the best move that there is"),
    ("board_takes", "best_slip"): N_("the best word that a player has found"),
    ("nobody_correct", "continue"): N_("the best move that there is goes on the board"),
    ("nobody_correct", "same_rack"): N_("the same letters are announced again"),
    ("first_word", "any"): N_("across or down"),
    ("first_word", "across"): N_("across only"),
    ("first_move_maximum", True): N_("at its best place and with its best blank, whatever was written"),
    ("first_move_maximum", False): N_("as it is written, like any other"),
    **_each(("wrong_reference", "missing_reference"), {"zero": _NO_POINTS, "rescue": _PLACE_PROVED}),
    ("wrong_reference", "reversed"): N_(
        "real points if it is only written the other way round, H8 for 8H, and the declared score proves that; "
        "else no points"
    ),
    ("missing_reference", "hook"): N_(
        "three crossing letters may stand for it; without them real points less a penalty, if the declared score "
        "proves the place; else no points"
    ),
    ("rescue_when_ambiguous", True): N_("the slip gets its points all the same"),
    ("rescue_when_ambiguous", False): _NO_POINTS,
    ("extension_needs_reference", True): N_("needs its reference like any other"),
    ("extension_needs_reference", False): N_("needs no reference"),
    ("last_letter", "zero"): _NO_POINTS,
    ("last_letter", "rescue"): N_(
        "real points less a penalty, if the declared score is that of the whole word; else no points"
    ),
    **_each(
        ("wrong_score", "missing_score", "blank_unmarked", "blank_wrong"),
        {"real": _REAL, "zero": _NO_POINTS, "warn": N_("real points, with a warning")},
    ),
    **_each(("blank_unmarked", "blank_wrong"), {"letter_value": N_("real points less the value of the letter")}),
    ("several_slips", "zero"): _NO_POINTS,
    ("several_slips", "latest"): N_("the latest counts"),
    ("average_for_second_zero", True): N_(
        "the second becomes the average of the others, if the player could not know of the first"
    ),
    ("average_for_second_zero", False): N_("both are zeros"),
    ("end_rule", "seeds"): N_("the tiles are used, or no vowel or no consonant is left"),
    ("end_rule", "fisf"): N_(
        "the tiles are used, or no vowel or no consonant is left; a blank that is left counts as either"
    ),
    ("end_rule", "fise"): N_("the tiles are used, or no vowel or no consonant is left; blanks do not count"),
    ("end_rule", "ntsv"): N_("fewer tiles are left than a rack has, or no vowel"),
    ("ranking", "total"): N_("total points"),
    ("ranking", "percent"): N_("total points in percent of the tops"),
    ("ranking", "average_percent"): N_("average of the percentages of the games"),
    ("ranking", "ranking_points"): N_("ranking points by place"),
    ("open_dictionary", True): N_("players may look words up in the dictionary before they hand in a slip"),
    ("open_dictionary", False): N_("players may not use a dictionary"),
    ("two_dictionaries", "either"): N_("if at least one of the lists has it"),
    ("two_dictionaries", "both"): N_("only if both lists have it"),
    ("recycle_blanks", True): N_("is exchanged for its letter when that is there, and comes back into the game"),
    ("recycle_blanks", False): N_("stays where it is"),
    ("q_for_qu", True): N_("stands for the tile QU"),
    ("q_for_qu", False): N_("is a letter that the tiles do not have"),
    ("premiums_again", True): N_("count again for every later word"),
    ("premiums_again", False): N_("count once, for the move that covers them"),
}

ENTRIES: Mapping[str, str] = {
    "keep_blank": N_("fewest blanks laid"),
    "hooks": N_("most hooks left on the board"),
    "premium_open": N_("most premium squares opened"),
    "leave": N_("best balance of vowels and consonants left on the rack"),
    "fewest_tiles": N_("fewest tiles laid"),
    "alphabetical": N_("first in the alphabet"),
    "nearest_a1": N_("nearest to the upper left corner"),
    "last_game": N_("the last game"),
    "last_move_backwards": N_("the last move, then the one before, and so on"),
    "tops_found": N_("the number of tops found"),
    "best_move": N_("the best move"),
}
"""What may stand in `tie_order` and `ranking_ties`."""

NUMBERS: Mapping[str, str] = {
    "min_early": N_("at least %(n)d and %(n)d; as many as on a late rack when the tiles left cannot meet that"),
    "min_late": N_("at least %(n)d and %(n)d"),
    "free_warnings": N_("%(n)d; each further one costs a penalty"),
    "free_warnings_blitz": N_("%(n)d; each further one costs a penalty"),
    "discipline_points": N_("%(n)d, taken off the move of the same turn"),
}
"""Where a number needs more words than itself; `SPECIAL` has the numbers that say something else."""

SPECIAL: Mapping[tuple[str, int | None], str] = {
    ("min_early", 0): N_("no minimum"),
    ("min_late", 0): N_("no minimum"),
    ("last_early_turn", None): N_("every rack is a late one"),
    ("free_warnings", None): N_("warnings never cost points"),
    ("free_warnings_blitz", None): N_("warnings never cost points"),
    ("discipline_points", 0): N_("none besides those of any other warning"),
    ("solo_bonus", 0): N_("none"),
    ("sole_best_bonus", 0): N_("none"),
    ("solo_min_players", 0): N_("any number"),
    ("bonus_cap", None): N_("no limit"),
    ("max_turns", None): N_("not limited"),
}

EMPTY: Mapping[str, str] = {
    "either_letters": N_("only those that the edition names"),
    "bonuses": N_("none"),
    "calls_s": N_("none"),
    "tie_order": N_("nearest to the upper left corner"),
    "ranking_ties": N_("nothing: they share the place"),
}
"""What an empty list says."""

PAIR = N_("%(title)s: %(value)s")
BONUS_ENTRY = N_("%(points)d points for %(laid)d tiles")
CALLS = N_("at %(times)s before the end")
