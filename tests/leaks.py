"""Whether a text that somebody sees holds what he must not know yet."""

from __future__ import annotations

import re
from collections.abc import Iterable

SHORT = 5


def leaked(text: str, secrets: Iterable[str]) -> list[str]:
    """The secrets that stand in a text. A short one counts as a word or number of its own: random tokens, hashes and
    times hold any three or four letters or digits sooner or later."""
    return [secret for secret in secrets if _stands(text, secret)]


def _stands(text: str, secret: str) -> bool:
    if len(secret.strip()) >= SHORT:
        return secret in text
    return re.search(rf"(?<![\w-]){re.escape(secret.strip())}(?![\w-])", text) is not None
