"""The language of the terminal, as far as the program speaks it."""

from __future__ import annotations

from django.conf import settings
from django.utils import translation

from referee.setup.text import language


def tongue() -> str:
    """Its code."""
    try:
        return translation.get_supported_language_variant(language())
    except LookupError:
        return settings.LANGUAGE_CODE
