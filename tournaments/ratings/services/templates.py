"""Store, copy and delete export templates."""

from __future__ import annotations

from collections.abc import Collection

from django.utils.translation import gettext as _

from tournaments import validators
from tournaments.errors import Refused
from tournaments.models import ExportTemplate

NAME_LENGTH, HEADING_LENGTH = 100, 60
SEPARATORS = (";", ",", "\t", "|")
DECIMAL_SIGNS = (".", ",")
LINE_ENDS = ("\r\n", "\n")
HANDICAP_COLUMNS = frozenset({"handicap", "total"})


def save_template(template: ExportTemplate, known: Collection[str]) -> ExportTemplate:
    """Check a new or changed template, clean its texts and store it. `known` are the columns that exist."""
    check_template(template, known)
    template.save()
    return template


def check_template(template: ExportTemplate, known: Collection[str]) -> None:
    """Clean the texts of a template; Refused with its first fault."""
    template.name = validators.short_text(template.name, longest=NAME_LENGTH, what=_("name"))
    if not template.name:
        raise Refused(_("Give the template a name."))
    if ExportTemplate.objects.filter(name=template.name).exclude(pk=template.pk).exists():
        raise Refused(_("There is a template with this name already: choose another name."))
    if not template.columns:
        raise Refused(_("Choose at least one column: write 1 as its place."))
    _require_existing_values(template, known)
    if template.for_rating and HANDICAP_COLUMNS & {column for column, _heading in template.columns}:
        raise Refused(
            _(
                "A file for a rating has no handicap points: take the columns “Handicap” and “Points with handicap” "
                "out, or untick “For a rating”."
            )
        )
    template.columns = [
        [column, validators.short_text(heading, longest=HEADING_LENGTH, what=_("heading"))]
        for column, heading in template.columns
    ]


def _require_existing_values(template: ExportTemplate, known: Collection[str]) -> None:
    chosen = [column for column, _heading in template.columns]
    if not (
        set(chosen) <= set(known)
        and len(set(chosen)) == len(chosen)
        and template.separator in SEPARATORS
        and template.decimal_sign in DECIMAL_SIGNS
        and template.line_end in LINE_ENDS
        and template.encoding in ExportTemplate.Encoding.values
    ):
        raise Refused(_("The template has a value that does not exist: choose it again from the list."))


def copy_template(template: ExportTemplate) -> ExportTemplate:
    """Store a copy under a free name."""
    number, start = 2, template.name[: NAME_LENGTH - 5]
    while ExportTemplate.objects.filter(name=f"{start} ({number})").exists():
        number += 1
    template.pk, template.name = None, f"{start} ({number})"
    template.save(force_insert=True)
    return template


def delete_template(template: ExportTemplate) -> None:
    """Delete a template; files that were written with it are not affected."""
    template.delete()
