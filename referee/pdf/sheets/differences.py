"""Effects of turns that were judged again: each affected player, points before and after, and the reason."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from django.utils.translation import gettext as _
from django.utils.translation import override

from engine.archive.rulings_register import RulingLine, list_rulings
from engine.archive.schema import Archive
from engine.bounded_input import parse_whole_number
from referee.pdf.drawing import heads
from referee.pdf.drawing.sheet import Column, Sheet
from referee.pdf.sheets.rulings import moment_of, tables_text
from referee.results.ruling_text import ruling_words
from tournaments.judging.queries.differences import read_differences
from tournaments.judging.queries.rejudged_turns import list_rejudged_turns, reason_text
from tournaments.models import Game, Player, Room
from tournaments.results.queries.archive import export_game

Entry = Mapping[str, Any]


def differences_pdf(archive: Archive, *, language: str, paper: str = "a4") -> bytes:
    """List the effects of all turns of a game that were judged again."""
    names = {player["table"]: player["name"] for player in archive["players"]}
    return _make_pdf(archive, None, names, language, paper)


def chosen_differences_pdf(game: Game, room: Room, choice: str, *, language: str, paper: str = "a4") -> bytes:
    """List the effects of one ledger entry."""
    names = dict(Player.objects.filter(event=game.event_id).values_list("table", "name"))
    return _make_pdf(cast(Archive, export_game(game, room, language=language)), int(choice), names, language, paper)


def offered_differences(game: Game, room: Room) -> Sequence[tuple[str, str]]:
    """List the turns that were judged again, the newest first, at the desk of the drawing room."""
    return [(str(line.entry), _label(line)) for line in list_rejudged_turns(game)] if room.is_drawing else []


def reads_difference(choice: str) -> bool:
    """Return True if a text can be the number of a ledger entry."""
    return parse_whole_number(choice) is not None


def label_of_difference(choice: str) -> str:
    """Return the label of a choice."""
    return _("Ledger entry %(entry)s") % {"entry": choice}


def _label(line: RulingLine) -> str:
    return _("Turn %(turn)s: %(ruling)s") % {"turn": line.turn, "ruling": ruling_words(line)}


def _make_pdf(archive: Archive, only: int | None, names: Mapping[int, str], language: str, paper: str) -> bytes:
    entries = [dict(entry) for entry in archive["ledger"]["entries"] if entry["kind"] == "reopened"]
    wanted = [entry for entry in entries if only is None or entry["n"] == only]
    with override(language):
        title, facts = _("Differences"), heads.game_facts(archive)
        sheet = Sheet(title, heads.subtitle(archive), facts, paper=paper)
        for entry, line in zip(wanted, list_rulings(cast(Iterable[Entry], wanted)), strict=True):
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
        [str(one.turn), str(one.table), names.get(one.table, ""), str(one.before), str(one.after), reason_text(one.why)]
        for one in read_differences(entry["data"])
    ]
    if rows:
        sheet.table(_columns(), rows)
    else:
        sheet.paragraph(_("Nobody’s points change."))
    sheet.gap(14)


def _sentences(details: Mapping[str, Any]) -> list[str]:
    tops = [
        _("The top of turn %(turn)s: %(before)s → %(after)s.") % {"turn": turn, "before": before, "after": after}
        for turn, before, after in details.get("tops", ())
    ]
    solos = [
        _("Solo of turn %(turn)s, table: %(before)s → %(after)s.")
        % {"turn": turn, "before": "–" if before is None else before, "after": "–" if after is None else after}
        for turn, before, after in details.get("solos", ())
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
