"""Names that look the same: compared by their skeletons (Unicode Technical Standard 39, section 4).

The table of confusable characters is that of the package confusable-homoglyphs, which has no skeletons itself.
"""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache

from tournaments.players.invisible_characters import is_invisible

_MARKS = "\u200e"  # the table writes characters of scripts from right to left between two of these


@lru_cache(maxsize=32_768)
def name_skeletons(name: str) -> frozenset[str]:
    """Return the skeletons of a name as it is written, in small and in large letters.

    Readers may confuse two names that share one. Accents make names different, case does not.
    """
    return frozenset(map(skeleton, (name, name.casefold(), name.upper())))


def skeleton(text: str) -> str:
    """The text with each character replaced by its prototype, for comparisons only."""
    prototypes = _prototypes()
    seen = (sign for sign in unicodedata.normalize("NFD", text) if not is_invisible(sign))
    return unicodedata.normalize("NFD", "".join(prototypes.get(sign, sign) for sign in seen))


@cache
def _prototypes() -> dict[str, str]:
    """Map each confusable character to its replacement.

    The package lists each line of Unicode's table from both sides. A character is on the left of one line at most and
    then on the right of none; where each side has one line, the left one is listed first.
    """
    from confusable_homoglyphs.confusables import confusables_data

    table = {
        key.strip(_MARKS): [each["c"].strip(_MARKS) for each in others] for key, others in confusables_data.items()
    }
    place = {key: number for number, key in enumerate(table)}
    return {
        key: other
        for key, [other, *more] in table.items()
        if not more and len(key) == 1 and (len(other) > 1 or len(table[other]) > 1 or place[key] < place[other])
    }
