"""Plurals and feminines of Italian nouns and adjectives, formed by grammar; words are in capitals without accents."""

from __future__ import annotations


def plural(noun: str) -> str:
    """PIZZINO -> PIZZINI; MIXAGGIO -> MIXAGGI; MILONGA -> MILONGHE; ABBIOCCO -> ABBIOCCHI; AGLIANICO -> AGLIANICI."""
    if noun.endswith(("CIO", "GIO", "CIA", "GIA")):
        return noun[:-2] + ("E" if noun.endswith("A") else "I")
    if noun.endswith("IO"):
        return noun[:-1]
    if noun.endswith(("CA", "GA")):
        return noun[:-1] + "HE"
    if noun.endswith(("CO", "GO")) and not _has_soft_plural(noun):
        return noun[:-1] + "HI"
    return noun[:-1] + ("E" if noun.endswith("A") else "I")


def declined(adjective: str) -> set[str]:
    """MILANESE, MILANESI; AQUILANO, -A, -I, -E; IDENTITARIO, -IA, -I, -IE; OMOFOBICO, -CA, -CI, -CHE."""
    if not adjective.endswith("O"):
        return {adjective, plural(adjective)}
    feminine = adjective[:-1] + "A"
    return {adjective, plural(adjective), feminine, plural(feminine)}


def with_both_plurals(noun: str) -> set[str]:
    """CRUDISTA, CRUDISTI, CRUDISTE."""
    return {noun[:-1] + ending for ending in "AIE"}


def _has_soft_plural(word: str) -> bool:
    """Return True if -CO becomes -CI: in -ICO, but not in -ANTICO."""
    return word.endswith("ICO") and not word.endswith("ANTICO")
