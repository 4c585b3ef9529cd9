"""The word lists of this installation, and the word list of a game with its rulings."""

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
from django.utils.translation import gettext as _

from engine.lexicon.build import all_rows
from engine.lexicon.export import export_words
from engine.lexicon.graph import Lexicon, LexiconError
from engine.lexicon.sources import LANGUAGES
from engine.rules.profile import Profile
from engine.search.game_solver import GameSolver
from engine.tiles.edition import Edition, EditionError, load_edition
from engine.variants.variant import Variant
from tournaments.enums import Ruling
from tournaments.errors import AlreadyDone, Refused
from tournaments.lexicons.engine_build import EngineNotReady, require_engine
from tournaments.lexicons.list_origin import Origin, read_origin
from tournaments.models import Game, WordRuling
from tournaments.play.position import edition_of, profile_of, variant_of


class WordListMissing(Refused):
    """The word list with which a game was begun is not installed any more."""


@dataclass(frozen=True, slots=True)
class LexiconFile:
    """A list in DATA_DIR/lexicons: `<name>.txt`, its description `<name>.txt.json`, its graph `<name>.npy`.

    A list is built for the letters of one edition and serves every edition of the language with the same letters (both
    Romanian ones, or an organiser's own); `edition` is the one for which it is opened. An edition with another order of
    letters has another `graph`. `sha256` and `words` are those of the exported list.

    A list combined from two has these as `parts`, and a value of the switch `two_dictionaries` as `combined_by`. It has
    a graph in DATA_DIR/lexicons/combined and no file of words.
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
        """The title of the list: the name given by its makers, otherwise the file name."""
        if self.parts:
            named = {"first": self.parts[0].title, "second": self.parts[1].title}
            return (_("%(first)s and %(second)s") if self.combined_by == BOTH else _("%(first)s or %(second)s")) % named
        return self.origin.title or self.name

    @property
    def facts(self) -> dict[str, Any]:
        """Identification of the list in games and archives."""
        own = {"name": self.name, "words": self.words, "sha256": self.sha256}
        return own | ({"parts": [part.facts for part in self.parts]} if self.parts else {})


@dataclass(frozen=True, slots=True)
class Rulings:
    """Word rulings, in tile text: accepted words besides the list, and struck words of the list."""

    accepted: frozenset[str] = frozenset()
    struck: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.accepted or self.struck)

    def with_word(self, word: str, ruling: str | None) -> Rulings:
        """The rulings with this word accepted, struck, or neither."""
        return Rulings(
            self.accepted | {word} if ruling == Ruling.ACCEPTED else self.accepted - {word},
            self.struck | {word} if ruling == Ruling.STRUCK else self.struck - {word},
        )


BOTH = "both"
TWO = 2
_other_folders: list[Path] = []


def lists_folder() -> Path:
    """Folder of the installed lists."""
    return Path(settings.DATA_DIR) / "lexicons"


@contextmanager
def use_other_folder(other: Path) -> Iterator[None]:
    """Include the lists of another folder within this context, for simulated games."""
    _other_folders.append(other)
    try:
        yield
    finally:
        _other_folders.remove(other)


def installed_lists() -> list[LexiconFile]:
    """All word lists by name, each opened for its own edition; installed lists come first."""
    paths = chain.from_iterable(sorted(place.glob("*.txt")) for place in (lists_folder(), *_other_folders))
    found = (read_list(path) for path in paths)
    return [entry for entry in found if entry is not None]


def lists_for_edition(edition: Edition) -> list[LexiconFile]:
    """The installed lists that serve this edition, opened for it: its own first, then its language's, then by name."""
    entries = [seen for entry in installed_lists() if (seen := _adapt_to_edition(entry, edition)) is not None]
    return sorted(entries, key=lambda entry: (entry.name != edition.code, entry.name != edition.language, entry.name))


def choose_list(edition: str, name: str | None) -> LexiconFile:
    """The list with this name, or the edition's own; `Refused` with the remedy if it is missing."""
    wanted = load_edition(edition)
    for entry in lists_for_edition(wanted):
        if name in (None, entry.name):
            return entry
    raise Refused(missing_list_sentence(wanted, name))


def missing_list_sentence(edition: Edition, name: str | None = None) -> str:
    """Sentence for a missing list, with the page and the command that install one."""
    words = {
        "edition": edition.code,
        "name": name or edition.code,
        "language": edition.language,
        "command": settings.COMMAND,
    }
    if name is None and edition.language in LANGUAGES:
        return (
            _(
                "There is no word list for the edition %(edition)s. Build or import one on the page “Word lists”, or "
                "with: %(command)s lexicon build %(language)s"
            )
            % words
        )
    return (
        _(
            "There is no word list %(name)s for the edition %(edition)s. Import it on the page “Word lists”, or with: "
            "%(command)s lexicon import FILE --edition %(edition)s --name %(name)s"
        )
        % words
    )


def combine_two_lists(first: LexiconFile, second: LexiconFile, how: str) -> LexiconFile:
    """The union or intersection of two lists of an edition; `how` is a value of the switch `two_dictionaries`.

    Its graph is built once and stored under a name derived from the checksums of both lists.
    """
    if first.sha256 == second.sha256:
        raise Refused(_("Choose two different word lists: %(name)s is the same list twice.") % {"name": first.name})
    made_of = [how, *first.edition.letters, *sorted((first.sha256, second.sha256))]
    key = hashlib.sha256("\n".join(made_of).encode()).hexdigest()[:32]
    graph = lists_folder() / "combined" / f"{key}.npy"
    words, sha256 = _count_combined(first, second, how, graph)
    if not words:
        named = {"first": first.name, "second": second.name}
        raise Refused(_("The word lists %(first)s and %(second)s have no word in common.") % named)
    name = f"{first.name} {'&' if how == BOTH else '+'} {second.name}"[:100]
    parts = (first, second)
    return LexiconFile(name, first.edition, words, sha256, graph, graph, Origin(), parts=parts, combined_by=how)


def adapt_to_rules(entry: LexiconFile, rules: Profile) -> LexiconFile:
    """The list under these rules, which may combine its two parts in another way."""
    return combine_two_lists(*entry.parts, rules.two_dictionaries) if entry.parts else entry


def word_list_of_game(game: Game) -> LexiconFile:
    """The list with which a game was begun, found by checksum; for a game with two lists, the combined one."""
    listed = lists_for_edition(edition_of(game))
    if not game.lexicon_parts:
        return _same(listed, game.lexicon_name, game.lexicon_sha256)
    parts = [_same(listed, part["name"], part["sha256"]) for part in game.lexicon_parts]
    if len(parts) != TWO:
        raise Refused(_("A game has one word list or two, not %(number)d.") % {"number": len(parts)})
    return combine_two_lists(parts[0], parts[1], profile_of(game).two_dictionaries)


def fields_of(entry: LexiconFile) -> dict[str, Any]:
    """Fields of `Game` that identify its word list."""
    facts = entry.facts
    named = {f"lexicon_{name}": facts[name] for name in ("name", "words", "sha256")}
    return named | {"lexicon_parts": facts.get("parts", [])}


def facts_of(game: Game) -> dict[str, Any]:
    """Name of a game's word list in archives."""
    named = {"name": game.lexicon_name, "words": game.lexicon_words, "sha256": game.lexicon_sha256}
    return named | ({"parts": game.lexicon_parts} if game.lexicon_parts else {})


def _same(listed: list[LexiconFile], name: str, sha256: str) -> LexiconFile:
    same = [entry for entry in listed if entry.sha256 == sha256]
    if not same:
        raise WordListMissing(
            _("The word list “%(name)s” with which this game was begun is not installed any more; put its file back.")
            % {"name": name}
        )
    return min(same, key=lambda entry: (entry.name != name, entry.name))


def rulings_of(game: Game, turn_number: int, more: WordRuling | None = None, *, when_placed: bool = False) -> Rulings:
    """The word rulings that count in this turn; of several on a word, the newest of the latest turn.

    `more` is a proposed further ruling. `when_placed`: only those with which the move of the turn was chosen, without
    rulings made after placement.
    """
    rulings = WordRuling.objects.filter(game=game, revoked_at=None, from_turn__lte=turn_number)
    if when_placed:
        rulings = rulings.filter(known_since__lte=turn_number)
    rows = list(rulings.order_by("from_turn", "pk"))
    if more is not None and more.from_turn <= turn_number:
        rows = sorted([*rows, more], key=lambda row: row.from_turn)
    standing = {row.word: row.ruling for row in rows}
    return Rulings(
        accepted=frozenset(word for word, ruling in standing.items() if ruling == Ruling.ACCEPTED),
        struck=frozenset(word for word, ruling in standing.items() if ruling == Ruling.STRUCK),
    )


def ruling_after_revocation(game: Game, turn_number: int, word: str) -> str | None:
    """The ruling on a word after its last ruling is revoked in this turn.

    If the last ruling is of this turn, the one before it counts, otherwise the opposite. `AlreadyDone` without any
    ruling.
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
    """The lexicon of this turn, or the one with other `rulings`. Cached."""
    entry = word_list_of_game(game)
    return _apply_rulings(entry, rulings_of(game, turn_number) if rulings is None else rulings)


def get_solver(game: Game, turn_number: int, rulings: Rulings | None = None) -> GameSolver:
    """The move search with the words, bonuses and variant of this turn. Cached and thread-safe."""
    entry = word_list_of_game(game)
    ruled = rulings_of(game, turn_number) if rulings is None else rulings
    return _solver(entry, ruled, profile_of(game), variant_of(game))


def graph_of(entry: LexiconFile) -> Lexicon:
    """The lexicon without rulings."""
    return _apply_rulings(entry, Rulings())


def lists_of(game: Game) -> list[Lexicon]:
    """The word list of a game without rulings, or its two parts, as needed by `engine.archive.replay.verify`."""
    entry = word_list_of_game(game)
    return [graph_of(part) for part in entry.parts or (entry,)]


def text_of(entry: LexiconFile) -> bytes:
    """The list in export format: UTF-8, tile text sorted by code point, a newline after each word."""
    lexicon = graph_of(entry)
    return export_words(lexicon.edition, all_rows(lexicon.graph))


def write_description(path: Path, facts: dict[str, Any]) -> None:
    """Write the description file of a list."""
    target = path.with_name(path.name + ".json")
    fresh = target.with_name(target.name + ".new")
    fresh.write_text(json.dumps(facts, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    fresh.replace(target)


def read_description(path: Path) -> dict[str, Any]:
    """Read the description file of a list; empty if it is not readable."""
    try:
        facts = json.loads(path.with_name(path.name + ".json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return facts if isinstance(facts, dict) else {}


def read_list(path: Path) -> LexiconFile | None:
    """The list in this file; None if it is not readable or its edition does not exist.

    While the engine is being compiled, it is also None for a list whose words have to be counted.
    """
    facts = read_description(path)
    try:
        edition = load_edition(str(facts.get("edition") or facts.get("language") or path.stem))
        words, sha256 = _count(path, edition, path.stat().st_mtime_ns, facts.get("words"), facts.get("sha256"))
    except (EditionError, EngineNotReady, OSError):
        return None
    return LexiconFile(path.stem, edition, words, sha256, path, path.with_suffix(".npy"), read_origin(facts))


def _adapt_to_edition(entry: LexiconFile, edition: Edition) -> LexiconFile | None:
    """The list opened for this edition; None if its language or letters differ."""
    own = entry.edition
    if own.language != edition.language or set(own.letters) != set(edition.letters):
        return None
    graph = entry.graph if own.letters == edition.letters else entry.path.with_suffix(f".{edition.code}.npy")
    return replace(entry, edition=edition, graph=graph)


@lru_cache(maxsize=32)
def _count(path: Path, edition: Edition, changed_at: int, words: object, sha256: object) -> tuple[int, str]:
    """(words, checksum) of a list.

    A file with the described checksum is the exported list, so its description is correct. Other files are counted by
    their graph, which takes some seconds.
    """
    checksum = hashlib.sha256(path.read_bytes()).hexdigest()
    if isinstance(words, int) and checksum == sha256:
        return words, checksum
    lexicon = _graph(path, path.with_suffix(".npy"), edition, changed_at)
    text = export_words(lexicon.edition, all_rows(lexicon.graph))
    return len(lexicon), hashlib.sha256(text).hexdigest()


@lru_cache(maxsize=8)
def _graph(path: Path, graph: Path, edition: Edition, changed_at: int) -> Lexicon:
    """The list's graph; rebuilt if it is missing, older than the list or unusable.

    A graph that cannot be stored is held in memory only. Raises EngineNotReady while the engine is being compiled.
    """
    require_engine()
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
    text = export_words(lexicon.edition, all_rows(lexicon.graph))
    return len(lexicon), hashlib.sha256(text).hexdigest()


@lru_cache(maxsize=4)
def _combined_graph(first: LexiconFile, second: LexiconFile, how: str, graph: Path) -> Lexicon:
    """The graph of a combined list; rebuilt if it is missing or unusable."""
    require_engine()
    with suppress(LexiconError):
        return Lexicon.open(graph, first.edition)
    lexicon = graph_of(first).combine_with(graph_of(second), both=how == BOTH)
    with suppress(OSError):
        graph.parent.mkdir(exist_ok=True)
        lexicon.save(graph)
    return lexicon


def _base(entry: LexiconFile) -> Lexicon:
    """The graph of a list without rulings."""
    if entry.parts:
        return _combined_graph(*entry.parts, entry.combined_by, entry.graph)
    return _graph(entry.path, entry.graph, entry.edition, entry.path.stat().st_mtime_ns)


# A list with rulings is a copy of 25 to 50 MB and quick to rebuild, so the cache is small.
@lru_cache(maxsize=4)
def _apply_rulings(entry: LexiconFile, rulings: Rulings) -> Lexicon:
    lexicon = _base(entry)
    return lexicon.with_rulings(rulings.accepted, rulings.struck) if rulings else lexicon


@lru_cache(maxsize=4)
def _solver(entry: LexiconFile, rulings: Rulings, profile: Profile, variant: Variant) -> GameSolver:
    return GameSolver(_apply_rulings(entry, rulings), profile, variant)
