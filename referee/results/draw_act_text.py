"""Texts of the judge's acts that changed a rack, or could have."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from django.utils.translation import gettext as _

from engine.draw.ledger_acts import ActKind, DrawAct


def sentences_of(acts: Iterable[DrawAct]) -> list[str]:
    """Return a line for each act, with the number of its ledger entry."""
    return [
        _("Entry %(entry)d: %(sentence)s") % {"entry": act.entry, "sentence": _SENTENCES[act.kind](act.turn)}
        for act in acts
    ]


_SENTENCES: Mapping[ActKind, Callable[[int], str]] = {
    "taken_back": lambda turn: _("The move of turn %(turn)s was taken back.") % {"turn": turn},
    "put_back": lambda turn: (
        _("The rack drawn for turn %(turn)s was put back before it was announced.") % {"turn": turn}
    ),
    "typed_anew": lambda turn: _("The rack typed for turn %(turn)s was typed again.") % {"turn": turn},
    "reopened": lambda turn: _("The game was over and was resumed."),
    "new_seed": lambda turn: (
        _("The secret number had been shown: from turn %(turn)s on there is a new one, with a new fingerprint.")
        % {"turn": turn}
    ),
    "other_seed": lambda turn: _("A prepared game with its own fingerprint replaced the first game."),
    "hall_word_changed": lambda turn: _("The called-out word was changed."),
    "given_up": lambda turn: _(
        "The previous game was abandoned before its first turn; this one has another secret number."
    ),
}
