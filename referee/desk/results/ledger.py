"""The check of the ledger on the page of the turns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from referee.results.draw_act_text import sentences_of
from tournaments.ledger.chain_text import broken_sentence
from tournaments.ledger.queries import ShownHash, check_ledger, get_shown_head
from tournaments.models import Game


@dataclass(frozen=True, slots=True)
class Line:
    """An entry whose hash was shown on the wall."""

    entry: int
    at: str
    act: str
    hash: str


def ledger_context(game: Game) -> Mapping[str, object]:
    """Verify all chains; return the result, and of each chain its head and the entries that were shown on the wall."""
    checked = check_ledger(game)
    return {
        "entries": sum(chain.entries for chain in checked.chains),
        "broken": broken_sentence(checked.bad) if checked.bad else "",
        "chains": [(chain, [_line(shown) for shown in reversed(chain.shown)]) for chain in checked.chains],
        "acts": sentences_of(get_shown_head(game).acts),
    }


def _line(entry: ShownHash) -> Line:
    at = date_format(localtime(datetime.fromisoformat(entry.at)), "H:i:s")
    return Line(entry.entry, at, _act(entry), entry.hash)


def _act(entry: ShownHash) -> str:
    turn = {"turn": entry.turn}
    named = {
        "created": _("game begun"),
        "prepared": _("prepared game chosen"),
        "hall_word": _("word called out"),
        "announce": _("turn %(turn)s announced") % turn,
        "place": _("turn %(turn)s placed") % turn,
        "show": _("turn %(turn)s shown in a room") % turn,
        "undo": _("turn %(turn)s taken back") % turn,
        "end": _("game ended"),
        "seal": _("last turn shown in every room"),
    }
    return named.get(entry.kind, entry.kind)
