"""Read evenings from archives of games (docs/formats.md): JSON files of single games, and ZIP files of whole events.

Form, standings and the chain of the ledger of each archive are checked. The complete check, which searches every turn
again, is that of `tournaments.results.archive_check`.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from io import BytesIO

from django.utils.translation import gettext as _

from engine.archive.ledger import find_broken_link
from engine.archive.schema import Archive, PlayerEntry
from engine.rules.profile import Profile, ProfileError
from engine.standings.event import EventLine, PlayedGame, event_standings
from engine.standings.game import TurnResult, standings
from tournaments.errors import Refused
from tournaments.results.archive_check import read_archive_bytes
from tournaments.seasons.earlier_evenings import EarlierEvening, EarlierGame, EarlierResult

MOST_FILES, MOST_GAMES = 2000, 200
LARGEST_ARCHIVE, LARGEST_UNPACKED = 30_000_000, 300_000_000
_ARCHIVE_NAME = re.compile(r"(?:.*/)?[^/]*archive\.json", re.IGNORECASE)
_WORD_LENGTH = 40
_DAMAGES = (zipfile.BadZipFile, zlib.error, RuntimeError, NotImplementedError, EOFError, OSError, ValueError)


@dataclass(frozen=True, slots=True)
class _Person:
    """A player over the games of an event; `seat` tells namesakes of one game apart."""

    name: str
    surname: str
    licence: str
    club: str
    seat: int = 0


@dataclass(frozen=True, slots=True)
class _Game:
    """A game of an archive: its players by table, and its results by person."""

    archive: Archive
    people: Mapping[int, _Person]
    played: PlayedGame


def is_archive_file(name: str, content: bytes) -> bool:
    """Return True for a JSON file, and for a ZIP file that is no spreadsheet."""
    if content.lstrip()[:1] == b"{":
        return True
    return zipfile.is_zipfile(BytesIO(content)) and not name.casefold().endswith((".xlsx", ".xlsm"))


def read_archive_evenings(files: Sequence[tuple[str, bytes]]) -> list[EarlierEvening]:
    """Return an evening for each event in these files (name, content), by date; Refused for a file that is faulty.

    The games of an event are in the order of the names of their files. A game that occurs twice counts once.
    """
    events: dict[tuple[str, str], list[tuple[str, Archive]]] = {}
    seen: set[bytes] = set()
    for name, content in sorted((each for file in files for each in _unpack(*file)), key=lambda file: _order(file[0])):
        if (digest := sha256(content).digest()) in seen:
            continue
        seen.add(digest)
        if len(seen) > MOST_GAMES:
            raise Refused(_("There are more than %(most)d games: import them in several steps.") % {"most": MOST_GAMES})
        archive = read_archive_bytes(content, name)
        _check(archive, name)
        events.setdefault((archive["event"]["date"], archive["event"]["name"]), []).append((name, archive))
    return [_evening(games) for _key, games in sorted(events.items())]


def _unpack(name: str, content: bytes) -> Iterator[tuple[str, bytes]]:
    """Return the archives of a file: the file itself, or those in a ZIP."""
    if not zipfile.is_zipfile(BytesIO(content)):
        yield name, content
        return
    found = False
    with zipfile.ZipFile(BytesIO(content)) as packed:
        parts = packed.infolist()
        if len(parts) > MOST_FILES or sum(part.file_size for part in parts) > LARGEST_UNPACKED:
            raise Refused(_("%(name)s is too large when it is unpacked: that is no event.") % {"name": name})
        for part in parts:
            if not _ARCHIVE_NAME.fullmatch(part.filename):
                continue
            if part.file_size > LARGEST_ARCHIVE:
                raise Refused(_("%(name)s is larger than 30 MB: that is no archive of a game.") % {"name": name})
            try:
                unpacked = packed.read(part)
            except _DAMAGES:
                raise Refused(_("%(name)s is damaged or needs a password.") % {"name": name}) from None
            yield f"{name}/{part.filename}", unpacked
            found = True
    if not found:
        raise Refused(
            _("%(name)s holds no archive of a game: choose the ZIP file of an event, or the archive of a game.")
            % {"name": name}
        )


def _order(name: str) -> list[tuple[int, str]]:
    """Sort names with numbers by the numbers: game-2 before game-10."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d{1,9})", name)]


def _check(archive: Archive, name: str) -> None:
    """Refuse an archive that is not complete or contradicts itself."""
    if archive["end"] is None:
        raise Refused(_("The game of %(name)s is not over: download its archive after the end.") % {"name": name})
    if "rooms" in archive:
        raise Refused(
            _("%(name)s is the archive of one of several rooms: import the standings of the event from a spreadsheet.")
            % {"name": name}
        )
    if find_broken_link(archive["ledger"]) is not None:
        raise Refused(_("The ledger of %(name)s was changed after it was written.") % {"name": name})
    _day(archive, name)
    results, tops = _results(archive)
    out = {player["table"] for player in archive["players"] if "disqualified_from" in player}
    derived = [(line.table, line.rank, line.total) for line in standings(results, tops, _profile(archive, name), out)]
    if derived != [(line["table"], line["rank"], line["total"]) for line in archive["standings"]]:
        raise Refused(_("The standings of %(name)s do not follow from its slips.") % {"name": name})


def _profile(archive: Archive, name: str) -> Profile:
    try:
        return Profile.from_switches(archive["profile"])
    except ProfileError as error:
        raise Refused(f"{name}: {error}") from None


def _day(archive: Archive, name: str) -> date:
    try:
        return date.fromisoformat(archive["event"]["date"])
    except ValueError:
        raise Refused(_("The event of %(name)s has no date.") % {"name": name}) from None


def _results(archive: Archive) -> tuple[dict[int, list[TurnResult]], list[int]]:
    """Return the results of each table, and the tops, of the placed turns."""
    results: dict[int, list[TurnResult]] = {player["table"]: [] for player in archive["players"]}
    tops = []
    for turn in archive["turns"]:
        if turn["master"] is None:
            continue
        tops.append(turn["top"])
        for slip in turn["slips"]:
            verdict, table = slip["verdict"], slip["table"]
            solo, warnings = turn["solo"] == table, len(verdict["warnings"])
            result = TurnResult(len(tops), verdict["points"], warnings, verdict["penalty"], solo, verdict["bonus"])
            results.setdefault(table, []).append(result)
    return results, tops


def _evening(games: Sequence[tuple[str, Archive]]) -> EarlierEvening:
    """Return the evening of the games of one event."""
    read = [_read_game(number, archive, name) for number, (name, archive) in enumerate(games, 1)]
    people = list(dict.fromkeys(person for game in read for person in game.people.values()))
    numbers = {person: number for number, person in enumerate(people)}
    played = [_renumber(game, numbers) for game in read]
    view = event_standings(played)
    name, first = games[0]
    return EarlierEvening(
        name=first["event"]["name"],
        date=_day(first, name),
        source=name,
        results=[_result(people[line.table], line, read, played) for line in view.lines],
        tops=sum(game.sum_of_tops for game in played),
        turns=sum(len(game.tops) for game in played),
        games=len(played),
    )


def _read_game(number: int, archive: Archive, name: str) -> _Game:
    results, tops = _results(archive)
    out = frozenset(player["table"] for player in archive["players"] if "disqualified_from" in player)
    people: dict[int, _Person] = {}
    for player in archive["players"]:
        person = _person(player)
        is_taken = person in people.values()
        people[player["table"]] = _person(player, seat=player["table"]) if is_taken else person
    return _Game(archive, people, PlayedGame(number, results, tops, _profile(archive, name), out))


def _person(player: PlayerEntry, seat: int = 0) -> _Person:
    return _Person(player["name"], player.get("surname", ""), player.get("licence", ""), player["club"] or "", seat)


def _renumber(game: _Game, numbers: Mapping[_Person, int]) -> PlayedGame:
    """Return the game with the number of each person over the event in place of the table."""
    number_of = {table: numbers[person] for table, person in game.people.items()}
    results = {number_of[table]: played for table, played in game.played.results.items() if table in number_of}
    out = frozenset(number_of[table] for table in game.played.disqualified)
    return PlayedGame(game.played.number, results, game.played.tops, game.played.profile, out)


def _result(person: _Person, line: EventLine, games: Sequence[_Game], played: Sequence[PlayedGame]) -> EarlierResult:
    word, points = _best_word(person, games)
    starts = {game.played.number: _start(game.archive) for game in games}
    tops = {game.number: game.sum_of_tops for game in played}
    return EarlierResult(
        name=person.name,
        surname=person.surname,
        licence=person.licence,
        club=person.club,
        points=line.total,
        rank=line.rank,
        solos=line.solos,
        tops_found=line.tops_found,
        best_word=word[:_WORD_LENGTH],
        best_points=points,
        games=[
            EarlierGame(
                score.number, score.points, tops[score.number], score.rank, score.presence, starts[score.number]
            )
            for score in line.games
        ],
    )


def _start(archive: Archive) -> str:
    return next((turn["started_at"] or "" for turn in archive["turns"]), "")


def _best_word(person: _Person, games: Sequence[_Game]) -> tuple[str, int]:
    """Return the valid word with most points on the board, and these points; the earlier of equal ones."""
    best = ("", 0)
    for game in games:
        tables = {table for table, each in game.people.items() if each == person}
        for turn in game.archive["turns"]:
            for slip in turn["slips"]:
                score = slip["verdict"]["move_score"] or 0
                if slip["table"] in tables and slip["verdict"]["result"] != "zero" and score > best[1]:
                    best = (slip["word"], score)
    return best
