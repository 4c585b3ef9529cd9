"""Facts by which an archive is verified: edition, profile, word list with the rulings of each turn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache

from engine.archive.ledger import find_broken_link, list_entries
from engine.archive.replay.ledger_facts import LedgerFacts, read_ledger_facts
from engine.archive.schema import Archive, ArchiveError, ContinuedDraw, TurnEntry, WordRuling, edition_of
from engine.board.board import Board
from engine.draw.reproducible import draw_key
from engine.judging.placement import Position
from engine.lexicon.graph import Lexicon
from engine.rules.profile import Profile, ProfileError
from engine.search.game_solver import GameSolver
from engine.tiles.edition import Edition, UnknownLetter
from engine.tiles.tiles import Tiles
from engine.variants.variant import Variant, VariantError, load_variant

Words = tuple[int, ...]
Rulings = tuple[frozenset[str], frozenset[str]]
MAX_LISTS = 2


class Facts:
    """The archive with what follows from its head. `ArchiveError` when it was played by something not known here."""

    def __init__(self, archive: Archive, *lists: Lexicon) -> None:
        """`lists` is the word list of the game before rulings, or the two lists of a game with two."""
        self.archive = archive
        self.lists = lists
        self.variant = _load_archive_variant(archive)
        self.edition = edition_of(archive)
        self.profile = _load_archive_profile(archive)
        self.base_lexicon = _combine_word_lists(archive, self.profile, lists)
        # A list takes some ten megabytes, and a turn asks for its own words, those of the turn before, and those with
        # which its move was chosen.
        self._solver_with = lru_cache(maxsize=4)(self._make_solver)

    def key(self, turn: int) -> bytes | None:
        """The key that this turn is drawn with; None where racks were typed, or the seed is not public yet or no seed
        at all."""
        drawn = [entry for entry in self.draws if entry["from_turn"] <= turn][-1]
        seed = read_seed(drawn["seed"])
        if self.archive["draw"]["mode"] == "typed" or seed is None:
            return None
        return draw_key(seed, drawn["hall_word"])

    @cached_property
    def draws(self) -> list[ContinuedDraw]:
        """Every seed of the game, the first one first."""
        entry = self.archive["draw"]
        first = ContinuedDraw(
            from_turn=1, commitment=entry["commitment"], seed=entry["seed"], hall_word=entry["hall_word"]
        )
        return [first, *entry.get("continued", ())]

    @property
    def blitz(self) -> bool:
        return self.profile.is_blitz(self.archive["rhythm_s"])

    @cached_property
    def turns(self) -> list[TurnEntry]:
        """The turns, numbered by their place, whatever number they bear."""
        return [{**turn, "number": number} for number, turn in enumerate(self.archive["turns"], 1)]

    @cached_property
    def last_turns(self) -> dict[int, int]:
        """By table the last turn of each player who left."""
        return {player["table"]: player["last_turn"] for player in self.archive["players"] if "last_turn" in player}

    @cached_property
    def disqualified_from(self) -> dict[int, int]:
        """By table the turn from which each disqualified player is out of the ranking."""
        players = self.archive["players"]
        return {player["table"]: player["disqualified_from"] for player in players if "disqualified_from" in player}

    def disqualified(self, turn: int) -> frozenset[int]:
        """The tables whose slips count for no average, solo or bonus in this turn."""
        return frozenset(table for table, first in self.disqualified_from.items() if first <= turn)

    @cached_property
    def recorded(self) -> LedgerFacts:
        """The facts that the ledger records; none if one of its chains is broken."""
        ledger = self.archive["ledger"]
        return read_ledger_facts(list_entries(ledger) if find_broken_link(ledger) is None else ())

    @property
    def has_all_decisions(self) -> bool:
        """Return whether the ledger records every decision of a judge on slips."""
        return "decisions" in self.recorded.topics

    @cached_property
    def has_salts(self) -> bool:
        """Return whether names can be compared with their seals."""
        return any("salt" in player for player in self.archive["players"])

    @cached_property
    def first_turns(self) -> dict[int, int]:
        """By table the first turn of each player, where the archive tells it."""
        return {player["table"]: player["first_turn"] for player in self.archive["players"] if "first_turn" in player}

    @cached_property
    def follows(self) -> bool:
        """Return whether the room played a script that another room wrote: its master moves are not chosen from its
        slips."""
        rooms = self.archive.get("rooms")
        return rooms is not None and rooms["drawing"] != self.archive["room"]

    @cached_property
    def tables(self) -> frozenset[int]:
        """The tables of the players in the archive."""
        return frozenset(player["table"] for player in self.archive["players"])

    def is_open(self, turn: TurnEntry) -> bool:
        """Return whether this turn is still being played: the last of a game without an end, not closed or not
        placed."""
        if self.archive["end"] is not None or turn["number"] != len(self.turns):
            return False
        return turn["closed_at"] is None or (
            turn["master"] is None and bool(turn["tops"]) and not self._counts_last_turn
        )

    @cached_property
    def _counts_last_turn(self) -> bool:
        """Return whether the standings count the last turn. Where nobody was correct and the same rack is played again,
        nothing else tells that it is over."""
        tops = sum(turn["top"] for turn in self.turns)
        return any(line["total"] - line["negative"] == tops for line in self.archive["standings"])

    def lexicon(self, turn: int) -> Lexicon:
        """The word list with what was accepted and struck up to this turn."""
        return self.solver(turn).lexicon

    def solver(self, turn: int) -> GameSolver:
        """The search of this turn: its word list, first words across. Turns with the same words share it."""
        return self._solver_with(self._rulings(turn))

    def was_reopened(self, turn: TurnEntry) -> bool:
        """Return whether something was decided on a turn once its move was on the board."""
        words = self._rulings(turn["number"]) != self._rulings(turn["number"], turn["number"])
        return words or any("when_placed" in slip for slip in turn["slips"])

    def solver_when_placed(self, turn: int) -> GameSolver:
        """The search of this turn as it was when its move was chosen."""
        return self._solver_with(self._rulings(turn, turn))

    def solvers_of_draw(self, turn: int) -> list[GameSolver]:
        """Several where the judge ruled on words about then: the rack was drawn before the ruling or after it."""
        known = (self._rulings(turn - 1, turn - 1), self._rulings(turn, turn), self._rulings(turn, turn, drawn=False))
        return [self._solver_with(rulings) for rulings in dict.fromkeys(known)]

    def position(self, board: Board, rack: Tiles, turn: int) -> Position:
        """The position of a turn by the rules of the variant."""
        most = self.variant.most_laid(self.profile)
        return Position(board, rack, turn, self.variant.stock(board, rack), most)

    def _make_solver(self, rulings: Rulings) -> GameSolver:
        return GameSolver(self.base_lexicon.with_rulings(*rulings), self.profile, self.variant)

    def _rulings(self, turn: int, known_in: int | None = None, *, drawn: bool = True) -> Rulings:
        """(accepted, struck) in this turn; of several rulings on a word the latest counts, struck before accepted.

        `known_in`: only what was ruled when that turn was judged; without `drawn` what was ruled before its rack came.
        """
        latest: dict[Words, tuple[int, int, bool, str]] = {}
        for struck, entries in enumerate((self._accepted, self._struck)):
            for word, ruling in entries:
                rank = (ruling["from_turn"], ruling.get("ruled_in", 0), bool(struck), ruling["word"])
                in_time = drawn or "ruled_in" in ruling or ruling["from_turn"] < turn
                known = known_in is None or ruling.get("ruled_in", 0) <= known_in
                if ruling["from_turn"] <= turn and in_time and known:
                    latest[word] = max(rank, latest.get(word, rank))
        accepted = frozenset(word for _, _, struck, word in latest.values() if not struck)
        return accepted, frozenset(word for _, _, struck, word in latest.values() if struck)

    @cached_property
    def _accepted(self) -> list[tuple[Words, WordRuling]]:
        return self._readable(self.archive["lexicon"]["accepted"])

    @cached_property
    def _struck(self) -> list[tuple[Words, WordRuling]]:
        return self._readable(self.archive["lexicon"]["struck"])

    def _readable(self, entries: Iterable[WordRuling]) -> list[tuple[Words, WordRuling]]:
        """The rulings whose word can be laid; the others have no effect and are reported with the head."""
        return [(codes, entry) for entry in entries if (codes := read_word(self.edition, entry["word"])) is not None]


def read_seed(text: str | None) -> bytes | None:
    """The seed in hex; None when there is none, or it is no hex."""
    try:
        return bytes.fromhex(text or "") or None
    except ValueError:
        return None


def read_word(edition: Edition, text: str) -> Words | None:
    """Letter numbers of a word in tile text, whatever its case; None when it cannot be laid."""
    try:
        return edition.parse_word(text.upper())
    except UnknownLetter:
        return None


def _combine_word_lists(archive: Archive, profile: Profile, lists: Sequence[Lexicon]) -> Lexicon:
    """The list that the game was played with."""
    parts = archive["lexicon"].get("parts", [])
    if not parts and len(lists) == 1:
        return lists[0]
    if not parts:
        name = archive["lexicon"]["name"]
        raise ArchiveError(f"This archive cannot be verified by two word lists: the game has one, {name}.")
    if len(parts) != MAX_LISTS or len(lists) != MAX_LISTS:
        names = ", ".join(part["name"] for part in parts)
        raise ArchiveError(f"This archive can only be verified by the two word lists of the game: {names}.")
    first, second = lists
    return first.combine_with(second, both=profile.two_dictionaries == "both")


def _load_archive_profile(archive: Archive) -> Profile:
    try:
        return Profile.from_switches(archive["profile"])
    except ProfileError as error:
        raise ArchiveError(f"This archive cannot be verified: profile: {error}.") from None


def _load_archive_variant(archive: Archive) -> Variant:
    try:
        return load_variant(archive["formula"])
    except VariantError as error:
        raise ArchiveError(f"This archive cannot be verified: {error}") from None
