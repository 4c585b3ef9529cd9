"""What turns that were judged again changed: every player whose points are others, before, after, and why."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from django.utils.translation import gettext as _
from django.utils.translation import override

from engine.archive import Archive
from engine.bounded_input import whole_number
from engine.rulings_register import RulingLine, rulings_in
from referee.pdf import heads
from referee.pdf.rulings import moment_of, tables_text
from referee.pdf.sheet import Column, Sheet
from referee.rulings_text import ruling_words
from tournaments.models import Game, Player, Room
from tournaments.selectors.archive import export_game
from tournaments.selectors.differences import read_differences
from tournaments.selectors.reopened import reopened_turns, why_text

Entry = Mapping[str, Any]


def differences_pdf(archive: Archive, *, language: str, paper: str = "a4") -> bytes:
    """The lists of all turns of a game that were judged again."""
    names = {player["table"]: player["name"] for player in archive["players"]}
    return _made(archive, None, names, language, paper)


def chosen_differences_pdf(game: Game, room: Room, choice: str, *, language: str, paper: str = "a4") -> bytes:
    """The list of one ledger entry."""
    names = dict(Player.objects.filter(event=game.event_id).values_list("table", "name"))
    return _made(cast(Archive, export_game(game, room, language=language)), int(choice), names, language, paper)


def offered_differences(game: Game, room: Room) -> Sequence[tuple[str, str]]:
    """Each turn that was judged again, the last one first; at the desk of the drawing room."""
    return [(str(line.entry), _label(line)) for line in reopened_turns(game)] if room.is_drawing else []


def reads_difference(choice: str) -> bool:
    """Whether this may be the number of an entry."""
    return whole_number(choice) is not None


def label_of_difference(choice: str) -> str:
    """A choice in words."""
    return _("Ledger entry %(entry)s") % {"entry": choice}


def _label(line: RulingLine) -> str:
    return _("Turn %(turn)s: %(ruling)s") % {"turn": line.turn, "ruling": ruling_words(line)}


def _made(archive: Archive, only: int | None, names: Mapping[int, str], language: str, paper: str) -> bytes:
    entries = [dict(entry) for entry in archive["ledger"]["entries"] if entry["kind"] == "reopened"]
    wanted = [entry for entry in entries if only is None or entry["n"] == only]
    with override(language):
        title, facts = _("Differences"), heads.facts(archive)
        sheet = Sheet(title, heads.subtitle(archive), facts, foot=heads.foot(archive), paper=paper)
        for entry, line in zip(wanted, rulings_in(cast(Iterable[Entry], wanted)), strict=True):
            _draw(sheet, entry, line, names)
        if not wanted:
            sheet.paragraph(_("No turn of this game was judged again."))
        return sheet.finish()


def _draw(sheet: Sheet, entry: Entry, line: RulingLine, names: Mapping[int, str]) -> None:
    sheet.need(110)
    sheet.paragraph(_label(line), size=12)
    sheet.paragraph(line.reason)
    facts = [moment_of(line.at), line.by, label_of_difference(str(line.entry))]
    if line.appeals:
        facts.append(_("answers the appeal of table %(tables)s") % {"tables": tables_text(line.appeals)})
    sheet.paragraph(" · ".join(fact for fact in facts if fact))
    for sentence in _sentences(entry["data"]):
        sheet.paragraph(sentence)
    rows = [
        [str(one.turn), str(one.table), names.get(one.table, ""), str(one.before), str(one.after), why_text(one.why)]
        for one in read_differences(entry["data"])
    ]
    if rows:
        sheet.table(_columns(), rows)
    else:
        sheet.paragraph(_("Nobody’s points change."))
    sheet.gap(14)


def _sentences(told: Mapping[str, Any]) -> list[str]:
    tops = [
        _("The top of turn %(turn)s: %(before)s → %(after)s.") % {"turn": turn, "before": before, "after": after}
        for turn, before, after in told.get("tops", ())
    ]
    solos = [
        _("Solo of turn %(turn)s, table: %(before)s → %(after)s.")
        % {"turn": turn, "before": "–" if before is None else before, "after": "–" if after is None else after}
        for turn, before, after in told.get("solos", ())
    ]
    return tops + solos


def _columns() -> list[Column]:
    return [
        Column(_("Turn"), 6),
        Column(_("Table"), 7),
        Column(_("Name"), 34, "left", bold=True),
        Column(_("Before"), 8),
        Column(_("After"), 8),
        Column(_("Why"), 37, "left"),
    ]
