"""Reading of word list files: text in several encodings, tables, zips and hunspell pairs."""

from __future__ import annotations

import codecs
import contextlib
import lzma
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path, PurePosixPath

from django.utils.translation import gettext as _

from engine.lexicon.sources.hunspell import expand, read_affixes, read_entries
from tournaments.errors import Refused

LARGEST_FILE = 64_000_000
"""Limit of unpacked bytes of text, which bounds memory use; the longest known list has less than a tenth."""
MOST_FORMS = 12_000_000
"""Limit of word forms of a hunspell pair; the largest known one, Italian, has three million."""
BLOCK = 200_000

_TEXTS = (".txt", ".dic", ".lst", ".csv", ".tsv")
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_DAMAGE = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, NotImplementedError, RuntimeError, ValueError)


@dataclass(slots=True)
class Lines:
    """The lines of a list that should be words, in blocks, and the numbers of skipped lines.

    `tables`: lines of which only the first column is read; `comments`: lines that begin with #. Both grow while the
    blocks are iterated.
    """

    blocks: Iterator[list[str]]
    tables: int = 0
    comments: int = 0


def open_list(source: Path, *, encoding: str | None = None) -> Lines:
    """Read the lines of a file: a text, a zip with one text or one hunspell pair, or one half of a pair.

    A text has one word a line, or is a table with the words in its first column (separated by tabs; in a .csv file by
    semicolons or commas). The byte order mark decides between UTF-8, UTF-16 and UTF-32. Without one the file is read in
    `encoding`; without that as UTF-8, otherwise as Windows-1252, which includes Latin-1. `Refused` with the reason if
    the file is not readable, here or while blocks are iterated.
    """
    _check_encoding(encoding)
    try:
        if zipfile.is_zipfile(source):
            return _zipped(source, encoding)
        pair = _pair_of(source)
        return Lines(_forms(*pair)) if pair else _texts(source.name, _bounded(source), encoding)
    except OSError as error:
        why = error.strerror or str(error)
        raise Refused(_("%(file)s cannot be read: %(why)s") % {"file": source, "why": why}) from None


def _bounded(source: Path) -> bytes:
    with source.open("rb") as file:
        return _require_size(source.name, file.read(LARGEST_FILE + 1))


def _require_size(name: str, content: bytes) -> bytes:
    if len(content) > LARGEST_FILE:
        most = LARGEST_FILE // 1_000_000
        raise Refused(_("%(file)s is larger than %(most)d MB: that is no word list.") % {"file": name, "most": most})
    return content


def _texts(name: str, raw: bytes, encoding: str | None) -> Lines:
    text = _decoded(name, raw, encoding)
    if "\0" in text:
        raise Refused(_("%(file)s is not a text file: save the words as plain text, one a line.") % {"file": name})
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if name.lower().endswith(".dic") and lines[0].strip().isdigit() and any("/" in line for line in lines):
        raise Refused(_("%(file)s is one half of a hunspell pair; put its .aff file beside it.") % {"file": name})
    parted = "\t;," if name.lower().endswith(".csv") else "\t"
    taken = Lines(iter(()))
    taken.blocks = (_words_of(lines[at : at + BLOCK], parted, taken) for at in range(0, len(lines), BLOCK))
    return taken


def _decoded(name: str, raw: bytes, encoding: str | None) -> str:
    chosen = next((marked for mark, marked in _MARKS if raw.startswith(mark)), encoding)
    try:
        return raw.decode(chosen or "utf-8")
    except UnicodeError as error:
        if chosen:
            raise Refused(_wrong_encoding(name, raw, chosen, error)) from None
    # Five byte values are undefined in Windows-1252.
    with contextlib.suppress(UnicodeError):
        return raw.decode("cp1252")
    return raw.decode("latin-1")


def _wrong_encoding(name: str, raw: bytes, encoding: str, error: UnicodeError) -> str:
    at = error.start if isinstance(error, UnicodeDecodeError) else 0
    named = {"file": name, "encoding": encoding, "line": raw.count(b"\n", 0, at) + 1}
    return _("Line %(line)d of %(file)s is not text in the encoding %(encoding)s.") % named


def _check_encoding(encoding: str | None) -> None:
    try:
        "".encode(encoding or "utf-8")
    except (LookupError, ValueError):
        raise Refused(_("There is no encoding %(name)s; try utf-8, latin-1 or cp1250.") % {"name": encoding}) from None


def _words_of(lines: list[str], parted: str, counted: Lines) -> list[str]:
    """The first column of each line; comments become empty."""
    for sign in parted:
        if any(sign in line for line in lines):
            counted.tables += sum(sign in line for line in lines)
            lines = [line.partition(sign)[0].strip().strip('"') for line in lines]
    if any(line.startswith("#") for line in lines):
        counted.comments += sum(line.startswith("#") for line in lines)
        lines = ["" if line.startswith("#") else line for line in lines]
    return lines


def _zipped(source: Path, encoding: str | None) -> Lines:
    """The one text in a zip, or its one hunspell pair."""
    try:
        with zipfile.ZipFile(source) as archive:
            names = [name for name in archive.namelist() if not name.startswith("__MACOSX/")]
            pairs = [(name, aff) for name in names if (aff := _partner(name, names))]
            if len(pairs) == 1:
                return _zipped_pair(archive, *pairs[0])
            texts = [name for name in names if name.lower().endswith(_TEXTS)]
            if pairs or len(texts) != 1:
                text = _("%(file)s must hold exactly one text file, or one hunspell pair.")
                raise Refused(text % {"file": source.name})
            return _texts(PurePosixPath(texts[0]).name, _unzipped(archive, texts[0]), encoding)
    except Refused:
        raise
    except _DAMAGE as error:
        # An encrypted zip raises RuntimeError, an unknown compression method NotImplementedError.
        text = _("%(file)s cannot be unpacked (%(why)s): unpack it yourself and give the text in it.")
        raise Refused(text % {"file": source.name, "why": error}) from None


def _partner(name: str, names: list[str]) -> str | None:
    """The .aff file that belongs to a .dic file in the same folder."""
    if not name.lower().endswith(".dic"):
        return None
    return next((other for other in names if other.lower() == f"{name[:-4].lower()}.aff"), None)


def _unzipped(archive: zipfile.ZipFile, name: str) -> bytes:
    # The size stated in the zip may be wrong.
    with archive.open(name) as file:
        return _require_size(name, file.read(LARGEST_FILE + 1))


def _zipped_pair(archive: zipfile.ZipFile, dic: str, aff: str) -> Lines:
    with tempfile.TemporaryDirectory(prefix="multiplo-") as folder:
        words, affixes = Path(folder) / "list.dic", Path(folder) / "list.aff"
        words.write_bytes(_unzipped(archive, dic))
        affixes.write_bytes(_unzipped(archive, aff))
        return Lines(_forms(words, affixes))


def _pair_of(source: Path) -> tuple[Path, Path] | None:
    """(.dic, .aff) if the file is one half of a hunspell pair and the other is in the same folder."""
    if source.suffix.lower() not in (".dic", ".aff"):
        return None
    beside = {path.suffix.lower(): path for path in source.parent.iterdir() if path.stem == source.stem}
    if ".dic" in beside and ".aff" in beside:
        return beside[".dic"], beside[".aff"]
    if source.suffix.lower() == ".aff" and source.exists():
        text = _("%(file)s is one half of a hunspell pair; put its .dic file beside it.")
        raise Refused(text % {"file": source.name})
    return None


def _forms(dic: Path, aff: Path) -> Iterator[list[str]]:
    """All word forms of a hunspell pair. The files are read at once, the forms generated block by block."""
    for path in (dic, aff):
        _bounded(path)
    try:
        affixes = read_affixes(aff)
        entries = read_entries(dic, affixes)
    except (ValueError, LookupError) as error:
        text = _("This hunspell dictionary cannot be read: %(why)s")
        raise Refused(text % {"why": error}) from None
    forms = (form.text.replace("\n", " ") for form in expand(affixes, entries))
    return _bounded_blocks(forms)


def _bounded_blocks(forms: Iterator[str]) -> Iterator[list[str]]:
    for taken in range(0, MOST_FORMS + BLOCK, BLOCK):
        if taken >= MOST_FORMS:
            text = _("This hunspell dictionary stands for more than %(most)d forms: that is no word list.")
            raise Refused(text % {"most": MOST_FORMS})
        if not (block := list(islice(forms, BLOCK))):
            return
        yield block
