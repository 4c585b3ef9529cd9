"""In words: by which acts of a judge a rack became another one, or could have."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from django.utils.translation import gettext as _

from engine.draw_acts import ActKind, DrawAct


def sentences_of(acts: Iterable[DrawAct]) -> list[str]:
    """A line for each act, with the number of its entry in the ledger."""
    return [
        _("Entry %(entry)d: %(sentence)s") % {"entry": act.entry, "sentence": _SENTENCES[act.kind](act.turn)}
        for act in acts
    ]


_SENTENCES: Mapping[ActKind, Callable[[int], str]] = {
    "taken_back": lambda turn: _("The move of turn %(turn)s was taken back.") % {"turn": turn},
    "put_back": lambda turn: (
        _("The rack drawn for turn %(turn)s was put back before it was announced.") % {"turn": turn}
    ),
    "typed_anew": lambda turn: _("The rack typed for turn %(turn)s was typed anew.") % {"turn": turn},
    "reopened": lambda turn: _("The game was over and goes on."),
    "new_seed": lambda turn: (
        _("The secret number had been shown: from turn %(turn)s on there is a new one, with a new fingerprint.")
        % {"turn": turn}
    ),
    "other_seed": lambda turn: _("A prepared game with a fingerprint of its own took the place of the first one."),
    "hall_word_changed": lambda turn: _("The word of the hall was changed."),
    "given_up": lambda turn: _("The game before was given up without a turn; this one has another secret number."),
}
