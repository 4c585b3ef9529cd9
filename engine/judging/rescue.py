"""From a slip to its move: the written place, and what the profile rescues when the word is not legal there.

The steps 2 to 7 of the order in `verdict.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, pairwise

from engine.board.board import CENTRE, EMPTY, Board, squares_of
from engine.board.coordinates import SIZE, Direction, Reference
from engine.board.move import Move
from engine.judging.lexicon_protocol import WordList
from engine.judging.placement import Fault, LegalMove, Position, explain_fault, list_legal_placements, place_word
from engine.rules.profile import Profile
from engine.slips.blank_marks import Marking
from engine.slips.slip import Slip
from engine.tiles.edition import BLANK_BIT, LETTER_MASK, UnknownLetter

FULL_HOOK = 3


@dataclass(frozen=True, slots=True)
class FoundMove:
    """The move that a slip is taken for. `rescue` and `rule` say how, when it is not simply what was written.

    `places`: how many boards the declared score leads to, where it decides; `reversed`: it proves the written square
    in the other direction. `hook`: the crossing letters that were written and lead nowhere.
    """

    legal: LegalMove
    rescue: str | None = None
    rule: str | None = None
    sanctioned: bool = False
    warnings: tuple[str, ...] = ()
    places: int = 1
    reversed: bool = False
    hook: str = ""


@dataclass(frozen=True, slots=True)
class SlipSearch:
    """A slip before the judge: the word as tile codes with the player's marks, and all that it is judged by.

    `known`: the legal places found so far, by direction.
    """

    written: tuple[int, ...]
    slip: Slip
    position: Position
    profile: Profile
    words: WordList
    known: dict[Direction, list[LegalMove]] = field(default_factory=dict, compare=False, repr=False)

    def lay(self, reference: Reference, written: Sequence[int] | None = None) -> LegalMove | Fault:
        return place_word(
            self.written if written is None else written, reference, self.position, self.profile, self.words
        )

    def places(self, directions: Sequence[Direction]) -> Iterator[LegalMove]:
        for direction in directions:
            if direction not in self.known:
                found = list_legal_placements(self.written, [direction], self.position, self.profile, self.words)
                self.known[direction] = list(found)
            yield from self.known[direction]

    @property
    def reference(self) -> Reference | None:
        """The place at which the word is judged as written. None without a reference that can be read, and for one that
        contradicts the direction in the grid where a wrong reference can be rescued."""
        return None if self.is_reversed else self.slip.reference(self.profile.notation)

    @property
    def is_reversed(self) -> bool:
        """Return whether the reference is wrong because the word stands in the grid in the other direction."""
        return self.profile.wrong_reference == "rescue" and self.slip.has_contradictory_direction(self.profile.notation)

    @property
    def has_no_reference(self) -> bool:
        return not self.slip.ref.strip()

    @property
    def hook(self) -> str:
        """The crossing letters, where they stand in place of a reference and the profile takes them."""
        return self.slip.hook.strip() if self.has_no_reference and self.profile.takes_hooks else ""


def find_move(search: SlipSearch) -> FoundMove | Fault:
    """The move that a slip stands for, or the first fault."""
    if search.position.board.is_empty and search.profile.first_move_maximum:
        return _find_first_move(search)
    reference = search.reference
    if reference is None:
        fault = _fault_of_reference(search)
    else:
        rescued = _find_by_last_letter(search, reference)
        if rescued is not None:
            return rescued
        laid = search.lay(reference)
        if isinstance(laid, LegalMove):
            return FoundMove(laid)
        fault = explain_fault(laid, search.position.board, search.written, reference, search.profile.notation)
    if fault.reason == "not_a_word":
        return fault
    return (
        _find_extension(search)
        or _find_by_hook(search)
        or _find_reversed(search)
        or _find_by_score(search, reference)
        or fault
    )


def _fault_of_reference(search: SlipSearch) -> Fault:
    if search.hook:
        return Fault("wrong_reference", rule="missing_reference", details={"hook": search.hook})
    if search.has_no_reference:
        return Fault("wrong_reference", rule="missing_reference")
    reversed_ref: dict[str, str | int] = {"reversed": search.slip.ref.strip().upper()} if search.is_reversed else {}
    return Fault("wrong_reference", rule="wrong_reference", details=reversed_ref)


def _find_first_move(search: SlipSearch) -> FoundMove | Fault:
    """The first word at its best place and with the best blank, whatever was written; never a sanction.

    It is a rescue only when the reference or the marks that were written say something else.
    """
    plain = [code & LETTER_MASK for code in search.written]
    if len(plain) > SIZE:
        return Fault("does_not_fit")
    laid = [search.lay(reference, plain) for reference in _list_centre_references(search, len(plain))]
    legal = [move for move in laid if isinstance(move, LegalMove)]
    if not legal:
        return next(fault for fault in laid if isinstance(fault, Fault))
    most = max(one.move.score for one in legal)
    as_written = _find_exact_first_move(search, most)
    if as_written is not None:
        return FoundMove(as_written)
    best = [one for one in legal if one.move.score == most]
    chosen = next((one for one in best if one.move.reference == search.reference), best[0])
    differs = not search.has_no_reference and search.reference != chosen.move.reference
    if differs or any(code & BLANK_BIT for code in search.written):
        return FoundMove(_mark_all_blanks(chosen), "first_move_maximum", "first_move_maximum")
    return FoundMove(_mark_all_blanks(chosen))


def _list_centre_references(search: SlipSearch, length: int) -> Iterator[Reference]:
    """The places of a first word: across alone where the profile wants it so, else as the slip says or both ways."""
    wanted = search.slip.direction or (search.reference.direction if search.reference else None)
    directions = [wanted] if wanted else list(Direction)
    if search.profile.first_word == "across":
        directions = [Direction.ACROSS]
    for direction in directions:
        down, right = direction.step
        for back in range(length):
            row, col = CENTRE - down * back, CENTRE - right * back
            if min(row, col) >= 0 and max(row + down * (length - 1), col + right * (length - 1)) < SIZE:
                yield Reference(row, col, direction)


def _find_exact_first_move(search: SlipSearch, most: int) -> LegalMove | None:
    """The slip to the letter, when it says a best place and marks a best blank."""
    if search.reference is None:
        return None
    laid = search.lay(search.reference)
    if isinstance(laid, LegalMove) and laid.marking is Marking.RIGHT and laid.move.score == most:
        return laid
    return None


def _mark_all_blanks(legal: LegalMove) -> LegalMove:
    return replace(legal, marking=Marking.RIGHT, unmarked=())


def _find_by_last_letter(search: SlipSearch, reference: Reference) -> FoundMove | None:
    """FISF 5.3.1: the last letter lies on the board, was left out or written wrongly, and the score proves it."""
    if search.profile.last_letter != "rescue" or search.position.board.is_empty:
        return None
    squares = list(squares_of(reference, len(search.written) + 1))
    for reason, at in (("last_letter_missing", len(search.written)), ("last_letter_changed", len(search.written) - 1)):
        lying = search.position.board.at(*squares[at])
        if lying == EMPTY or (at < len(search.written) and not (lying ^ search.written[at]) & LETTER_MASK):
            continue
        laid = search.lay(reference, (*search.written[:at], lying & LETTER_MASK))
        if isinstance(laid, LegalMove) and laid.move.score == search.slip.declared:
            return FoundMove(laid, reason, "last_letter", sanctioned=True)
    return None


def _find_extension(search: SlipSearch) -> FoundMove | None:
    """FISF: a word that lengthens one on the board needs no reference. Free of charge."""
    if search.profile.extension_needs_reference:
        return None
    directions = [search.slip.direction] if search.slip.direction else list(Direction)
    places = [legal for legal in search.places(directions) if _is_extension(search, legal)]
    legal = _choose_likeliest(search, places)
    return FoundMove(legal, rule="extension_needs_reference") if legal else None


def _is_extension(search: SlipSearch, legal: LegalMove) -> bool:
    """Return whether the tiles that lie already under the word are one unbroken run of at least two."""
    reference, length = legal.move.reference, len(legal.move.word)
    lying = [i for i, square in enumerate(squares_of(reference, length)) if search.position.board.at(*square) != EMPTY]
    return len(lying) > 1 and all(b == a + 1 for a, b in pairwise(lying))


def _find_by_hook(search: SlipSearch) -> FoundMove | None:
    """The place that crossing letters name ("raccord"), free of charge.

    With fewer letters than three, and with wrong ones where the declared score proves the place, it earns a warning.
    Source: FISF, bulletin and abridged rules; reform of 2010.
    """
    if not search.hook:
        return None
    board, hook = search.position.board, _hook_codes(search)
    places = search.places([search.slip.direction] if search.slip.direction else list(Direction))
    legal = _choose_likeliest(search, [one for one in places if _hooked_words(board, one.move, hook)])
    if legal is None:
        proved = _find_by_score(search, None)
        return proved and replace(proved, sanctioned=False, warnings=("hook_letters",), hook=search.hook)
    is_short = all(len(hook) < min(FULL_HOOK, lying) for lying in _hooked_words(board, legal.move, hook))
    return FoundMove(legal, warnings=("hook_letters",) * is_short)


def _hook_codes(search: SlipSearch) -> bytes:
    try:
        return bytes(code & LETTER_MASK for code in search.position.board.edition.parse_word(search.hook))
    except UnknownLetter:
        return b""


def _hooked_words(board: Board, move: Move, hook: bytes) -> list[int]:
    """Numbers of tiles that lie already in each word that the move crosses or extends and that holds the crossing
    letters."""
    return [
        lying
        for letters, lying in (*_list_crossed_words(board, move), *_list_extended_words(board, move))
        if hook and hook in letters
    ]


def _list_crossed_words(board: Board, move: Move) -> Iterator[tuple[bytes, int]]:
    """(letters, tiles that lie already) of each word across the move, with the letter of the move in it."""
    after, crossing = board.with_word(move.reference, move.word), move.direction.other
    down, right = crossing.step
    for row, col in squares_of(move.reference, len(move.word)):
        before, behind = after.run_through(row, col, crossing)
        if before + behind:
            run = range(-before, behind + 1)
            letters = bytes(after.at(row + i * down, col + i * right) & LETTER_MASK for i in run)
            yield letters, before + behind + (board.at(row, col) != EMPTY)


def _list_extended_words(board: Board, move: Move) -> Iterator[tuple[bytes, int]]:
    """The same for the words in the line of the move, as they lie before it."""
    lying = [board.at(*square) for square in squares_of(move.reference, len(move.word))]
    for is_free, run in groupby(lying, lambda code: code == EMPTY):
        letters = bytes(code & LETTER_MASK for code in run)
        if not is_free and len(letters) > 1:
            yield letters, len(letters)


def _choose_likeliest(search: SlipSearch, places: Sequence[LegalMove]) -> LegalMove | None:
    """Of several places the one with the declared score, else the best for the player."""
    declared = [legal for legal in places if legal.move.score == search.slip.declared]
    return max(declared or places, key=lambda legal: legal.move.score, default=None)


def _find_reversed(search: SlipSearch) -> FoundMove | None:
    """A place written the other way round, H8 for 8H: the declared score proves the same square in the other direction.

    It is a wrong reference and costs as such where those are rescued; a profile that forgives this one slip of the pen
    alone takes nothing off.
    """
    legal = find_reversed_placement(search) if search.profile.wrong_reference != "zero" else None
    if legal is None:
        return None
    sanctioned = search.profile.wrong_reference == "rescue"
    return FoundMove(legal, "rescued_by_score", "wrong_reference", sanctioned=sanctioned, reversed=True)


def find_reversed_placement(search: SlipSearch) -> LegalMove | None:
    """The move at the written square in the other direction, where the declared score is its score.

    None where the grid of the slip says that the written direction is meant.
    """
    written = search.slip.written_reference(search.profile.notation)
    if written is None or search.slip.direction is written.direction:
        return None
    laid = search.lay(written._replace(direction=written.direction.other))
    return laid if isinstance(laid, LegalMove) and laid.move.score == search.slip.declared else None


def _find_by_score(search: SlipSearch, reference: Reference | None) -> FoundMove | None:
    """FISF 5.3.1: the declared score proves where in the written direction the word was meant to lie.

    Without a direction in the grid the one of the reference comes first, then the other.
    """
    profile, missing = search.profile, search.has_no_reference
    judged = profile.missing_reference if missing else profile.wrong_reference
    if judged in ("zero", "reversed") or search.slip.declared is None:
        return None
    for directions in _written_directions(search, reference):
        proved = [legal for legal in search.places(directions) if legal.move.score == search.slip.declared]
        if proved:
            break
    boards = {search.position.board.with_word(one.move.reference, one.move.word).squares for one in proved}
    if not proved or (len(boards) > 1 and not profile.rescue_when_ambiguous):
        return None
    rule = "missing_reference" if missing else "wrong_reference"
    return FoundMove(proved[0], "rescued_by_score", rule, sanctioned=True, places=len(boards))


def _written_directions(search: SlipSearch, reference: Reference | None) -> list[list[Direction]]:
    if search.slip.direction is not None:
        return [[search.slip.direction]]
    if reference is not None:
        return [[reference.direction], [reference.direction.other]]
    return [list(Direction)]
