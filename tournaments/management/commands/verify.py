"""`manage.py verify ARCHIVE [--lexicon F …] [--shown HASH …]`: check the archive of a game against rules and ledger."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from string import hexdigits
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.archive.ledger import SHORT_HASH_LENGTH, find_bad_link
from engine.archive.replay import check_shown, unchecked_topics, verify
from engine.archive.schema import Archive, ArchiveError, LexiconEntry, edition_of, read_archive
from engine.commands.json_lines import read_words
from engine.lexicon.graph import Lexicon
from engine.rules.profile import ProfileError
from engine.tiles.edition import Edition
from tournaments.errors import Refused
from tournaments.ledger.chain_text import broken_sentence, difference_sentence, unchecked_sentence
from tournaments.lexicons import word_lists
from tournaments.models import Game

DIFFERENCES, UNREADABLE = 1, 2
_WHOLE_HASH = 64


class Command(BaseCommand):
    """Verify an archive without a database: everything is derived from the archive and its word list."""

    help = "Derive draws, tops, verdicts, standings and the ledger of an archived game anew; print each difference."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("archive", type=Path, help="the archive of a game (game.json)")
        parser.add_argument(
            "--lexicon",
            type=Path,
            action="append",
            metavar="F",
            help="the word list of the game: one word a line, or a .npy graph; twice for a game with two lists",
        )
        parser.add_argument(
            "--shown",
            nargs="+",
            default=[],
            metavar="HASH",
            help="hashes of the ledger that were written down from the wall or a sheet; each must be in this ledger",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        archive, shown = _read(options["archive"]), _hashes(options["shown"])
        lists = _open_lists(archive, options["lexicon"] or [])
        try:
            differences = verify(archive, *lists)
        except ArchiveError as error:
            raise CommandError(_printable(str(error)), returncode=UNREADABLE) from None
        if "edition_file" in archive:
            self.stdout.write(_printable(_own_edition(archive)))
        bad = find_bad_link([dict(entry) for entry in archive["ledger"]["entries"]])
        if bad is not None:
            self.stdout.write(_printable(broken_sentence(bad)))
        for difference in differences:
            self.stdout.write(_printable(difference_sentence(difference)))
        count = len(differences) + self._check_shown(archive, shown)
        if not count:
            self.stdout.write(_everything_is_right(archive))
        if left := unchecked_sentence(unchecked_topics(archive)):
            self.stdout.write(left)
        if count:
            summary = ngettext("%(count)d difference.", "%(count)d differences.", count) % {"count": count}
            raise CommandError(summary, returncode=DIFFERENCES)

    def _check_shown(self, archive: Archive, shown: list[str]) -> int:
        """Print for each hash the entry after which it was shown. Return the number of hashes without an entry."""
        unknown = 0
        for text, entry in check_shown(archive, shown):
            if entry is None:
                unknown += 1
                sentence = _("No entry of this ledger has the hash %(hash)s: it is another ledger, or was rewritten.")
                self.stdout.write(sentence % {"hash": text})
            else:
                sentence = _("The hash %(hash)s is that of entry %(entry)d (%(kind)s, %(at)s).")
                facts = {"hash": text, "entry": entry["n"], "kind": entry["kind"], "at": entry["at"]}
                self.stdout.write(_printable(sentence % facts))
        return unknown


def _hashes(given: list[str]) -> list[str]:
    """The hashes without the spaces between their groups of digits."""
    hashes = ["".join(text.split()).lower() for text in given]
    for text, digits in zip(given, hashes, strict=True):
        if not SHORT_HASH_LENGTH <= len(digits) <= _WHOLE_HASH or set(digits) - set(hexdigits):
            sentence = _(
                "%(text)s is no hash of a ledger: write its 16 digits without spaces, or in quotation marks with them."
            )
            raise CommandError(_printable(sentence % {"text": text}), returncode=UNREADABLE)
    return hashes


def _read(path: Path) -> Archive:
    try:
        return read_archive(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        sentence = _("%(path)s cannot be read: %(error)s.") % {"path": path, "error": error.strerror}
    except UnicodeDecodeError:
        sentence = _("%(path)s is not the archive of a game: it is not text in UTF-8.") % {"path": path}
    except ArchiveError as error:
        sentence = str(error)
    raise CommandError(_printable(sentence), returncode=UNREADABLE)


def _open_lists(archive: Archive, paths: list[Path]) -> list[Lexicon]:
    """The lists in these files, else the installed ones with the archive's checksums."""
    try:
        edition = edition_of(archive)
        if paths:
            return [_read_list(path, edition) for path in paths]
        return word_lists.lists_of(_as_game(archive))
    except Refused:
        sentence = _not_installed(archive["lexicon"])
    except (ArchiveError, ProfileError) as error:
        sentence = str(error)
    raise CommandError(_printable(sentence), returncode=UNREADABLE)


def _read_list(path: Path, edition: Edition) -> Lexicon:
    try:
        return read_words(path, edition)
    except UnicodeDecodeError:
        sentence = _("%(path)s is no word list: it is not text in UTF-8.") % {"path": path}
    except (OSError, ValueError) as error:
        sentence = _("The word list %(path)s cannot be read: %(error)s") % {"path": path, "error": error}
    raise CommandError(_printable(sentence), returncode=UNREADABLE)


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


def _printable(text: str) -> str:
    """The text without control characters for the terminal, because an archive may come from anywhere."""
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)


def _everything_is_right(archive: Archive) -> str:
    counts = {
        "turns": len(archive["turns"]),
        "players": len(archive["players"]),
        "slips": sum(len(turn["slips"]) for turn in archive["turns"]),
    }
    return _("No difference. Turns: %(turns)d, players: %(players)d, slips: %(slips)d.") % counts
