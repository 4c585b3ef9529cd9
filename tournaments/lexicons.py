"""The word lists of this installation, and the list of a game with the words ruled on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models import Q
from django.utils.translation import gettext as _

from engine.edition import Edition, EditionError, load_edition
from engine.formulas import Formula
from engine.game_solver import GameSolver
from engine.lexicon.build import all_rows
from engine.lexicon.exporting import exported
from engine.lexicon.graph import Lexicon, LexiconError
from engine.lexicon.sources import LANGUAGES
from engine.rules.profile import Profile
from tournaments.enums import Ruling
from tournaments.errors import AlreadyDone, Refused
from tournaments.list_origin import Origin, read_origin
from tournaments.models import Game, WordRuling
from tournaments.position import edition_of, formula_of, profile_of


@dataclass(frozen=True, slots=True)
class LexiconFile:
    """A list in DATA_DIR/lexicons: `<name>.txt`, its description `<name>.txt.json`, its graph `<name>.npy`.

    A list is made with the letters of one edition and serves every edition of the language that has the same
    letters (both Romanian ones, an organiser's own); `edition` is the one for which it is opened. `graph` is another
    file for an edition that orders the letters otherwise. `sha256` and `words` are those of the exported list.

    A list combined from two has these as `parts`, and as `combined_by` a value of the switch `two_dictionaries`.
    It has a graph in DATA_DIR/lexicons/combined and no file of words.
    """

    name: str
    edition: Edition
    words: int
    sha256: str
    path: Path
    graph: Path
    origin: Origin
    parts: tuple[()] | tuple[LexiconFile, LexiconFile] = ()
    combined_by: str = ""

    @property
    def title(self) -> str:
        """What the list is called: the name that its makers gave it, else that of its file."""
        if self.parts:
            named = {"first": self.parts[0].title, "second": self.parts[1].title}
            return (_("%(first)s and %(second)s") if self.combined_by == BOTH else _("%(first)s or %(second)s")) % named
        return self.origin.title or self.name

    @property
    def facts(self) -> dict[str, Any]:
        """The list as games and archives name it."""
        own = {"name": self.name, "words": self.words, "sha256": self.sha256}
        return own | ({"parts": [part.facts for part in self.parts]} if self.parts else {})


@dataclass(frozen=True, slots=True)
class Rulings:
    """Words in tile text that count besides the list, and words of the list that do not."""

    accepted: frozenset[str] = frozenset()
    struck: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.accepted or self.struck)

    def with_word(self, word: str, ruling: str | None) -> Rulings:
        """With this word accepted, struck, or neither."""
        return Rulings(
            self.accepted | {word} if ruling == Ruling.ACCEPTED else self.accepted - {word},
            self.struck | {word} if ruling == Ruling.STRUCK else self.struck - {word},
        )


BOTH = "both"
TWO = 2
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
    """Every word list, each for the edition it was made with, those of the installation first, by name."""
    paths = chain.from_iterable(sorted(place.glob("*.txt")) for place in (folder(), *_other_folders))
    found = (known(path) for path in paths)
    return [entry for entry in found if entry is not None]


def fitting(edition: Edition) -> list[LexiconFile]:
    """The installed lists that serve this edition, opened for it: its own first, then its language's, then by name."""
    entries = [seen for entry in installed() if (seen := _for(entry, edition)) is not None]
    return sorted(entries, key=lambda entry: (entry.name != edition.code, entry.name != edition.language, entry.name))


def choose(edition: str, name: str | None) -> LexiconFile:
    """The list with this name, or the edition's own when none is named; `Refused` with the remedy if missing."""
    wanted = load_edition(edition)
    for entry in fitting(wanted):
        if name in (None, entry.name):
            return entry
    raise Refused(missing(wanted, name))


def missing(edition: Edition, name: str | None = None) -> str:
    """The sentence for an edition without a list, or without one of this name: what to type to get one."""
    words = {"edition": edition.code, "name": name or edition.code, "language": edition.language}
    if name is None and edition.language in LANGUAGES:
        return (
            _(
                "There is no word list for the edition %(edition)s. Build one: python3 manage.py lexicon build "
                "%(language)s – or import your own: python3 manage.py lexicon import FILE --edition %(edition)s "
                "--name %(name)s"
            )
            % words
        )
    return (
        _(
            "There is no word list %(name)s for the edition %(edition)s. Import it: "
            "python3 manage.py lexicon import FILE --edition %(edition)s --name %(name)s"
        )
        % words
    )


def combined(first: LexiconFile, second: LexiconFile, how: str) -> LexiconFile:
    """The list of the words in at least one of two lists of an edition, or in both of them: `how` is a value of the
    switch `two_dictionaries`.

    Its graph is built once and kept under a name that follows from the checksums of both lists.
    """
    if first.sha256 == second.sha256:
        raise Refused(_("Choose two different word lists: %(name)s is the same list twice.") % {"name": first.name})
    made_of = [how, *first.edition.letters, *sorted((first.sha256, second.sha256))]
    key = hashlib.sha256("\n".join(made_of).encode()).hexdigest()[:32]
    graph = folder() / "combined" / f"{key}.npy"
    words, sha256 = _count_combined(first, second, how, graph)
    if not words:
        named = {"first": first.name, "second": second.name}
        raise Refused(_("The word lists %(first)s and %(second)s have no word in common.") % named)
    name = f"{first.name} {'&' if how == BOTH else '+'} {second.name}"[:100]
    parts = (first, second)
    return LexiconFile(name, first.edition, words, sha256, graph, graph, Origin(), parts=parts, combined_by=how)


def by_rules(entry: LexiconFile, rules: Profile) -> LexiconFile:
    """The list as it is under these rules: two lists may be combined otherwise by them."""
    return combined(*entry.parts, rules.two_dictionaries) if entry.parts else entry


def of_game(game: Game) -> LexiconFile:
    """The list that a game was begun with, by its checksum, whatever its name is now; of a game with two lists the
    combined one."""
    listed = fitting(edition_of(game))
    if not game.lexicon_parts:
        return _same(listed, game.lexicon_name, game.lexicon_sha256)
    parts = [_same(listed, part["name"], part["sha256"]) for part in game.lexicon_parts]
    if len(parts) != TWO:
        raise Refused(_("A game has one word list or two, not %(number)d.") % {"number": len(parts)})
    return combined(parts[0], parts[1], profile_of(game).two_dictionaries)


def fields_of(entry: LexiconFile) -> dict[str, Any]:
    """What a `Game` stores of its word list."""
    facts = entry.facts
    named = {f"lexicon_{name}": facts[name] for name in ("name", "words", "sha256")}
    return named | {"lexicon_parts": facts.get("parts", [])}


def facts_of(game: Game) -> dict[str, Any]:
    """The word list of a game as archives name it."""
    named = {"name": game.lexicon_name, "words": game.lexicon_words, "sha256": game.lexicon_sha256}
    return named | ({"parts": game.lexicon_parts} if game.lexicon_parts else {})


def _same(listed: list[LexiconFile], name: str, sha256: str) -> LexiconFile:
    same = [entry for entry in listed if entry.sha256 == sha256]
    if not same:
        raise Refused(
            _("The word list %(name)s with which this game was begun is not installed any more; put its file back.")
            % {"name": name}
        )
    return min(same, key=lambda entry: (entry.name != name, entry.name))


def rulings_of(game: Game, turn_number: int, more: WordRuling | None = None, *, when_placed: bool = False) -> Rulings:
    """The words ruled on that count in this turn: of several rulings on a word the one of the latest turn, and of these
    the newest.

    With `more`, one that is thought of. `when_placed`: those with which the move of the turn was chosen, without what
    was ruled once it was on the board.
    """
    rulings = WordRuling.objects.filter(game=game, revoked_at=None, from_turn__lte=turn_number)
    if when_placed:
        rulings = rulings.filter(Q(ruled_in=None) | Q(ruled_in__lte=turn_number))
    rows = list(rulings.order_by("from_turn", "pk"))
    if more is not None and more.from_turn <= turn_number:
        rows = sorted([*rows, more], key=lambda row: row.from_turn)
    standing = {row.word: row.ruling for row in rows}
    return Rulings(
        accepted=frozenset(word for word, ruling in standing.items() if ruling == Ruling.ACCEPTED),
        struck=frozenset(word for word, ruling in standing.items() if ruling == Ruling.STRUCK),
    )


def ruling_once_revoked(game: Game, turn_number: int, word: str) -> str | None:
    """What counts for a word ruled on once its last ruling is taken back in this turn.

    The ruling before, if it was made in this very turn; else, since it counted in earlier turns, the opposite.
    `AlreadyDone` without any ruling.
    """
    rows = WordRuling.objects.filter(game=game, word=word, revoked_at=None, from_turn__lte=turn_number)
    standing = list(rows.order_by("from_turn", "pk"))
    if not standing:
        raise AlreadyDone(_("There is no ruling on %(word)s.") % {"word": word})
    *earlier, last = standing
    if last.from_turn == turn_number:
        return earlier[-1].ruling if earlier else None
    return Ruling.STRUCK if last.ruling == Ruling.ACCEPTED else Ruling.ACCEPTED


def open_lexicon(game: Game, turn_number: int, rulings: Rulings | None = None) -> Lexicon:
    """The words that count in this turn; `rulings` to ask what would count with others. Cached."""
    entry = of_game(game)
    return _ruled(entry, rulings_of(game, turn_number) if rulings is None else rulings)


def solver_for(game: Game, turn_number: int, rulings: Rulings | None = None) -> GameSolver:
    """The search with the words, bonuses and formula of this turn. Cached; any number of threads may use it."""
    entry = of_game(game)
    ruled = rulings_of(game, turn_number) if rulings is None else rulings
    return _solver(entry, ruled, profile_of(game), formula_of(game))


def graph_of(entry: LexiconFile) -> Lexicon:
    """The list itself, without rulings."""
    return _ruled(entry, Rulings())


def lists_of(game: Game) -> list[Lexicon]:
    """The word list of a game before rulings, or its two lists, as `engine.replay.verify` wants them."""
    entry = of_game(game)
    return [graph_of(part) for part in entry.parts or (entry,)]


def text_of(entry: LexiconFile) -> bytes:
    """The list as it is exported: UTF-8, tile text by code point, a newline after each word."""
    lexicon = graph_of(entry)
    return exported(lexicon.edition, all_rows(lexicon.graph))


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


def known(path: Path) -> LexiconFile | None:
    """The list in this file, None when it cannot be read or its description is of no edition that there is."""
    facts = description(path)
    try:
        edition = load_edition(str(facts.get("edition") or facts.get("language") or path.stem))
        words, sha256 = _count(path, edition, path.stat().st_mtime_ns, facts.get("words"), facts.get("sha256"))
    except (EditionError, OSError):
        return None
    return LexiconFile(path.stem, edition, words, sha256, path, path.with_suffix(".npy"), read_origin(facts))


def _for(entry: LexiconFile, edition: Edition) -> LexiconFile | None:
    """The list as this edition uses it, None when it is of another language or has other letters."""
    own = entry.edition
    if own.language != edition.language or set(own.letters) != set(edition.letters):
        return None
    graph = entry.graph if own.letters == edition.letters else entry.path.with_suffix(f".{edition.code}.npy")
    return replace(entry, edition=edition, graph=graph)


@lru_cache(maxsize=32)
def _count(path: Path, edition: Edition, changed_at: int, words: object, sha256: object) -> tuple[int, str]:
    """(words, checksum) of a list.

    A file whose bytes have the described checksum is the exported list itself, so the description is right. Any
    other is counted by its graph, which takes some seconds.
    """
    checksum = hashlib.sha256(path.read_bytes()).hexdigest()
    if isinstance(words, int) and checksum == sha256:
        return words, checksum
    lexicon = _graph(path, path.with_suffix(".npy"), edition, changed_at)
    text = exported(lexicon.edition, all_rows(lexicon.graph))
    return len(lexicon), hashlib.sha256(text).hexdigest()


@lru_cache(maxsize=8)
def _graph(path: Path, graph: Path, edition: Edition, changed_at: int) -> Lexicon:
    """The list's graph, made anew when it is missing, older than the list, or cannot be used.

    Where the graph cannot be stored it is kept in memory alone.
    """
    try:
        if graph.stat().st_mtime_ns >= changed_at:
            return Lexicon.open(graph, edition)
    except (OSError, LexiconError):
        pass
    with path.open(encoding="utf-8", errors="replace") as words:
        lexicon = Lexicon.build(edition, words)
    with suppress(OSError):
        lexicon.save(graph)
    return lexicon


@lru_cache(maxsize=16)
def _count_combined(first: LexiconFile, second: LexiconFile, how: str, graph: Path) -> tuple[int, str]:
    """(words, checksum) of a combined list."""
    lexicon = _combined_graph(first, second, how, graph)
    text = exported(lexicon.edition, all_rows(lexicon.graph))
    return len(lexicon), hashlib.sha256(text).hexdigest()


@lru_cache(maxsize=4)
def _combined_graph(first: LexiconFile, second: LexiconFile, how: str, graph: Path) -> Lexicon:
    """The graph of a combined list, made anew when it is missing or cannot be used."""
    with suppress(LexiconError):
        return Lexicon.open(graph, first.edition)
    lexicon = graph_of(first).combined_with(graph_of(second), both=how == BOTH)
    with suppress(OSError):
        graph.parent.mkdir(exist_ok=True)
        lexicon.save(graph)
    return lexicon


def _base(entry: LexiconFile) -> Lexicon:
    """The graph of a list without rulings."""
    if entry.parts:
        return _combined_graph(*entry.parts, entry.combined_by, entry.graph)
    return _graph(entry.path, entry.graph, entry.edition, entry.path.stat().st_mtime_ns)


# With rulings a list is a copy of 25 MB, of 50 MB for the longest lists, and made again at once: few are kept.
@lru_cache(maxsize=4)
def _ruled(entry: LexiconFile, rulings: Rulings) -> Lexicon:
    lexicon = _base(entry)
    return lexicon.with_rulings(rulings.accepted, rulings.struck) if rulings else lexicon


@lru_cache(maxsize=4)
def _solver(entry: LexiconFile, rulings: Rulings, profile: Profile, formula: Formula) -> GameSolver:
    return GameSolver(_ruled(entry, rulings), profile, formula)
