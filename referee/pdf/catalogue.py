"""Every document that can be printed, as one table. The desk's page, `manage.py print`, the maker of what was asked for
and the rights all read it, so that a document is added by a function that draws it and one entry in `DOCUMENTS`.

What `make` is called with follows from what a document needs:

    EVENT      make(game, room, choice, *, language, paper)    reads what it wants by selectors
    GAME       make(archive, *, language, paper)               the game's archive, with what may be known in the room
    TURN       make(archive, turn, *, language, paper)         the same and the number of a turn in it
    PREPARED   make(script, *, language, paper)                a prepared game: printed where its seal is broken, and by
                                                               `manage.py print`, but not offered at a desk

An archive knows a rack before the hall does: whoever opens a document to a typist (`may`) keeps it out of there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.db.models import TextChoices
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine.bounded_input import whole_number
from referee.pdf import analysis
from referee.pdf.calls import call_pdf, calls_pdf, prepared_calls_pdf
from referee.pdf.certificates import (
    certificates_pdf,
    chosen_certificates_pdf,
    label_of_certificates,
    offered_certificates,
    reads_certificates,
)
from referee.pdf.differences import (
    chosen_differences_pdf,
    differences_pdf,
    label_of_difference,
    offered_differences,
    reads_difference,
)
from referee.pdf.envelope import envelope_pdf, prepared_envelope_pdf
from referee.pdf.match import match_pdf
from referee.pdf.player_sheets import (
    chosen_player_sheets_pdf,
    chosen_player_sheets_zip,
    first_table,
    label_of_table,
    offered_tables,
    player_sheets_pdf,
    player_sheets_zip,
    reads_table,
)
from referee.pdf.prepared import prepared_pdf
from referee.pdf.rules import rules_pdf
from referee.pdf.rulings import event_rulings_pdf, label_of_register, offered_registers, reads_register, rulings_pdf
from referee.pdf.slips import chosen_slips_pdf, label_of_slips, offered_slips, reads_slips, slips_pdf
from referee.pdf.standings import chosen_standings_pdf, standings_pdf
from referee.pdf.table_cards import (
    chosen_table_cards_pdf,
    label_of_cards,
    offered_cards,
    read_cards,
    table_cards_pdf,
)
from referee.pdf.table_plan import BY_NAME, BY_TABLE, names_of_choices, table_plan_pdf
from referee.pdf.verification import verification_pdf
from referee.pdf.warnings import chosen_warnings_pdf, label_of_turn, offered_turns, reads_turn, warnings_pdf
from referee.results_table import name_of_choice
from referee.security.rights import JUDGES, Roles
from tournaments.models import Game, Room
from tournaments.selectors.event_results import read_choice
from tournaments.selectors.phases import turns_in

Choices = Sequence[tuple[str, str]]
MEDIA = {"pdf": "application/pdf", "zip": "application/zip", "png": "image/png"}


class Group(TextChoices):
    """Where a document goes; the page shows them in this order."""

    WALL = "wall", gettext_lazy("For the wall")
    TABLES = "tables", gettext_lazy("For the tables")
    DESK = "desk", gettext_lazy("For the desk")
    ARCHIVE = "archive", gettext_lazy("For the archive")


class Needs(StrEnum):
    """What a document is made from."""

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
    """A document that can be printed.

    `name` is what addresses, the command line and stored documents call it, for good. `told` is a sentence: what is on
    it. `choices` are what the page offers to choose from, (text, label); `reads` tells whether a text that came is
    one, and `label` names it on the page; of a turn all three are given. `make_chosen` draws a choice of a document
    that is else made from the archive, with the arguments of EVENT; one that is `always_chosen` is drawn so at the desk
    without a choice, too, since there more is known than an archive tells. The archive of a game of thousands takes
    seconds to read for its slips; one that is not made `of_slips` gets it without them. One that `tells_progress` is
    given a function for it; of a long one a preview shows the choice `sample`, or it is not `previewed`. `suffix` is a
    kind of file of `MEDIA`.
    """

    name: str
    title: str | Promise
    group: Group
    needs: Needs
    make: Callable[..., bytes]
    told: str | Promise = ""
    may: Roles = JUDGES
    papers: tuple[str, ...] = ("a4", "letter")
    choices: Callable[[Game, Room], Choices] = _no_choices
    reads: Callable[[str], bool] = _is_empty
    label: Callable[[str], str] = str
    make_chosen: Callable[..., bytes] | None = None
    always_chosen: bool = False
    of_slips: bool = False
    tells_progress: bool = False
    sample: Callable[[Game, Room], str] | None = None
    suffix: str = "pdf"
    previewed: bool = True

    @property
    def has_desk(self) -> bool:
        """Whether it can be asked for at a desk."""
        return self.needs is not Needs.PREPARED

    @property
    def has_preview(self) -> bool:
        """Whether a page may show it before it is made."""
        return self.previewed and self.suffix == "pdf"

    @property
    def from_archive(self) -> bool:
        """Whether an archive is enough for it: then `manage.py print` makes it, too."""
        return self.needs in (Needs.GAME, Needs.TURN)

    def understands(self, choice: str) -> bool:
        """Whether a choice that came is one of this document; an empty one always is."""
        return _is_turn(choice) if self.needs is Needs.TURN else _is_empty(choice) or self.reads(choice)

    def offers(self, game: Game, room: Room) -> Choices:
        """What can be chosen now in a room."""
        return _turns(game, room) if self.needs is Needs.TURN else self.choices(game, room)

    def label_of(self, choice: str) -> str:
        """A choice in words, nothing for none."""
        if not choice:
            return ""
        return _turn_label(int(choice)) if self.needs is Needs.TURN else self.label(choice)


def _is_turn(choice: str) -> bool:
    return not choice or whole_number(choice, digits=4) is not None


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
            Needs.GAME,
            standings_pdf,
            told=gettext_lazy("Rank, table, name, points and percent after the last turn that was placed."),
            reads=lambda choice: read_choice(choice) is not None,
            label=_standings_label,
            make_chosen=chosen_standings_pdf,
        ),
        Printable(
            "rules",
            gettext_lazy("rules for the wall"),
            Group.WALL,
            Needs.GAME,
            rules_pdf,
            told=gettext_lazy("Every rule of the game in plain words, and what was changed."),
        ),
        Printable(
            "table-plan",
            gettext_lazy("who sits where"),
            Group.WALL,
            Needs.EVENT,
            table_plan_pdf,
            told=gettext_lazy("Everybody with table and club, by name for the door or by table."),
            choices=lambda game, room: names_of_choices(),
            reads=lambda choice: choice in (BY_NAME, BY_TABLE),
            label=lambda choice: dict(names_of_choices()).get(choice, choice),
        ),
        Printable(
            "match",
            gettext_lazy("match sheet"),
            Group.ARCHIVE,
            Needs.GAME,
            match_pdf,
            told=gettext_lazy("Every turn with racks, moves and tops, the board at the end, and what proves the draw."),
            of_slips=True,
        ),
        Printable(
            "analysis",
            gettext_lazy("analysis"),
            Group.ARCHIVE,
            Needs.EVENT,
            analysis.analysis_pdf,
            told=gettext_lazy("Charts of the game or a turn: points, tops, words, hard turns, heat map of the board."),
            choices=analysis.choices,
            reads=analysis.is_choice,
            label=analysis.label_of,
        ),
        Printable(
            "player-sheets",
            gettext_lazy("players’ own sheets"),
            Group.ARCHIVE,
            Needs.GAME,
            player_sheets_pdf,
            told=gettext_lazy("For each player every turn with slip, verdict, top and loss, and the best finds."),
            choices=offered_tables,
            reads=reads_table,
            label=label_of_table,
            make_chosen=chosen_player_sheets_pdf,
            always_chosen=True,
            tells_progress=True,
            sample=first_table,
        ),
        Printable(
            "player-files",
            gettext_lazy("players’ own sheets as files"),
            Group.ARCHIVE,
            Needs.GAME,
            player_sheets_zip,
            told=gettext_lazy("The same sheets, a PDF for each player, packed into one ZIP file."),
            make_chosen=chosen_player_sheets_zip,
            always_chosen=True,
            tells_progress=True,
            suffix="zip",
        ),
        Printable(
            "certificates",
            gettext_lazy("certificates"),
            Group.WALL,
            Needs.GAME,
            certificates_pdf,
            told=gettext_lazy("For the first three and the first of each series, with lines to sign on."),
            choices=offered_certificates,
            reads=reads_certificates,
            label=label_of_certificates,
            make_chosen=chosen_certificates_pdf,
        ),
        Printable(
            "table-cards",
            gettext_lazy("cards of the tables"),
            Group.TABLES,
            Needs.GAME,
            table_cards_pdf,
            told=gettext_lazy("The number towards the hall, the way into the game towards the player; to be folded."),
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
            Needs.GAME,
            slips_pdf,
            told=gettext_lazy("Slips of paper with table and turn; cut in a stack, each table’s lie in order."),
            choices=offered_slips,
            reads=reads_slips,
            label=label_of_slips,
            make_chosen=chosen_slips_pdf,
        ),
        Printable(
            "warnings",
            gettext_lazy("warnings and penalties"),
            Group.TABLES,
            Needs.GAME,
            warnings_pdf,
            told=gettext_lazy("A slip to hand out for each: what, by which rule, what it costs, who says so."),
            choices=offered_turns,
            reads=reads_turn,
            label=label_of_turn,
            make_chosen=chosen_warnings_pdf,
            of_slips=True,
        ),
        Printable(
            "envelope",
            gettext_lazy("label for the envelope"),
            Group.DESK,
            Needs.GAME,
            envelope_pdf,
            told=gettext_lazy("The fingerprint of the draw, to be glued on what stays sealed until the end."),
        ),
        Printable(
            "call",
            gettext_lazy("call sheet of a turn"),
            Group.DESK,
            Needs.TURN,
            call_pdf,
            told=gettext_lazy("What the caller reads aloud, in large type: letters, code words and the move."),
        ),
        Printable(
            "calls",
            gettext_lazy("call sheets of the game"),
            Group.DESK,
            Needs.GAME,
            calls_pdf,
            told=gettext_lazy("The same of every turn so far, several on a page."),
        ),
        Printable(
            "prepared-calls",
            gettext_lazy("call sheets of a prepared game"),
            Group.DESK,
            Needs.PREPARED,
            prepared_calls_pdf,
        ),
        Printable(
            "rulings",
            gettext_lazy("register of rulings"),
            Group.ARCHIVE,
            Needs.GAME,
            rulings_pdf,
            told=gettext_lazy("Every ruling on words and slips, every warning and answer: by whom, why, what it did."),
            choices=offered_registers,
            reads=reads_register,
            label=label_of_register,
            make_chosen=event_rulings_pdf,
            of_slips=True,
        ),
        Printable(
            "differences",
            gettext_lazy("differences of turns judged again"),
            Group.ARCHIVE,
            Needs.GAME,
            differences_pdf,
            told=gettext_lazy("Every player whose points became others once the turn was on the board, and why."),
            choices=offered_differences,
            reads=reads_difference,
            label=label_of_difference,
            make_chosen=chosen_differences_pdf,
            of_slips=True,
        ),
        Printable(
            "verification",
            gettext_lazy("verification"),
            Group.ARCHIVE,
            Needs.EVENT,
            verification_pdf,
            told=gettext_lazy("Whether draws, slips, verdicts, standings and the ledger agree; each difference."),
            tells_progress=True,
            previewed=False,
        ),
        Printable(
            "prepared-envelope",
            gettext_lazy("label for the envelope of a prepared game"),
            Group.DESK,
            Needs.PREPARED,
            prepared_envelope_pdf,
        ),
        Printable(
            "prepared",
            gettext_lazy("prepared game"),
            Group.ARCHIVE,
            Needs.PREPARED,
            prepared_pdf,
        ),
    )
}


def printable(name: str) -> Printable | None:
    """The document of this name; None for one that there is not, or that no desk offers."""
    found = DOCUMENTS.get(name)
    return found if found is not None and found.has_desk else None


def offered(role: str) -> list[tuple[Group, list[Printable]]]:
    """What a role may print, group by group; no group is empty."""
    groups = [(group, [each for each in DOCUMENTS.values() if each.group is group]) for group in Group]
    seen = [(group, [each for each in listed if each.has_desk and role in each.may]) for group, listed in groups]
    return [(group, listed) for group, listed in seen if listed]
