"""Italian cardinal and ordinal numbers, formed by grammar (tournament rules 8.8 and 8.9).

Only the singular of a cardinal exists (rule 8.9: no CENTI); an ordinal is an adjective with four forms. The words
are written without accents, as they lie on the board. MILIONE and MILIARDO are nouns and come from the dictionary.
"""

from __future__ import annotations

from collections.abc import Iterator

from .folding import LONGEST

UNITS = ["", *["uno", "due", "tre", "quattro", "cinque", "sei", "sette", "otto", "nove"]]
TEENS = [
    "dieci",
    "undici",
    "dodici",
    "tredici",
    "quattordici",
    "quindici",
    "sedici",
    "diciassette",
    "diciotto",
    "diciannove",
]
TENS = ["", "", *["venti", "trenta", "quaranta", "cinquanta", "sessanta", "settanta", "ottanta", "novanta"]]
FIRST_ORDINALS = ["primo", "secondo", "terzo", "quarto", "quinto", "sesto", "settimo", "ottavo", "nono", "decimo"]


def number_words() -> set[str]:
    """All cardinals and ordinals that fit in a row of the board, in capitals."""
    numerals = cardinals()
    words = set(numerals)
    for ordinal in FIRST_ORDINALS:
        words |= _declined(ordinal)
    for numeral in numerals - {*UNITS, "dieci"}:
        words |= _declined(_ordinal_stem(numeral) + "esimo")
    words |= _declined("milionesimo") | _declined("miliardesimo")
    return {word.upper() for word in words if len(word) <= LONGEST}


def cardinals() -> set[str]:
    """The numbers from 1 to 999,999 that fit in a row, in every way to write them: CENTOUNO and CENTUNO."""
    small = {word for number in range(1, 1000) for word in _below_thousand(number)}
    heads = {"mille"} | {f"{head}mila" for number in range(2, 1000) for head in _multipliers(number)}
    words = small | heads | {head + tail for head in heads for tail in small if len(head) + len(tail) <= LONGEST}
    return {word for word in words if len(word) <= LONGEST}


def _below_thousand(number: int) -> set[str]:
    hundreds, rest = divmod(number, 100)
    tail = _below_hundred(rest)
    if not hundreds:
        return {tail} if tail else set()
    head = ("" if hundreds == 1 else UNITS[hundreds]) + "cento"
    # CENTO may lose its O before a vowel: CENTOTTO, CENTOTTANTA, CENTUNO beside CENTOOTTO, CENTOOTTANTA, CENTOUNO.
    return {head + tail, head[:-1] + tail} if tail[:1] in ("o", "u") else {head + tail}


def _below_hundred(number: int) -> str:
    tens, unit = divmod(number, 10)
    if tens == 0:
        return UNITS[unit]
    if tens == 1:
        return TEENS[unit]
    # VENTUNO, VENTOTTO: before a vowel the ten always loses its own.
    return (TENS[tens][:-1] if unit in (1, 8) else TENS[tens]) + UNITS[unit]


def _multipliers(number: int) -> Iterator[str]:
    """The ways to write ``number`` before MILA: VENTUNO and VENTUN; everything else as it is."""
    for word in _below_thousand(number):
        yield word
        if word.endswith("uno"):
            yield word[:-1]


def _ordinal_stem(cardinal: str) -> str:
    # TRE and SEI keep their vowel (VENTITREESIMO, VENTISEIESIMO); MILA becomes MILL (DUEMILLESIMO).
    if cardinal.endswith("mila"):
        return cardinal[:-1] + "l"
    return cardinal if cardinal.endswith(("tre", "sei")) else cardinal[:-1]


def _declined(ordinal: str) -> set[str]:
    return {ordinal[:-1] + ending for ending in "oaie"}
