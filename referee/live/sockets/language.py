"""Language of a socket's user, chosen as for pages."""

from __future__ import annotations

from collections.abc import Mapping

from django.conf import settings
from django.utils import translation
from django.utils.translation.trans_real import parse_accept_lang_header


def language_of(cookies: Mapping[str, str], accept_language: str) -> str:
    """Return the language of the cookie, else of the browser's preferences, else the default."""
    wanted = [cookies.get(settings.LANGUAGE_COOKIE_NAME, "")]
    wanted += [code for code, _ in parse_accept_lang_header(accept_language)]
    for code in wanted:
        try:
            return translation.get_supported_language_variant(code)
        except LookupError:
            continue
    return settings.LANGUAGE_CODE
