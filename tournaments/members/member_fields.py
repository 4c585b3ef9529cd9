"""Fields of a member: their titles, and the rules for what people type into them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import date

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext as _

from tournaments import validators
from tournaments.errors import Refused
from tournaments.models import Member

NAME_PART_LENGTH = 100
NOTE_LENGTH = 2000
EMAIL_LENGTH = 254
EARLIEST_BIRTH = 1880
_YEAR = re.compile(r"\d{4}")
_DAY_PATTERNS = (
    re.compile(r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})(?:[T ][\d:.]+)?"),
    re.compile(r"(?P<day>\d{1,2})[./ -](?P<month>\d{1,2})[./ -](?P<year>\d{4})"),
)
_YES = frozenset(
    {"1", "x", "yes", "y", "oui", "o", "sì", "sí", "si", "s", "ja", "j", "da", "true", "vrai", "vero", "wahr"}
)
_NO = frozenset({"0", "-", "no", "n", "non", "nein", "nu", "false", "faux", "falso", "falsch", "fals"})


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberDetails:
    """All that people enter about a member."""

    surname: str = ""
    first_name: str = ""
    club: str = ""
    team: str = ""
    licence: str = ""
    category: str = ""
    birth_year: int | None = None
    country: str = ""
    note: str = ""
    email: str = ""
    joined_on: date | None = None
    left_on: date | None = None
    may_be_published: bool = False
    wants_mail: bool = False


MEMBER_FIELDS = tuple(each.name for each in fields(MemberDetails))
"""The fields in the order of forms and files."""


def details_of(member: Member) -> MemberDetails:
    """Return what is stored about a member."""
    return MemberDetails(**{name: getattr(member, name) for name in MEMBER_FIELDS})


def clean_details(details: MemberDetails, today: date) -> MemberDetails:
    """Return the details as they are stored. Raise `Refused` for what a field cannot hold."""
    texts = {name: clean(getattr(details, name)) for name, clean in TEXT_VALIDATORS.items()}
    cleaned = replace(details, **texts)  # type: ignore[arg-type]  # texts for fields that are texts
    if not cleaned.surname:
        raise Refused(_("Give the member a surname."))
    if cleaned.birth_year is not None:
        require_birth_year(cleaned.birth_year, today)
    if cleaned.joined_on and cleaned.left_on and cleaned.left_on < cleaned.joined_on:
        raise Refused(_("The date of leaving is before the date of entry: correct one of them."))
    if cleaned.wants_mail and not cleaned.email:
        raise Refused(_("Results by e-mail need an address: enter one, or switch them off."))
    return cleaned


def surname(text: str) -> str:
    """Clean a surname; may be empty."""
    return _name_part(text, _("surname"))


def first_name(text: str) -> str:
    """Clean a first name; may be empty."""
    return _name_part(text, _("first name"))


def _name_part(text: str, what: str) -> str:
    return validators.short_text(validators.typed_name(text, what=what), longest=NAME_PART_LENGTH, what=what)


def category(text: str) -> str:
    """Clean the category a member plays in; may be empty."""
    return validators.short_text(text, longest=validators.SERIES_LENGTH, what=_("category"))


def note(text: str) -> str:
    """Clean a note line by line; may be empty."""
    cleaned = "\n".join(validators.one_line(line) for line in text.splitlines()).strip()
    if len(cleaned) > NOTE_LENGTH:
        raise Refused(
            _("The field “%(field)s” has %(length)d characters; at most %(longest)d fit.")
            % {"field": _("note"), "length": len(cleaned), "longest": NOTE_LENGTH}
        )
    return cleaned


def email(text: str) -> str:
    """Clean an e-mail address; may be empty."""
    cleaned = validators.short_text(text, longest=EMAIL_LENGTH, what=_("e-mail"))
    try:
        if cleaned:
            validate_email(cleaned)
    except ValidationError:
        sentence = _("“%(text)s” is not an e-mail address: write it like name@example.org.")
        raise Refused(sentence % {"text": cleaned[:80]}) from None
    return cleaned


def require_birth_year(year: int, today: date) -> None:
    """Refuse a year in which no living person was born."""
    if not EARLIEST_BIRTH <= year <= today.year:
        raise Refused(
            _("%(year)d is not a year of birth: write a year from %(first)d to %(last)d.")
            % {"year": year, "first": EARLIEST_BIRTH, "last": today.year}
        )


def parse_birth_year(text: str, today: date) -> int | None:
    """Read a year of birth, or the year of a date of birth: the day is not stored. None for an empty text."""
    if not text:
        return None
    try:
        day = date(int(text), 1, 1) if _YEAR.fullmatch(text) else parse_day(text)
    except (Refused, ValueError):
        sentence = _("“%(text)s” is not a year of birth: write it like 1958.")
        raise Refused(sentence % {"text": text[:30]}) from None
    year = day.year if day else None
    if year is not None:
        require_birth_year(year, today)
    return year


def parse_day(text: str) -> date | None:
    """Read a date as spreadsheets and people write it, the day before the month. None for an empty text."""
    if not text:
        return None
    for pattern in _DAY_PATTERNS:
        found = pattern.fullmatch(text)
        try:
            if found:
                return date(int(found["year"]), int(found["month"]), int(found["day"]))
        except ValueError:
            break
    sentence = _("“%(text)s” is not a date: write day, month and year, such as 1.9.2024.")
    raise Refused(sentence % {"text": text[:30]})


def parse_yes_or_no(text: str) -> bool | None:
    """Read a mark such as "x", "yes" or "0" in any of seven languages. None for an empty text."""
    if not text:
        return None
    word = text.casefold()
    if word not in _YES | _NO:
        raise Refused(_("“%(text)s” is neither yes nor no: write “yes” or “no”.") % {"text": text[:30]})
    return word in _YES


TEXT_VALIDATORS: Mapping[str, Callable[[str], str]] = {
    "surname": surname,
    "first_name": first_name,
    "club": validators.club,
    "team": validators.team,
    "licence": validators.licence,
    "category": category,
    "country": validators.country,
    "note": note,
    "email": email,
}
"""By field that is a text the function that cleans it."""


def member_field_titles() -> dict[str, str]:
    """Return the title of each field, in the active language."""
    return {
        "surname": _("Surname"),
        "first_name": _("First name"),
        "club": _("Club"),
        "team": _("Team"),
        "licence": _("Licence number"),
        "category": _("Category"),
        "birth_year": _("Year of birth"),
        "country": _("Country"),
        "note": _("Note"),
        "email": _("E-mail"),
        "joined_on": _("Date of entry"),
        "left_on": _("Left on"),
        "may_be_published": _("May appear on public pages"),
        "wants_mail": _("Results by e-mail"),
    }
