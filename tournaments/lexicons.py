"""The word lists of this installation, and the list of a game with the words ruled on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from engine.archive import word_list_sha256
from engine.edition import edition_codes, load_edition
from engine.lexicon.graph import Lexicon, LexiconError
from engine.search.solver import Solver
from tournaments.enums import Ruling
from tournaments.errors import Refused
from tournaments.models import Game, WordRuling
from tournaments.position import profile_of

_BONUSES = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class LexiconFile:
    """A list in DATA_DIR/lexicons: `<name>.txt`, its description `<name>.txt.json`, its graph `<name>.npy`.

    `sha256` and `words` are those of the exported list; `note` says where the words come from.
    """

    name: str
    edition: str
    words: int
    sha256: str
    path: Path
    note: str


@dataclass(frozen=True, slots=True)
class Rulings:
    """Words in tile text that count besides the list, and words of the list that do not."""

    accepted: frozenset[str] = frozenset()
    struck: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.accepted or self.struck)


_other_folders: list[Path] = []


def folder() -> Path:
    """Where the lists are installed."""
    return Path(settings.DATA_DIR) / "lexicons"


@contextmanager
def looking_in(other: Path) -> Iterator[None]:
    """Know the lists of another folder too, for as long as this lasts: a simulated game brings its own."""
    _other_folders.append(other)
    try:
        yield
    finally:
        _other_folders.remove(other)


def installed() -> list[LexiconFile]:
    """Every word list that an edition fits, those of the installation first, by name."""
    paths = chain.from_iterable(sorted(place.glob("*.txt")) for place in (folder(), *_other_folders))
    found = (_described(path) for path in paths)
    return [entry for entry in found if entry is not None]


def choose(edition: str, name: str | None) -> LexiconFile:
    """The list with this name, or the edition's own when none is named; `Refused` with the remedy if missing."""
    fitting = [entry for entry in installed() if entry.edition == edition]
    if name is not None:
        fitting = [entry for entry in fitting if entry.name == name]
    if not fitting:
        raise Refused(
            _("There is no word list %(name)s for the edition %(edition)s; build or import one: manage.py lexicon.")
            % {"name": name or edition, "edition": edition}
        )
    return min(fitting, key=lambda entry: (entry.name != edition, entry.name))


def of_game(game: Game) -> LexiconFile:
    """The list that a game was begun with, by its checksum, whatever its name is now."""
    fitting = [entry for entry in installed() if entry.sha256 == game.lexicon_sha256 and entry.edition == game.edition]
    if not fitting:
        raise Refused(
            _("The word list %(name)s with which this game was begun is not installed any more; put its file back.")
            % {"name": game.lexicon_name}
        )
    return min(fitting, key=lambda entry: (entry.name != game.lexicon_name, entry.name))


def rulings_of(game: Game, turn_number: int) -> Rulings:
    """The words ruled on that count in this turn: of several rulings on a word the one of the latest turn."""
    standing: dict[str, str] = {}
    rows = WordRuling.objects.filter(game=game, revoked_at=None, from_turn__lte=turn_number).order_by("from_turn", "pk")
    for row in rows:
        standing[row.word] = row.ruling
    return Rulings(
        accepted=frozenset(word for word, ruling in standing.items() if ruling == Ruling.ACCEPTED),
        struck=frozenset(word for word, ruling in standing.items() if ruling == Ruling.STRUCK),
    )


def open_lexicon(game: Game, turn_number: int, rulings: Rulings | None = None) -> Lexicon:
    """The words that count in this turn; `rulings` to ask what would count with others. Cached."""
    entry = of_game(game)
    return _ruled(entry, rulings_of(game, turn_number) if rulings is None else rulings)


def solver_for(game: Game, turn_number: int, rulings: Rulings | None = None) -> Solver:
    """The search with the words and bonuses of this turn. Cached; any number of threads may use it."""
    entry = of_game(game)
    ruled = rulings_of(game, turn_number) if rulings is None else rulings
    return _solver(entry, ruled, tuple(sorted(profile_of(game).bonus_table.items())))


def graph_of(entry: LexiconFile) -> Lexicon:
    """The list itself, without rulings."""
    return _ruled(entry, Rulings())


def words_of(entry: LexiconFile) -> Iterable[str]:
    """The words as they are exported: tile text, by code point."""
    lexicon = graph_of(entry)
    return sorted(map(lexicon.edition.word_text, lexicon.words()))


def describe(path: Path, facts: dict[str, Any]) -> None:
    """Write the description of a list beside it."""
    target = path.with_name(path.name + ".json")
    fresh = target.with_name(target.name + ".new")
    fresh.write_text(json.dumps(facts, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    fresh.replace(target)


def description(path: Path) -> dict[str, Any]:
    """What is written beside a list about it; nothing when that cannot be read."""
    try:
        facts = json.loads(path.with_name(path.name + ".json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return facts if isinstance(facts, dict) else {}


def _described(path: Path) -> LexiconFile | None:
    facts = description(path)
    edition = str(facts.get("edition") or facts.get("language") or path.stem)
    if edition not in edition_codes():
        return None
    try:
        stat = path.stat()
    except OSError:
        return None
    words, sha256 = _count(path, edition, stat.st_mtime_ns, facts.get("words"), facts.get("sha256"))
    return LexiconFile(path.stem, edition, words, sha256, path, str(facts.get("note") or ""))


@lru_cache(maxsize=32)
def _count(path: Path, edition: str, changed_at: int, words: object, sha256: object) -> tuple[int, str]:
    """(words, checksum) of a list.

    A file whose bytes have the described checksum is the exported list itself, so the description is right. Any
    other is counted by its graph, which takes some seconds.
    """
    checksum = hashlib.sha256(path.read_bytes()).hexdigest()
    if isinstance(words, int) and checksum == sha256:
        return words, checksum
    lexicon = _graph(path, edition, changed_at)
    return word_list_sha256(map(lexicon.edition.word_text, lexicon.words()))


@lru_cache(maxsize=4)
def _graph(path: Path, edition_code: str, changed_at: int) -> Lexicon:
    """The list's graph, made anew when it is missing, older than the list, or cannot be used."""
    edition = load_edition(edition_code)
    graph = path.with_suffix(".npy")
    try:
        if graph.stat().st_mtime_ns >= changed_at:
            return Lexicon.open(graph, edition)
    except (OSError, LexiconError):
        pass
    with path.open(encoding="utf-8") as words:
        Lexicon.build(edition, words).save(graph)
    return Lexicon.open(graph, edition)


@lru_cache(maxsize=6)
def _ruled(entry: LexiconFile, rulings: Rulings) -> Lexicon:
    lexicon = _graph(entry.path, entry.edition, entry.path.stat().st_mtime_ns)
    return lexicon.with_rulings(rulings.accepted, rulings.struck) if rulings else lexicon


@lru_cache(maxsize=6)
def _solver(entry: LexiconFile, rulings: Rulings, bonuses: _BONUSES) -> Solver:
    return Solver(_ruled(entry, rulings), bonuses=dict(bonuses))
