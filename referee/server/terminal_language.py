"""Language of the terminal."""

from __future__ import annotations

from django.conf import settings
from django.utils import translation

from referee.setup.messages import language


def get_terminal_language() -> str:
    """Return the terminal's language, or the default if it is not supported."""
    try:
        return translation.get_supported_language_variant(language())
    except LookupError:
        return settings.LANGUAGE_CODE
