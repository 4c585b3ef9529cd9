"""Letterhead of an event: storing the organiser's logo and texts."""

from __future__ import annotations

from django.utils.translation import gettext as _

from tournaments import validators
from tournaments.documents.logo import read_logo
from tournaments.models import Event, Letterhead

TEXT_LENGTH, CERTIFICATE_LENGTH = 200, 400


def set_letterhead(
    *, event: Event, venue: str, sponsor: str, certificate_text: str, logo: bytes = b"", without_logo: bool = False
) -> Letterhead:
    """Store the texts, and the logo if a file is given; `without_logo` removes the stored one.

    Nothing is stored if a text is too long or the file is no PNG or JPEG picture.
    """
    given: dict[str, object] = {
        "venue": validators.short_text(venue, longest=TEXT_LENGTH, what=_("Venue")),
        "sponsor": validators.short_text(sponsor, longest=TEXT_LENGTH, what=_("Sponsor line")),
        "certificate_text": validators.short_text(
            certificate_text, longest=CERTIFICATE_LENGTH, what=_("Text on the certificates")
        ),
    }
    if logo or without_logo:
        given["logo"] = read_logo(logo) if logo else b""
    stored, _is_new = Letterhead.objects.update_or_create(event=event, defaults=given)
    return stored
