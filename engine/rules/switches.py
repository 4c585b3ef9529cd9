"""The switches of a profile, each declared once: its name, values, texts, and its part in a game.

Other programs rely on the names. `Profile` has one field of the same name for each switch; the pages list the switches
in the order of this module. A label and a value stand side by side, as "A wrong score: real points, with a warning".
The texts are marked for gettext with `N_`; `rules_text.py` translates them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.i18n import N_
from engine.rules.switch_types import (
    POINTS,
    Bonuses,
    Calls,
    OneOf,
    OrderedChoices,
    SwitchType,
    TileFaces,
    WholeNumber,
    YesNo,
)


@dataclass(frozen=True, slots=True)
class Switch:
    """One rule that a profile, an event or a game sets.

    `phrases` are texts of values, or of entries where the value is a list; `number` is the template of a number that
    has no text of its own, `empty` the text of an empty list. `step` is the step of judging that reads the switch
    (see `engine/judging/verdict.py`), None if judging a slip does not need it. `in_play`: the switch may change during
    a game, since slips and rankings can be computed again; the draw, the clock and the board cannot. `value_before` is
    the value in games of versions that did not have the switch, None if every version had it.
    """

    name: str
    kind: SwitchType
    group: str
    label: str
    phrases: Mapping[Any, str] = field(default_factory=dict)
    number: str = ""
    empty: str = ""
    step: int | None = None
    in_play: bool = False
    value_before: object = None


_DRAW = N_("The draw")
_BOARD = N_("The board")
_SLIPS = N_("The slips")
_WARNINGS = N_("Warnings and penalties")
_BONUS_POINTS = N_("Bonus points")
_CLOCK = N_("Clock and end")
_RANKING = N_("Ranking")
_DICTIONARIES = N_("Dictionaries")
_VARIATIONS = N_("House rules")

_QUOTA = WholeNumber(0, 1000, optional=True)
_ZERO_OR_RESCUE = OneOf(("zero", "rescue"))
_JUDGED = OneOf(("real", "zero", "warn"))
_JUDGED_BLANK = OneOf((*_JUDGED.values, "letter_value"))
_COUNTED = OneOf(("either", "not_counted"))

_NO_POINTS = N_("no points")
_PLACE_PROVED = N_("real points less a penalty, if the declared score proves the place; else no points")
_BLANK_COUNTS = {"either": N_("counts as a vowel or as a consonant"), "not_counted": N_("counts as neither")}
_JUDGED_PHRASES = {
    "real": N_("real points"),
    "zero": _NO_POINTS,
    "warn": N_("real points, with a warning"),
}
_BLANK_PHRASES = {**_JUDGED_PHRASES, "letter_value": N_("real points less the value of the letter")}
_TIES = {
    "keep_blank": N_("fewest blanks laid"),
    "hooks": N_("most hooks left on the board"),
    "premium_open": N_("most premium squares opened"),
    "leave": N_("best balance of vowels and consonants left on the rack"),
    "fewest_tiles": N_("fewest tiles laid"),
    "alphabetical": N_("first in the alphabet"),
    "nearest_a1": N_("nearest to the upper left corner"),
}
_RANKING_TIES = {
    "last_game": N_("the last game"),
    "last_move_backwards": N_("the last move, then the one before, and so on"),
    "tops_found": N_("the number of tops found"),
    "best_move": N_("the best move"),
}

_DECLARED = (
    Switch("rack_size", WholeNumber(1, 9), _DRAW, N_("Tiles on a rack")),
    Switch(
        "min_early",
        WholeNumber(0, 7),
        _DRAW,
        N_("Vowels and consonants of an early rack"),
        phrases={0: N_("no minimum")},
        number=N_("at least %(n)d and %(n)d; as many as on a late rack when the tiles left cannot meet that"),
    ),
    Switch("last_early_turn", _QUOTA, _DRAW, N_("The last early turn"), phrases={None: N_("every rack is a late one")}),
    Switch(
        "min_late",
        WholeNumber(0, 7),
        _DRAW,
        N_("Vowels and consonants of a late rack"),
        phrases={0: N_("no minimum")},
        number=N_("at least %(n)d and %(n)d"),
    ),
    Switch("blanks_early", _COUNTED, _DRAW, N_("A blank on an early rack"), phrases=_BLANK_COUNTS),
    Switch("blanks_late", _COUNTED, _DRAW, N_("A blank on a late rack"), phrases=_BLANK_COUNTS),
    Switch(
        "either_letters",
        TileFaces(),
        _DRAW,
        N_("Letters that count as a vowel or a consonant"),
        empty=N_("only those that the edition names"),
    ),
    Switch(
        "early_minimum_fails",
        OneOf(("relax", "end")),
        _DRAW,
        N_("The remaining tiles cannot meet the minimum"),
        phrases={"relax": N_("one vowel and one consonant are enough"), "end": N_("the game is over")},
    ),
    Switch(
        "put_back",
        OneOf(("rejected", "always")),
        _DRAW,
        N_("What goes back into the bag"),
        phrases={
            "rejected": N_("the whole rack when it breaks the rule; else what is left stays on the rack"),
            "always": N_("all that is left on the rack, after every turn"),
        },
    ),
    Switch(
        "no_legal_move",
        OneOf(("redraw", "end")),
        _DRAW,
        N_("A rack with which no move is possible"),
        phrases={"redraw": N_("goes back whole, and a new one is drawn"), "end": N_("ends the game")},
    ),
    Switch(
        "notation",
        OneOf(("8H", "H8")),
        _BOARD,
        N_("How a word across is written"),
        phrases={
            "8H": N_("8H: rows have numbers, columns have letters; H8 is a word down"),
            "H8": N_("H8: rows have letters, columns have numbers; 8H is a word down"),
        },
    ),
    Switch(
        "first_word",
        OneOf(("any", "across")),
        _BOARD,
        N_("The direction of the first word"),
        phrases={"any": N_("across or down"), "across": N_("across only")},
    ),
    Switch(
        "board_takes",
        OneOf(("top", "best_slip")),
        _BOARD,
        N_("What goes on the board"),
        phrases={"top": N_("the best move that there is"), "best_slip": N_("the best word that a player has found")},
    ),
    Switch(
        "tie_order",
        OrderedChoices(tuple(_TIES)),
        _BOARD,
        N_("Which of several equal tops"),
        phrases=_TIES,
        empty=N_("nearest to the upper left corner"),
    ),
    Switch(
        "nobody_correct",
        OneOf(("continue", "same_rack")),
        _BOARD,
        N_("Nobody has a correct word"),
        phrases={
            "continue": N_("the best move that there is goes on the board"),
            "same_rack": N_("the same letters are announced again"),
        },
    ),
    Switch("bonuses", Bonuses(), _BOARD, N_("Bonus for tiles laid in one move"), empty=N_("none")),
    Switch(
        "first_move_maximum",
        YesNo(),
        _SLIPS,
        N_("How the first word counts"),
        phrases={
            True: N_("at its best place and with its best blank, whatever was written"),
            False: N_("as it is written, like any other"),
        },
        step=2,
        in_play=True,
    ),
    Switch(
        "wrong_reference",
        OneOf(("zero", "reversed", "rescue")),
        _SLIPS,
        N_("A wrong reference"),
        phrases={
            "zero": _NO_POINTS,
            "rescue": _PLACE_PROVED,
            "reversed": N_(
                "real points if it is only written the other way round, H8 for 8H, and the declared "
                "score proves that; else no points"
            ),
        },
        step=4,
        in_play=True,
    ),
    Switch(
        "missing_reference",
        OneOf(("zero", "rescue", "hook")),
        _SLIPS,
        N_("A missing reference"),
        phrases={
            "zero": _NO_POINTS,
            "rescue": _PLACE_PROVED,
            "hook": N_(
                "three crossing letters may stand for it; without them real points less a penalty, if "
                "the declared score proves the place; else no points"
            ),
        },
        step=4,
        in_play=True,
    ),
    Switch(
        "rescue_when_ambiguous",
        YesNo(),
        _SLIPS,
        N_("The declared score fits several places"),
        phrases={True: N_("the slip gets its points all the same"), False: _NO_POINTS},
        step=7,
        in_play=True,
    ),
    Switch(
        "extension_needs_reference",
        YesNo(),
        _SLIPS,
        N_("A word that extends one on the board"),
        phrases={True: N_("needs its reference like any other"), False: N_("needs no reference")},
        step=4,
        in_play=True,
    ),
    Switch(
        "last_letter",
        _ZERO_OR_RESCUE,
        _SLIPS,
        N_("The last letter lies on the board but is missing or wrong on the slip"),
        phrases={
            "zero": _NO_POINTS,
            "rescue": N_("real points less a penalty, if the declared score is that of the whole word; else no points"),
        },
        step=3,
        in_play=True,
    ),
    Switch("wrong_score", _JUDGED, _SLIPS, N_("A wrong score"), phrases=_JUDGED_PHRASES, step=9, in_play=True),
    Switch("missing_score", _JUDGED, _SLIPS, N_("A missing score"), phrases=_JUDGED_PHRASES, step=9, in_play=True),
    Switch(
        "blank_unmarked",
        _JUDGED_BLANK,
        _SLIPS,
        N_("A blank that is not marked"),
        phrases=_BLANK_PHRASES,
        step=8,
        in_play=True,
    ),
    Switch(
        "blank_wrong",
        _JUDGED_BLANK,
        _SLIPS,
        N_("Another letter marked as the blank"),
        phrases=_BLANK_PHRASES,
        step=8,
        in_play=True,
    ),
    Switch(
        "delayed_slip",
        OneOf(("ask", "count", "zero")),
        _SLIPS,
        N_("A slip that a phone sent in time and that arrives after the close"),
        phrases={
            "ask": N_("the judge decides"),
            "count": N_("counts; the time is that of the phone"),
            "zero": _NO_POINTS,
        },
        step=1,
        in_play=True,
        value_before="zero",
    ),
    Switch(
        "several_slips",
        OneOf(("zero", "latest")),
        _SLIPS,
        N_("Several paper slips of one player"),
        phrases={"zero": _NO_POINTS, "latest": N_("the latest counts")},
        step=1,
        in_play=True,
    ),
    Switch(
        "free_warnings",
        _QUOTA,
        _WARNINGS,
        N_("Warnings without penalty in a game"),
        phrases={None: N_("warnings never cost points")},
        number=N_("%(n)d; each further one costs a penalty"),
        step=10,
        in_play=True,
    ),
    Switch(
        "free_warnings_blitz",
        _QUOTA,
        _WARNINGS,
        N_("Warnings without penalty in a blitz game"),
        phrases={None: N_("warnings never cost points")},
        number=N_("%(n)d; each further one costs a penalty"),
        step=10,
        in_play=True,
    ),
    Switch(
        "blitz_below_s",
        WholeNumber(0, 3600, seconds=True),
        _WARNINGS,
        N_("Blitz: thinking time below"),
        step=10,
        in_play=True,
    ),
    Switch("sanction", POINTS, _WARNINGS, N_("Points of each penalty"), step=10, in_play=True),
    Switch(
        "sanctions_per_slip",
        WholeNumber(0, 100),
        _WARNINGS,
        N_("Penalties on one slip, at most"),
        step=10,
        in_play=True,
    ),
    Switch(
        "discipline_points",
        POINTS,
        _WARNINGS,
        N_("Points for a warning for discipline"),
        phrases={0: N_("none beyond those of any other warning")},
        number=N_("%(n)d, taken off the move of the same turn"),
        step=10,
        in_play=True,
        value_before=0,
    ),
    Switch("floor", POINTS, _WARNINGS, N_("Lowest score of a move after penalties"), step=10, in_play=True),
    Switch(
        "average_for_second_zero",
        YesNo(),
        _WARNINGS,
        N_("Two zeros in a row for the same fault"),
        phrases={
            True: N_("the second becomes the average of the other players, if the player could not know of the first"),
            False: N_("both are zeros"),
        },
        in_play=True,
    ),
    Switch(
        "solo_bonus",
        POINTS,
        _BONUS_POINTS,
        N_("Bonus for the only player with the top"),
        phrases={0: N_("none")},
        in_play=True,
    ),
    Switch(
        "sole_best_bonus",
        POINTS,
        _BONUS_POINTS,
        N_("Bonus for the only player with the best score, where nobody has the top"),
        phrases={0: N_("none")},
        in_play=True,
    ),
    Switch(
        "solo_min_players",
        WholeNumber(0, 100000),
        _BONUS_POINTS,
        N_("Players needed for bonus points"),
        phrases={0: N_("any number")},
        in_play=True,
    ),
    Switch(
        "bonus_cap",
        _QUOTA,
        _BONUS_POINTS,
        N_("Bonus points of a player in a game, at most"),
        phrases={None: N_("no limit")},
        in_play=True,
    ),
    Switch("clock_s", WholeNumber(1, 36000, seconds=True), _CLOCK, N_("Thinking time")),
    Switch("calls_s", Calls(), _CLOCK, N_("Calls of the remaining time"), empty=N_("none")),
    Switch("grace_ms", WholeNumber(0, 60000), _CLOCK, N_("Grace period for slips in transit, in milliseconds")),
    Switch(
        "end_rule",
        OneOf(("seeds", "fisf", "fise", "ntsv")),
        _CLOCK,
        N_("End of the game"),
        phrases={
            "seeds": N_("all tiles are used, or no vowel or no consonant is left"),
            "fisf": N_("all tiles are used, or no vowel or no consonant is left; a remaining blank counts as either"),
            "fise": N_("all tiles are used, or no vowel or no consonant is left; blanks do not count"),
            "ntsv": N_("fewer tiles are left than a rack has, or no vowel"),
        },
    ),
    Switch(
        "max_turns",
        WholeNumber(1, 1000, optional=True),
        _CLOCK,
        N_("Number of turns"),
        phrases={None: N_("not limited")},
    ),
    Switch(
        "ranking",
        OneOf(("total", "percent", "average_percent", "ranking_points")),
        _RANKING,
        N_("Basis of the ranking"),
        phrases={
            "total": N_("total points"),
            "percent": N_("total points in percent of the tops"),
            "average_percent": N_("average of the percentages of the games"),
            "ranking_points": N_("ranking points by place"),
        },
        in_play=True,
    ),
    Switch(
        "ranking_ties",
        OrderedChoices(tuple(_RANKING_TIES)),
        _RANKING,
        N_("Tie-break between equal players"),
        phrases=_RANKING_TIES,
        empty=N_("nothing: they share the place"),
        in_play=True,
    ),
    Switch(
        "open_dictionary",
        YesNo(),
        _DICTIONARIES,
        N_("Looking words up during the game"),
        phrases={
            True: N_("players may look words up in the dictionary before they hand in a slip"),
            False: N_("players may not use a dictionary"),
        },
        value_before=False,
    ),
    Switch(
        "two_dictionaries",
        OneOf(("either", "both")),
        _DICTIONARIES,
        N_("With two word lists, a word is valid"),
        phrases={"either": N_("if at least one of the lists has it"), "both": N_("only if both lists have it")},
        value_before="either",
    ),
    Switch(
        "recycle_blanks",
        YesNo(),
        _VARIATIONS,
        N_("A blank on the board"),
        phrases={
            True: N_("is exchanged for its letter when that is there, and comes back into the game"),
            False: N_("stays where it is"),
        },
    ),
    Switch(
        "q_for_qu",
        YesNo(),
        _VARIATIONS,
        N_("A Q on a slip, where there is a tile QU"),
        phrases={True: N_("stands for the tile QU"), False: N_("is a letter that the tiles do not have")},
        in_play=True,
    ),
    Switch(
        "premiums_again",
        YesNo(),
        _VARIATIONS,
        N_("Premium squares under tiles of earlier turns"),
        phrases={True: N_("count again for every later word"), False: N_("count once, for the move that covers them")},
    ),
)

SWITCHES: Mapping[str, Switch] = {switch.name: switch for switch in _DECLARED}
"""Every switch by its name, in the order of the rule page."""

SWITCHES_IN_PLAY = tuple(switch.name for switch in _DECLARED if switch.in_play)
"""The switches that may change while a game is played."""

ADDED_LATER: Mapping[str, object] = {
    switch.name: switch.value_before for switch in _DECLARED if switch.value_before is not None
}
"""Switches that games and archives of older versions lack, with the value by which these were played."""
