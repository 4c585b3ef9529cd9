"""Table of all printable documents.

The desk's page, `manage.py print`, the worker that makes documents and the permissions all read it. To add a document,
write a function that draws it and one entry in `DOCUMENTS`.

The arguments of `make` depend on what a document needs:

    EVENT      make(game, room, choice, *, language, paper)    reads what it needs through queries
    GAME       make(archive, *, language, paper)               the game's archive, limited to what the room may know
    TURN       make(archive, turn, *, language, paper)         the same and the number of a turn in it
    PREPARED   make(script, *, language, paper)                a prepared game: printed where its seal is opened, and by
                                                               `manage.py print`, but not offered at a desk

An archive contains a rack before it is announced. A document that typists may print (`may`) must not show it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.db.models import TextChoices
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine.bounded_input import parse_whole_number
from referee.pdf.handouts.badges import SHEETS, badges_pdf, chosen_badges_pdf, label_of_badges, offered_badges
from referee.pdf.handouts.certificates import (
    WHOLE_EVENT as WHOLE_EVENT_CERTIFICATES,
)
from referee.pdf.handouts.certificates import (
    certificates_pdf,
    chosen_certificates_pdf,
    label_of_certificates,
    offered_certificates,
    reads_certificates,
)
from referee.pdf.handouts.envelope import envelope_pdf, prepared_envelope_pdf
from referee.pdf.handouts.forms import (
    EACH_PLAYER,
    appeals_pdf,
    blank_board_pdf,
    chosen_score_sheets_pdf,
    label_of_score_sheets,
    offered_score_sheets,
    score_sheet_pdf,
)
from referee.pdf.handouts.slips import chosen_slips_pdf, label_of_slips, offered_slips, reads_slips, slips_pdf
from referee.pdf.handouts.table_cards import (
    chosen_table_cards_pdf,
    label_of_cards,
    offered_cards,
    read_cards,
    table_cards_pdf,
)
from referee.pdf.handouts.table_plan import (
    BY_NAME,
    BY_TABLE,
    hall_plan_pdf,
    label_of_width,
    names_of_choices,
    offered_widths,
    reads_width,
    table_plan_pdf,
)
from referee.pdf.sheets import analysis
from referee.pdf.sheets.calls import call_pdf, calls_pdf, prepared_calls_pdf
from referee.pdf.sheets.clubs import (
    WHOLE_EVENT,
    chosen_club_standings_pdf,
    club_standings_pdf,
    label_of_club_standings,
    offered_club_standings,
)
from referee.pdf.sheets.differences import (
    chosen_differences_pdf,
    differences_pdf,
    label_of_difference,
    offered_differences,
    reads_difference,
)
from referee.pdf.sheets.match import match_pdf
from referee.pdf.sheets.player_sheets import (
    chosen_player_sheets_pdf,
    chosen_player_sheets_zip,
    first_table,
    label_of_table,
    offered_tables,
    player_sheets_pdf,
    player_sheets_zip,
    reads_table,
)
from referee.pdf.sheets.prepared import prepared_pdf
from referee.pdf.sheets.rules import rules_pdf
from referee.pdf.sheets.rules_poster import rules_poster_pdf
from referee.pdf.sheets.rulings import EVENT as WHOLE_EVENT_REGISTER
from referee.pdf.sheets.rulings import (
    event_rulings_pdf,
    label_of_register,
    offered_registers,
    reads_register,
    rulings_pdf,
)
from referee.pdf.sheets.standings import chosen_standings_pdf, standings_pdf
from referee.pdf.sheets.verification import verification_pdf
from referee.pdf.sheets.warnings import chosen_warnings_pdf, label_of_turn, offered_turns, reads_turn, warnings_pdf
from referee.results.standings_table import name_of_choice
from referee.security.permissions import JUDGES, Roles
from tournaments.models import Game, Room
from tournaments.play.queries.phases import turns_in
from tournaments.results.queries.event_results import StandingsChoice, read_choice

Choices = Sequence[tuple[str, str]]
EVERY_GAME = "games"
MEDIA_TYPES = {"pdf": "application/pdf", "zip": "application/zip", "png": "image/png"}


class Group(TextChoices):
    """Group of documents; the page shows the groups in this order."""

    WALL = "wall", gettext_lazy("For the wall")
    TABLES = "tables", gettext_lazy("For the tables")
    DESK = "desk", gettext_lazy("For the desk")
    ARCHIVE = "archive", gettext_lazy("For the archive")


class DocumentSource(StrEnum):
    """Input that a document is made from."""

    EVENT = "event"
    GAME = "game"
    TURN = "turn"
    PREPARED = "prepared"


def _no_choices(game: Game, room: Room) -> Choices:
    return ()


def _is_empty(choice: str) -> bool:
    return not choice


@dataclass(frozen=True, slots=True)
class Printable:
    """Document that can be printed.

    `name` is its permanent identifier in addresses, on the command line and in stored documents. `description` is one
    sentence on its content.

    `choices` lists the options of the page as (text, label), `reads` validates a text from a request and `label` names
    it; for a TURN all three are given. `make_chosen` draws a choice of a document that is otherwise made from the
    archive, with the arguments of EVENT. If `always_chosen`, the desk uses it without a choice too, because it contains
    more than an archive. `whole_event` is the choice that contains all games of the event, or `EVERY_GAME` to join the
    documents of all games; it is empty where this makes no sense.

    Reading the slips of a game of thousands of players takes seconds; the archive has them only if `of_slips`. If
    `tells_progress`, the functions accept `progress`. `previewed` is False if there is no preview; that of a long
    document shows the choice `sample`. `suffix` is a file type of `MEDIA`.
    """

    name: str
    title: str | Promise
    group: Group
    needs: DocumentSource
    make: Callable[..., bytes]
    description: str | Promise = ""
    may: Roles = JUDGES
    papers: tuple[str, ...] = ("a4", "letter")
    choices: Callable[[Game, Room], Choices] = _no_choices
    reads: Callable[[str], bool] = _is_empty
    label: Callable[[str], str] = str
    make_chosen: Callable[..., bytes] | None = None
    always_chosen: bool = False
    whole_event: str = ""
    of_slips: bool = False
    tells_progress: bool = False
    sample: Callable[[Game, Room], str] | None = None
    suffix: str = "pdf"
    previewed: bool = True

    @property
    def has_desk(self) -> bool:
        """True if the document can be requested at a desk."""
        return self.needs is not DocumentSource.PREPARED

    @property
    def has_preview(self) -> bool:
        """True if a page may show a preview."""
        return self.previewed and self.suffix == "pdf"

    @property
    def from_archive(self) -> bool:
        """True if an archive is enough to make it, so that `manage.py print` offers it."""
        return self.needs in (DocumentSource.GAME, DocumentSource.TURN)

    @property
    def joins_games(self) -> bool:
        """True if that of the whole event consists of the documents of its games."""
        return self.whole_event == EVERY_GAME

    def is_of_event(self, choice: str) -> bool:
        """Return True if a choice contains all games of the event."""
        return choice.partition(".")[0] in (WHOLE_EVENT, EVERY_GAME)

    def understands(self, choice: str) -> bool:
        """Return True if a choice from a request is valid; an empty one always is."""
        if choice == EVERY_GAME:
            return self.joins_games
        return _is_turn(choice) if self.needs is DocumentSource.TURN else _is_empty(choice) or self.reads(choice)

    def offers(self, game: Game, room: Room) -> Choices:
        """List what can be chosen in a room now."""
        return _turns(game, room) if self.needs is DocumentSource.TURN else self.choices(game, room)

    def label_of(self, choice: str) -> str:
        """Return the label of a choice, "" for none."""
        if not choice:
            return ""
        if choice == EVERY_GAME:
            return _("all games of the event")
        return _turn_label(int(choice)) if self.needs is DocumentSource.TURN else self.label(choice)


def _is_turn(choice: str) -> bool:
    return not choice or parse_whole_number(choice, digits=4) is not None


def _turns(game: Game, room: Room) -> Choices:
    numbers = turns_in(game, room).order_by("-number").values_list("number", flat=True)
    return [(str(number), _turn_label(number)) for number in numbers]


def _turn_label(number: int) -> str:
    return _("Turn %(number)s") % {"number": number}


def _standings_label(choice: str) -> str:
    chosen = read_choice(choice)
    return name_of_choice(chosen) if chosen is not None else choice


DOCUMENTS: Mapping[str, Printable] = {
    each.name: each
    for each in (
        Printable(
            "standings",
            gettext_lazy("standings"),
            Group.WALL,
            DocumentSource.GAME,
            standings_pdf,
            description=gettext_lazy("Rank, table, name, points and percent after the last turn that was placed."),
            reads=lambda choice: read_choice(choice) is not None,
            label=_standings_label,
            make_chosen=chosen_standings_pdf,
            whole_event=StandingsChoice().text,
        ),
        Printable(
            "rules",
            gettext_lazy("rules for the wall"),
            Group.WALL,
            DocumentSource.GAME,
            rules_pdf,
            description=gettext_lazy("Every rule of the game in plain words, and what was changed."),
            whole_event=EVERY_GAME,
        ),
        Printable(
            "rules-poster",
            gettext_lazy("rules as a poster"),
            Group.WALL,
            DocumentSource.GAME,
            rules_poster_pdf,
            description=gettext_lazy("All rules on one page in large type; the organiser's changes are framed."),
            whole_event=EVERY_GAME,
        ),
        Printable(
            "club-standings",
            gettext_lazy("standings by club"),
            Group.WALL,
            DocumentSource.GAME,
            club_standings_pdf,
            description=gettext_lazy("A page for each club: its players with place, points and percent."),
            choices=offered_club_standings,
            reads=lambda choice: choice == WHOLE_EVENT,
            label=label_of_club_standings,
            make_chosen=chosen_club_standings_pdf,
            whole_event=WHOLE_EVENT,
        ),
        Printable(
            "hall-plan",
            gettext_lazy("hall plan"),
            Group.WALL,
            DocumentSource.EVENT,
            hall_plan_pdf,
            description=gettext_lazy("The tables in rows as they stand, with the names of the players."),
            choices=offered_widths,
            reads=reads_width,
            label=label_of_width,
        ),
        Printable(
            "table-plan",
            gettext_lazy("seating list"),
            Group.WALL,
            DocumentSource.EVENT,
            table_plan_pdf,
            description=gettext_lazy("All players with table and club, by surname for the entrance or by table."),
            choices=lambda game, room: names_of_choices(),
            reads=lambda choice: choice in (BY_NAME, BY_TABLE),
            label=lambda choice: dict(names_of_choices()).get(choice, choice),
        ),
        Printable(
            "match",
            gettext_lazy("match sheet"),
            Group.ARCHIVE,
            DocumentSource.GAME,
            match_pdf,
            description=gettext_lazy("Every turn with racks, moves and tops, and the final board."),
            of_slips=True,
            whole_event=EVERY_GAME,
        ),
        Printable(
            "analysis",
            gettext_lazy("analysis"),
            Group.ARCHIVE,
            DocumentSource.EVENT,
            analysis.analysis_pdf,
            description=gettext_lazy(
                "Charts of the game or a turn: points, tops, words, hard turns, heat map of the board."
            ),
            choices=analysis.choices,
            reads=analysis.is_choice,
            label=analysis.label_of,
            whole_event=EVERY_GAME,
        ),
        Printable(
            "player-sheets",
            gettext_lazy("player sheets"),
            Group.ARCHIVE,
            DocumentSource.GAME,
            player_sheets_pdf,
            description=gettext_lazy(
                "For each player every turn with slip, verdict, top and loss, and the best finds."
            ),
            choices=offered_tables,
            reads=reads_table,
            label=label_of_table,
            make_chosen=chosen_player_sheets_pdf,
            always_chosen=True,
            tells_progress=True,
            sample=first_table,
            whole_event=EVERY_GAME,
        ),
        Printable(
            "player-files",
            gettext_lazy("player sheets as files"),
            Group.ARCHIVE,
            DocumentSource.GAME,
            player_sheets_zip,
            description=gettext_lazy("The same sheets, a PDF for each player, packed into one ZIP file."),
            make_chosen=chosen_player_sheets_zip,
            always_chosen=True,
            tells_progress=True,
            suffix="zip",
        ),
        Printable(
            "certificates",
            gettext_lazy("certificates"),
            Group.WALL,
            DocumentSource.GAME,
            certificates_pdf,
            description=gettext_lazy("For the first three and the first of each series, with lines to sign on."),
            choices=offered_certificates,
            reads=reads_certificates,
            label=label_of_certificates,
            make_chosen=chosen_certificates_pdf,
            whole_event=WHOLE_EVENT_CERTIFICATES,
        ),
        Printable(
            "table-cards",
            gettext_lazy("table cards"),
            Group.TABLES,
            DocumentSource.GAME,
            table_cards_pdf,
            description=gettext_lazy(
                "Folded cards: the number faces outwards, the instructions for joining face the player."
            ),
            choices=offered_cards,
            reads=lambda choice: read_cards(choice) is not None,
            label=label_of_cards,
            make_chosen=chosen_table_cards_pdf,
            always_chosen=True,
        ),
        Printable(
            "slips",
            gettext_lazy("blank slips"),
            Group.TABLES,
            DocumentSource.GAME,
            slips_pdf,
            description=gettext_lazy(
                "Paper slips with table and turn; when cut in a stack, the slips of each table are in order."
            ),
            choices=offered_slips,
            reads=reads_slips,
            label=label_of_slips,
            make_chosen=chosen_slips_pdf,
        ),
        Printable(
            "badges",
            gettext_lazy("name badges"),
            Group.TABLES,
            DocumentSource.GAME,
            badges_pdf,
            description=gettext_lazy("Name, club and table of each player, to cut out or on label sheets."),
            choices=offered_badges,
            reads=lambda choice: choice in SHEETS,
            label=label_of_badges,
            make_chosen=chosen_badges_pdf,
        ),
        Printable(
            "score-sheets",
            gettext_lazy("score sheets"),
            Group.TABLES,
            DocumentSource.GAME,
            score_sheet_pdf,
            description=gettext_lazy("A player's own record: a line for each turn with rack, word, points and total."),
            choices=offered_score_sheets,
            reads=lambda choice: choice == EACH_PLAYER,
            label=label_of_score_sheets,
            make_chosen=chosen_score_sheets_pdf,
        ),
        Printable(
            "board",
            gettext_lazy("empty board"),
            Group.TABLES,
            DocumentSource.GAME,
            blank_board_pdf,
            description=gettext_lazy("The board of the edition on one page, to follow the game with a pencil."),
        ),
        Printable(
            "appeals",
            gettext_lazy("appeals on paper"),
            Group.TABLES,
            DocumentSource.GAME,
            appeals_pdf,
            description=gettext_lazy("Two forms on a page for players who appeal without a phone."),
        ),
        Printable(
            "warnings",
            gettext_lazy("warnings and penalties"),
            Group.TABLES,
            DocumentSource.GAME,
            warnings_pdf,
            description=gettext_lazy(
                "One notice to hand out for each: the fault, the rule, the penalty and the judge."
            ),
            choices=offered_turns,
            reads=reads_turn,
            label=label_of_turn,
            make_chosen=chosen_warnings_pdf,
            of_slips=True,
            whole_event=EVERY_GAME,
        ),
        Printable(
            "envelope",
            gettext_lazy("envelope label"),
            Group.DESK,
            DocumentSource.GAME,
            envelope_pdf,
            description=gettext_lazy("The fingerprint of the draw, for the envelope that stays sealed until the end."),
        ),
        Printable(
            "call",
            gettext_lazy("call sheet of a turn"),
            Group.DESK,
            DocumentSource.TURN,
            call_pdf,
            description=gettext_lazy("What the caller reads aloud, in large type: letters, code words and the move."),
        ),
        Printable(
            "calls",
            gettext_lazy("call sheets of the game"),
            Group.DESK,
            DocumentSource.GAME,
            calls_pdf,
            description=gettext_lazy("The call sheets of all turns so far, several on a page."),
            whole_event=EVERY_GAME,
        ),
        Printable(
            "prepared-calls",
            gettext_lazy("call sheets of a prepared game"),
            Group.DESK,
            DocumentSource.PREPARED,
            prepared_calls_pdf,
        ),
        Printable(
            "rulings",
            gettext_lazy("register of rulings"),
            Group.ARCHIVE,
            DocumentSource.GAME,
            rulings_pdf,
            description=gettext_lazy(
                "Every ruling on words and slips, every warning and every appeal: by whom, why, and its effect."
            ),
            choices=offered_registers,
            reads=reads_register,
            label=label_of_register,
            make_chosen=event_rulings_pdf,
            of_slips=True,
            whole_event=WHOLE_EVENT_REGISTER,
        ),
        Printable(
            "differences",
            gettext_lazy("changes in rejudged turns"),
            Group.ARCHIVE,
            DocumentSource.GAME,
            differences_pdf,
            description=gettext_lazy("Every player whose points changed after the turn was on the board, and why."),
            choices=offered_differences,
            reads=reads_difference,
            label=label_of_difference,
            make_chosen=chosen_differences_pdf,
            of_slips=True,
            whole_event=EVERY_GAME,
        ),
        Printable(
            "verification",
            gettext_lazy("verification"),
            Group.ARCHIVE,
            DocumentSource.EVENT,
            verification_pdf,
            description=gettext_lazy(
                "Whether draws, slips, verdicts, standings and the ledger agree; each difference."
            ),
            tells_progress=True,
            previewed=False,
            whole_event=EVERY_GAME,
        ),
        Printable(
            "prepared-envelope",
            gettext_lazy("envelope label of a prepared game"),
            Group.DESK,
            DocumentSource.PREPARED,
            prepared_envelope_pdf,
        ),
        Printable(
            "prepared",
            gettext_lazy("prepared game"),
            Group.ARCHIVE,
            DocumentSource.PREPARED,
            prepared_pdf,
        ),
    )
}


def find_printable(name: str) -> Printable | None:
    """Return the document of this name, None if there is none or no desk offers it."""
    found = DOCUMENTS.get(name)
    return found if found is not None and found.has_desk else None


def list_printables(role: str) -> list[tuple[Group, list[Printable]]]:
    """List what a role may print, group by group, without empty groups."""
    groups = [(group, [each for each in DOCUMENTS.values() if each.group is group]) for group in Group]
    seen = [(group, [each for each in listed if each.has_desk and role in each.may]) for group, listed in groups]
    return [(group, listed) for group, listed in seen if listed]
