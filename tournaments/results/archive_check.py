"""Check of an archive from a file, for the command `verify` and the page: its sentences and number of differences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import hexdigits
from typing import Any

from django.utils.translation import gettext as _

from engine.archive.ledger import SHORT_HASH_LENGTH, find_broken_link
from engine.archive.replay import check_shown, unchecked_topics, verify
from engine.archive.schema import Archive, ArchiveError, LexiconEntry, edition_of, read_archive
from engine.lexicon.graph import Lexicon
from engine.rules.profile import ProfileError
from tournaments.errors import Refused
from tournaments.ledger.chain_text import broken_sentence, difference_sentence, unchecked_sentence
from tournaments.lexicons import word_lists
from tournaments.models import Game

_WHOLE_HASH = 64


@dataclass(frozen=True, slots=True)
class ArchiveReport:
    """The sentences on an archive, without control characters, and the number of differences."""

    sentences: list[str]
    differences: int


class MissingListError(Refused):
    """The word list of an archive is not installed; the sentence names the option of the command."""


def read_archive_bytes(content: bytes, name: str) -> Archive:
    """Read an archive; `Refused` with the fault. `name` is the name of the file."""
    try:
        return read_archive(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        sentence = _("%(path)s is not the archive of a game: it is not text in UTF-8.") % {"path": name}
    except ArchiveError as error:
        sentence = str(error)
    raise Refused(to_printable(sentence))


def read_hashes(given: Sequence[str]) -> list[str]:
    """Return the hashes without the spaces between their groups of digits; `Refused` for what is no hash."""
    hashes = ["".join(text.split()).lower() for text in given]
    for text, digits in zip(given, hashes, strict=True):
        if not SHORT_HASH_LENGTH <= len(digits) <= _WHOLE_HASH or set(digits) - set(hexdigits):
            sentence = _(
                "%(text)s is no hash of a ledger: write its 16 digits without spaces, or in quotation marks with them."
            )
            raise Refused(to_printable(sentence % {"text": text}))
    return hashes


def installed_lists_of(archive: Archive) -> list[Lexicon]:
    """Return the installed word lists with the checksums of an archive; `Refused` if they are missing."""
    try:
        edition_of(archive)
        return word_lists.lists_of(_as_game(archive))
    except Refused:
        raise MissingListError(to_printable(_not_installed(archive["lexicon"]))) from None
    except (ArchiveError, ProfileError) as error:
        sentence = str(error)
    raise Refused(to_printable(sentence))


def check_archive_file(archive: Archive, lists: Sequence[Lexicon], shown: Sequence[str]) -> ArchiveReport:
    """Derive everything in an archive again. `shown`: hashes of its ledger that were written down."""
    try:
        differences = verify(archive, *lists)
    except ArchiveError as error:
        raise Refused(to_printable(str(error))) from None
    sentences = [_own_edition(archive)] if "edition_file" in archive else []
    bad = find_broken_link(archive["ledger"])
    sentences += [broken_sentence(bad)] if bad is not None else []
    sentences += [difference_sentence(difference) for difference in differences]
    hashes = [_hash_sentence(text, entry) for text, entry in check_shown(archive, list(shown))]
    sentences += [sentence for _known, sentence in hashes]
    count = len(differences) + sum(not known for known, _sentence in hashes)
    sentences += [] if count else [_everything_is_right(archive)]
    left = unchecked_sentence(unchecked_topics(archive))
    return ArchiveReport([to_printable(each) for each in (*sentences, *([left] if left else []))], count)


def to_printable(text: str) -> str:
    """Return the text without control characters, because an archive may come from anywhere."""
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)


def _hash_sentence(text: str, entry: Mapping[str, Any] | None) -> tuple[bool, str]:
    """Return whether a hash is in the ledger, and the sentence on it."""
    if entry is None:
        unknown = _("No entry of this ledger has the hash %(hash)s: it is another ledger, or was rewritten.")
        return False, unknown % {"hash": text}
    known = _("The hash %(hash)s is that of entry %(entry)d (%(kind)s, %(at)s).")
    return True, known % {"hash": text, "entry": entry["n"], "kind": entry["kind"], "at": entry["at"]}


def _not_installed(entry: LexiconEntry) -> str:
    if "parts" in entry:
        names = ", ".join(part["name"] for part in entry["parts"])
        return _(
            "The two word lists of this game (%(names)s) are not both installed; give both files: --lexicon FILE "
            "--lexicon FILE."
        ) % {"names": names}
    return _(
        "The word list %(name)s of this game (checksum %(sha256)s) is not installed; give its file with --lexicon."
    ) % {"name": entry["name"], "sha256": entry["sha256"]}


def _as_game(archive: Archive) -> Game:
    """A game, not stored, that was begun with the archive's word list."""
    entry = archive["lexicon"]
    return Game(
        edition=archive["edition"],
        edition_toml=archive.get("edition_file", ""),
        switches=archive["profile"],
        lexicon_name=entry["name"],
        lexicon_sha256=entry["sha256"],
        lexicon_parts=entry.get("parts", []),
    )


def _own_edition(archive: Archive) -> str:
    """Report that the edition comes from the archive itself, which the user must know."""
    return _("The archive brings its own edition %(code)s; compare its letters with the box.") % {
        "code": archive["edition"]
    }


def _everything_is_right(archive: Archive) -> str:
    counts = {
        "turns": len(archive["turns"]),
        "players": len(archive["players"]),
        "slips": sum(len(turn["slips"]) for turn in archive["turns"]),
    }
    return _("No difference. Turns: %(turns)d, players: %(players)d, slips: %(slips)d.") % counts
