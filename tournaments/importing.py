"""Taking in a word list that somebody else made, and what is refused of it."""

from __future__ import annotations

import hashlib
import re
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.archive import word_list_sha256
from engine.edition import BLANK_BIT, Edition, UnknownLetter, load_edition
from engine.lexicon.graph import Lexicon
from engine.lexicon.nodes import LONGEST_WORD
from engine.lexicon.reading import SHORTEST_WORD
from engine.lexicon.sources.hunspell import expand, read_affixes, read_entries
from tournaments import lexicons
from tournaments.errors import Refused
from tournaments.models import Game

NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_TEXT_IN_ZIP = (".txt", ".dic", ".lst", ".csv")


@dataclass(frozen=True, slots=True)
class Imported:
    """A list that is installed now, and the words that were refused with the reason of each."""

    entry: lexicons.LexiconFile
    refused: list[tuple[str, str]]


def import_list(source: Path, *, edition: str, name: str, folder: Path | None = None) -> Imported:
    """Install the words of a file as a list of this name: one word a line in any case, UTF-8 or Latin-1, plain or
    zipped, or a hunspell pair (its .dic file).

    A list of the same name is kept under another while a game was begun with it. `folder`: another place than that
    of the installed lists, where `lexicons.looking_in` finds it.
    """
    if not NAME.fullmatch(name):
        raise Refused(_("Name the list with small letters, digits, - and _, such as club-2026."))
    words, refused = _sorted_out(load_edition(edition), read_words(source))
    if not words:
        raise Refused(_("%(file)s has no word that this edition can lay.") % {"file": source.name})
    path = (folder or lexicons.folder()) / f"{name}.txt"
    keep_used(path)
    entry = install(path, words, edition=edition, note=_("imported from %(file)s") % {"file": source.name})
    return Imported(entry, refused)


def install(path: Path, words: Iterable[str], *, edition: str, note: str) -> lexicons.LexiconFile:
    """Write a list as it is exported, its description and its graph."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lexicon = Lexicon.build(load_edition(edition), words)
    listed = sorted(map(lexicon.edition.word_text, lexicon.words()))
    count, sha256 = word_list_sha256(listed)
    fresh = path.with_suffix(".new")
    fresh.write_text("".join(f"{word}\n" for word in listed), encoding="utf-8")
    fresh.replace(path)
    lexicons.describe(path, {"edition": edition, "words": count, "sha256": sha256, "note": note})
    lexicon.save(path.with_suffix(".npy"))
    return lexicons.LexiconFile(path.stem, edition, count, sha256, path, note)


def keep_used(path: Path) -> Path | None:
    """Before a list is replaced: keep it under its checksum's name when a game was begun with it. Where it is kept."""
    if not path.exists():
        return None
    checksum = hashlib.sha256(path.read_bytes()).hexdigest()
    if not Game.objects.filter(lexicon_sha256=checksum).exists():
        return None
    kept = path.with_name(f"{path.stem}-{checksum[:8]}.txt")
    facts = {**lexicons.description(path), "sha256": checksum}
    facts.setdefault("edition", facts.get("language") or path.stem)
    kept.write_bytes(path.read_bytes())
    lexicons.describe(kept, facts)
    return kept


def read_words(source: Path) -> Iterator[str]:
    """The words of a file as they stand in it."""
    try:
        if source.suffix == ".dic" and source.with_suffix(".aff").exists():
            affixes = read_affixes(source.with_suffix(".aff"))
            return (form.text for form in expand(affixes, read_entries(source, affixes)))
        raw = _unzipped(source) if zipfile.is_zipfile(source) else source.read_bytes()
    except OSError as error:
        raise Refused(_("%(file)s cannot be read: %(why)s") % {"file": source, "why": error}) from None
    return iter(_decoded(raw).splitlines())


def _unzipped(source: Path) -> bytes:
    with zipfile.ZipFile(source) as archive:
        texts = [entry for entry in archive.namelist() if entry.lower().endswith(_TEXT_IN_ZIP)]
        if len(texts) != 1:
            raise Refused(_("%(file)s must hold exactly one text file.") % {"file": source.name})
        return archive.read(texts[0])


def _decoded(raw: bytes) -> str:
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def _sorted_out(edition: Edition, lines: Iterable[str]) -> tuple[set[str], list[tuple[str, str]]]:
    """(words in tile text, refused words with the reason)."""
    words: set[str] = set()
    refused: list[tuple[str, str]] = []
    for line in lines:
        if not (word := line.strip()):
            continue
        try:
            codes = tuple(code & ~BLANK_BIT for code in edition.parse_word(word))
        except UnknownLetter as error:
            refused.append((word, _("no tile shows %(sign)s") % {"sign": error.sign}))
            continue
        if SHORTEST_WORD <= len(codes) <= LONGEST_WORD:
            words.add(edition.word_text(codes))
        else:
            length = ngettext("%(length)d letter", "%(length)d letters", len(codes))
            refused.append((word, length % {"length": len(codes)}))
    return words, refused
