"""Letterhead of an event: what its sheets show of the organiser."""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.models import Event, Letterhead


@dataclass(frozen=True, slots=True)
class LetterheadView:
    """Logo as the bytes of a PNG or JPEG file, and the organiser's texts; each may be empty."""

    logo: bytes = b""
    venue: str = ""
    sponsor: str = ""
    certificate_text: str = ""


def letterhead_of(event: Event) -> LetterheadView:
    """Return the letterhead of an event, an empty one if the organiser gave none."""
    stored = Letterhead.objects.filter(event=event).first()
    if stored is None:
        return LetterheadView()
    return LetterheadView(bytes(stored.logo), stored.venue, stored.sponsor, stored.certificate_text)
