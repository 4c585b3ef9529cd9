"""The ledger as the page of the turns shows it when it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from referee.draw_acts import sentences_of
from tournaments.ledger_words import broken_sentence
from tournaments.models import Game
from tournaments.selectors.ledger import ShownLine, chain_of, seen_by_the_hall


@dataclass(frozen=True, slots=True)
class Line:
    """An entry whose hash was on the wall."""

    entry: int
    at: str
    act: str
    hash: str


def ledger_context(game: Game) -> Mapping[str, object]:
    """The whole chain counted again: whether it holds, its head, and what of it was on the wall."""
    chain = chain_of(game)
    return {
        "chain": chain,
        "broken": broken_sentence(chain.bad) if chain.bad else "",
        "shown": [_line(shown) for shown in reversed(chain.shown)],
        "acts": sentences_of(seen_by_the_hall(game).acts),
    }


def _line(shown: ShownLine) -> Line:
    at = date_format(localtime(datetime.fromisoformat(shown.at)), "H:i:s")
    return Line(shown.entry, at, _act(shown), shown.hash)


def _act(shown: ShownLine) -> str:
    turn = {"turn": shown.turn}
    named = {
        "created": _("game begun"),
        "prepared": _("prepared game taken"),
        "hall_word": _("word of the hall"),
        "announce": _("turn %(turn)s announced") % turn,
        "place": _("turn %(turn)s placed") % turn,
        "show": _("turn %(turn)s shown in a room") % turn,
        "undo": _("turn %(turn)s taken back") % turn,
        "end": _("game ended"),
    }
    return named.get(shown.kind, shown.kind)
