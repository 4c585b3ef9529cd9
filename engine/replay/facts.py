"""What the whole archive is judged by: edition, profile, word list with the rulings of each turn."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from engine.archive import Archive, ArchiveError, TurnEntry, WordRuling
from engine.draw import draw_key
from engine.edition import Edition, EditionError, UnknownLetter, load_edition
from engine.lexicon.graph import Lexicon
from engine.rules.profile import Profile, ProfileError
from engine.search.solver import Solver

FORMULA = "normal"
Words = tuple[int, ...]
Rulings = tuple[frozenset[str], frozenset[str]]


class Facts:
    """The archive with what follows from its head. `ArchiveError` when it was played by something not known here."""

    def __init__(self, archive: Archive, lexicon: Lexicon) -> None:
        if archive["formula"] != FORMULA:
            raise ArchiveError(f"Games of the formula {archive['formula']!r} cannot be verified by this program.")
        self.archive = archive
        self.base_lexicon = lexicon
        self.edition = _edition(archive)
        self.profile = _profile(archive)
        self._lexicons: dict[Rulings, Lexicon] = {}
        self._solvers: dict[Rulings, Solver] = {}

    @cached_property
    def key(self) -> bytes | None:
        """The key of the draw; None where racks were typed, or the seed is not public yet or no seed at all."""
        entry = self.archive["draw"]
        if entry["mode"] == "typed" or (seed := self.seed) is None:
            return None
        return draw_key(seed, entry["hall_word"])

    @cached_property
    def seed(self) -> bytes | None:
        try:
            return bytes.fromhex(self.archive["draw"]["seed"] or "") or None
        except ValueError:
            return None

    @property
    def blitz(self) -> bool:
        return self.profile.is_blitz(self.archive["rhythm_s"])

    @cached_property
    def turns(self) -> list[TurnEntry]:
        """The turns, numbered by their place, whatever number they bear."""
        return [{**turn, "number": number} for number, turn in enumerate(self.archive["turns"], 1)]

    def is_open(self, turn: TurnEntry) -> bool:
        """Whether this turn is still being played: the last of a game without an end, not closed or not placed."""
        if self.archive["end"] is not None or turn["number"] != len(self.turns):
            return False
        return turn["closed_at"] is None or (turn["master"] is None and bool(turn["tops"]) and not self._all_count)

    @cached_property
    def _all_count(self) -> bool:
        """Whether the standings count the last turn. Where nobody was correct and the same rack is played again,
        nothing else tells that it is over."""
        tops = sum(turn["top"] for turn in self.turns)
        return any(line["total"] - line["negative"] == tops for line in self.archive["standings"])

    def lexicon(self, turn: int) -> Lexicon:
        """The word list with what was accepted and struck up to this turn."""
        rulings = self._rulings(turn)
        if rulings not in self._lexicons:
            self._lexicons[rulings] = self.base_lexicon.with_rulings(*rulings) if any(rulings) else self.base_lexicon
        return self._lexicons[rulings]

    def solver(self, turn: int) -> Solver:
        """The search of this turn: its word list, first words across."""
        rulings = self._rulings(turn)
        if rulings not in self._solvers:
            self._solvers[rulings] = Solver(self.lexicon(turn), bonuses=self.profile.bonus_table)
        return self._solvers[rulings]

    def _rulings(self, turn: int) -> Rulings:
        """(accepted, struck) in this turn; of several rulings on a word the latest counts, struck before accepted."""
        latest: dict[Words, tuple[int, bool, str]] = {}
        for struck, entries in enumerate((self._accepted, self._struck)):
            for word, ruling in entries:
                rank = (ruling["from_turn"], bool(struck), ruling["word"])
                if ruling["from_turn"] <= turn:
                    latest[word] = max(rank, latest.get(word, rank))
        accepted = frozenset(word for _, struck, word in latest.values() if not struck)
        return accepted, frozenset(word for _, struck, word in latest.values() if struck)

    @cached_property
    def _accepted(self) -> list[tuple[Words, WordRuling]]:
        return self._readable(self.archive["lexicon"]["accepted"])

    @cached_property
    def _struck(self) -> list[tuple[Words, WordRuling]]:
        return self._readable(self.archive["lexicon"]["struck"])

    def _readable(self, entries: Iterable[WordRuling]) -> list[tuple[Words, WordRuling]]:
        """The rulings whose word can be laid; the others have no effect and are reported with the head."""
        return [(codes, entry) for entry in entries if (codes := read_word(self.edition, entry["word"])) is not None]


def read_word(edition: Edition, text: str) -> Words | None:
    """Letter numbers of a word in tile text, whatever its case; None when it cannot be laid."""
    try:
        return edition.parse_word(text.upper())
    except UnknownLetter:
        return None


def _edition(archive: Archive) -> Edition:
    try:
        return load_edition(archive["edition"])
    except EditionError as error:
        raise ArchiveError(f"This archive cannot be verified: {error}.") from None


def _profile(archive: Archive) -> Profile:
    try:
        return Profile.from_switches(archive["profile"])
    except ProfileError as error:
        raise ArchiveError(f"This archive cannot be verified: profile: {error}.") from None
