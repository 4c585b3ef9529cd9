"""Search for secrets in texts that a player or spectator can see."""

from __future__ import annotations

import re
from collections.abc import Iterable

SHORT = 5


def leaked(text: str, secrets: Iterable[str]) -> list[str]:
    """Return the secrets that occur in a text.

    A short secret must be a separate word or number, because random tokens, hashes and times contain any three or four
    characters sooner or later.
    """
    return [secret for secret in secrets if _stands(text, secret)]


def _stands(text: str, secret: str) -> bool:
    if len(secret.strip()) >= SHORT:
        return secret in text
    return re.search(rf"(?<![\w-]){re.escape(secret.strip())}(?![\w-])", text) is not None
