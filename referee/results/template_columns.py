"""The columns of export templates. Their names are stored in templates, so they never change."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tournaments.models import Event, Player
from tournaments.ratings.queries.template_names import PlayerMembers

Value = str | int | Decimal | None


@dataclass(frozen=True, slots=True)
class TemplateLine:
    """A line of a file: a player over the event, or in `game`. `percent` and `negative` are those of `total`."""

    event: Event
    player: Player
    members: PlayerMembers | None
    rank: int | None
    points: int
    handicap: int
    tops: int
    percent: Decimal
    solos: int
    warnings: int
    penalties: int
    players: int
    game: int | None = None

    @property
    def total(self) -> int:
        """Points with handicap."""
        return self.points + self.handicap

    @property
    def pseudonym(self) -> str:
        """The name of an anonymised member, else empty."""
        return self.members.pseudonym if self.members else ""

    def private(self, field: str) -> str:
        """Return a field of the player, empty for an anonymised member."""
        return "" if self.pseudonym else str(getattr(self.player, field))


@dataclass(frozen=True, slots=True)
class TemplateColumn:
    """A column: the title, which is the heading unless another one is written, and its value in a line."""

    title: str | Promise
    read: Callable[[TemplateLine], Value]


COLUMNS: Mapping[str, TemplateColumn] = {
    "rank": TemplateColumn(_("Rank"), lambda line: line.rank),
    "table": TemplateColumn(_("Table"), lambda line: line.player.table),
    "name": TemplateColumn(_("Name"), lambda line: line.pseudonym or line.player.name),
    "surname": TemplateColumn(_("Surname"), lambda line: line.pseudonym or line.player.surname),
    "first_name": TemplateColumn(_("First name"), lambda line: line.private("first_name")),
    "licence": TemplateColumn(_("Licence number"), lambda line: line.private("licence")),
    "member": TemplateColumn(_("Member number"), lambda line: line.members.numbers[0] if line.members else None),
    "club": TemplateColumn(_("Club"), lambda line: line.player.club),
    "series": TemplateColumn(_("Series"), lambda line: line.player.series),
    "age_class": TemplateColumn(_("Age class"), lambda line: line.private("age_class")),
    "country": TemplateColumn(_("Country"), lambda line: line.private("country")),
    "team": TemplateColumn(_("Team"), lambda line: line.player.team),
    "points": TemplateColumn(_("Points"), lambda line: line.points),
    "handicap": TemplateColumn(_("Handicap"), lambda line: line.handicap),
    "total": TemplateColumn(_("Points with handicap"), lambda line: line.total),
    "tops": TemplateColumn(_("Sum of tops"), lambda line: line.tops),
    "negative": TemplateColumn(_("Negative"), lambda line: line.total - line.tops),
    "percent": TemplateColumn(_("Percent"), lambda line: line.percent),
    "solos": TemplateColumn(_("Solos"), lambda line: line.solos),
    "warnings": TemplateColumn(_("Warnings"), lambda line: line.warnings),
    "penalties": TemplateColumn(_("Penalties"), lambda line: line.penalties),
    "players": TemplateColumn(_("Number of players"), lambda line: line.players),
    "game": TemplateColumn(_("Game"), lambda line: line.game),
    "event": TemplateColumn(_("Event"), lambda line: line.event.name),
    "date": TemplateColumn(_("Date"), lambda line: line.event.date.isoformat()),
    "place": TemplateColumn(pgettext_lazy("where an event takes place", "Place"), lambda line: line.event.place),
}
"""Every column by its name. In a file for a rating there are no handicap points in any of them."""
