"""`manage.py verify ARCHIVE [--lexicon F …] [--shown HASH …]`: check the archive of a game against rules and ledger."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.archive.schema import Archive, ArchiveError, edition_of
from engine.commands.json_lines import read_words
from engine.lexicon.graph import Lexicon
from engine.tiles.edition import Edition
from tournaments.errors import Refused
from tournaments.results.archive_check import (
    check_archive_file,
    installed_lists_of,
    read_archive_bytes,
    read_hashes,
    to_printable,
)

DIFFERENCES, UNREADABLE = 1, 2


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
        try:
            archive, shown = _read(options["archive"]), read_hashes(options["shown"])
            paths = options["lexicon"] or []
            lists = [_read_list(path, _edition(archive)) for path in paths] or installed_lists_of(archive)
            report = check_archive_file(archive, lists, shown)
        except Refused as refused:
            raise CommandError(refused.sentence, returncode=UNREADABLE) from None
        for sentence in report.sentences:
            self.stdout.write(sentence)
        if count := report.differences:
            summary = ngettext("%(count)d difference.", "%(count)d differences.", count) % {"count": count}
            raise CommandError(summary, returncode=DIFFERENCES)


def _read(path: Path) -> Archive:
    try:
        return read_archive_bytes(path.read_bytes(), str(path))
    except OSError as error:
        sentence = _("%(path)s cannot be read: %(error)s.") % {"path": path, "error": error.strerror}
    raise Refused(to_printable(sentence))


def _edition(archive: Archive) -> Edition:
    try:
        return edition_of(archive)
    except ArchiveError as error:
        raise Refused(to_printable(str(error))) from None


def _read_list(path: Path, edition: Edition) -> Lexicon:
    try:
        return read_words(path, edition)
    except UnicodeDecodeError:
        sentence = _("%(path)s is no word list: it is not text in UTF-8.") % {"path": path}
    except (OSError, ValueError) as error:
        sentence = _("The word list %(path)s cannot be read: %(error)s") % {"path": path, "error": error}
    raise Refused(to_printable(sentence))
