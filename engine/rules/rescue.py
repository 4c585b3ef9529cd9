"""From a slip to its move: the written place, and what the profile rescues when the word is not legal there.

The steps 2 to 7 of the order in `verdict.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from engine.board import CENTRE, EMPTY, squares_of
from engine.coords import SIZE, Direction, Reference
from engine.edition import BLANK_BIT, LETTER_MASK, UnknownLetter
from engine.rules.marks import Marking
from engine.rules.place import Fault, Legal, Position, explained, lay, legal_places
from engine.rules.profile import Profile
from engine.rules.slip import Slip
from engine.rules.words import WordList

FULL_HOOK = 3


@dataclass(frozen=True, slots=True)
class Found:
    """The move that a slip is taken for. `rescue` and `rule` say how, when it is not simply what was written.

    `places`: how many boards the declared score leads to, where it decides.
    """

    legal: Legal
    rescue: str | None = None
    rule: str | None = None
    sanctioned: bool = False
    warnings: tuple[str, ...] = ()
    places: int = 1


@dataclass(frozen=True, slots=True)
class Search:
    """A slip before the judge: the word as tile codes with the player's marks, and all that it is judged by.

    `known`: the legal places found so far, by direction.
    """

    written: tuple[int, ...]
    slip: Slip
    position: Position
    profile: Profile
    words: WordList
    known: dict[Direction, list[Legal]] = field(default_factory=dict, compare=False, repr=False)

    def lay(self, reference: Reference, written: Sequence[int] | None = None) -> Legal | Fault:
        return lay(self.written if written is None else written, reference, self.position, self.profile, self.words)

    def places(self, directions: Sequence[Direction]) -> Iterator[Legal]:
        for direction in directions:
            if direction not in self.known:
                found = legal_places(self.written, [direction], self.position, self.profile, self.words)
                self.known[direction] = list(found)
            yield from self.known[direction]

    @property
    def reference(self) -> Reference | None:
        return self.slip.reference(self.profile.notation)

    @property
    def has_no_reference(self) -> bool:
        return not self.slip.ref.strip()


def find_move(search: Search) -> Found | Fault:
    """The move that a slip stands for, or the first fault."""
    if search.position.board.is_empty and search.profile.first_move_maximum:
        return _first_move(search)
    reference = search.reference
    if reference is None:
        fault = Fault("wrong_reference", rule="missing_reference" if search.has_no_reference else "wrong_reference")
    else:
        rescued = _last_letter(search, reference)
        if rescued is not None:
            return rescued
        laid = search.lay(reference)
        if isinstance(laid, Legal):
            return Found(laid)
        fault = explained(laid, search.position.board, search.written, reference, search.profile.notation)
    if fault.reason == "not_a_word":
        return fault
    return _extension(search) or _hooked(search) or _by_score(search, reference) or fault


def _first_move(search: Search) -> Found | Fault:
    """The first word at its best place and with the best blank, whatever was written; never a sanction.

    It is a rescue only when the reference or the marks that were written say something else.
    """
    plain = [code & LETTER_MASK for code in search.written]
    if len(plain) > SIZE:
        return Fault("does_not_fit")
    laid = [search.lay(reference, plain) for reference in _through_the_centre(search, len(plain))]
    legal = [move for move in laid if isinstance(move, Legal)]
    if not legal:
        return next(fault for fault in laid if isinstance(fault, Fault))
    most = max(one.move.score for one in legal)
    as_written = _as_written_on_the_first_move(search, most)
    if as_written is not None:
        return Found(as_written)
    best = [one for one in legal if one.move.score == most]
    chosen = next((one for one in best if one.move.reference == search.reference), best[0])
    differs = not search.has_no_reference and search.reference != chosen.move.reference
    if differs or any(code & BLANK_BIT for code in search.written):
        return Found(_all_marked(chosen), "first_move_maximum", "first_move_maximum")
    return Found(_all_marked(chosen))


def _through_the_centre(search: Search, length: int) -> Iterator[Reference]:
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


def _as_written_on_the_first_move(search: Search, most: int) -> Legal | None:
    """The slip to the letter, when it says a best place and marks a best blank."""
    if search.reference is None:
        return None
    laid = search.lay(search.reference)
    if isinstance(laid, Legal) and laid.marking is Marking.RIGHT and laid.move.score == most:
        return laid
    return None


def _all_marked(legal: Legal) -> Legal:
    return replace(legal, marking=Marking.RIGHT, unmarked=())


def _last_letter(search: Search, reference: Reference) -> Found | None:
    """FISF 5.3.1: the last letter lies on the board, was left out or written wrongly, and the score proves it."""
    if search.profile.last_letter != "rescue" or search.position.board.is_empty:
        return None
    squares = list(squares_of(reference, len(search.written) + 1))
    for reason, at in (("last_letter_missing", len(search.written)), ("last_letter_changed", len(search.written) - 1)):
        lying = search.position.board.at(*squares[at])
        if lying == EMPTY or (at < len(search.written) and not (lying ^ search.written[at]) & LETTER_MASK):
            continue
        laid = search.lay(reference, (*search.written[:at], lying & LETTER_MASK))
        if isinstance(laid, Legal) and laid.move.score == search.slip.declared:
            return Found(laid, reason, "last_letter", sanctioned=True)
    return None


def _extension(search: Search) -> Found | None:
    """FISF: a word that lengthens one on the board needs no reference. Free of charge."""
    if search.profile.extension_needs_reference:
        return None
    directions = [search.slip.direction] if search.slip.direction else list(Direction)
    places = [legal for legal in search.places(directions) if _lengthens(search, legal)]
    legal = _likeliest(search, places)
    return Found(legal, rule="extension_needs_reference") if legal else None


def _lengthens(search: Search, legal: Legal) -> bool:
    """Whether the tiles that lie already under the word are one unbroken run of at least two."""
    reference, length = legal.move.reference, len(legal.move.word)
    lying = [i for i, square in enumerate(squares_of(reference, length)) if search.position.board.at(*square) != EMPTY]
    return len(lying) > 1 and all(b == a + 1 for a, b in pairwise(lying))


def _hooked(search: Search) -> Found | None:
    """The place that crossing letters name ("raccord"), where the profile does not insist on a reference.

    Fewer than three letters are taken too, with a warning. Source: FISF, bulletin and abridged rules.
    """
    if search.profile.missing_reference == "zero" or not (search.has_no_reference and search.slip.hook.strip()):
        return None
    try:
        hook = [code & LETTER_MASK for code in search.position.board.edition.parse_word(search.slip.hook)]
    except UnknownLetter:
        return None
    directions = [search.slip.direction] if search.slip.direction else list(Direction)
    legal = _likeliest(search, [one for one in search.places(directions) if _hooks_on(search, one, bytes(hook))])
    if legal is None:
        return None
    warnings = ("hook_letters",) if len(hook) < FULL_HOOK else ()
    return Found(legal, rule="missing_reference", warnings=warnings)


def _hooks_on(search: Search, legal: Legal, hook: bytes) -> bool:
    """Whether the letters stand in a word that crosses the move."""
    board = search.position.board.with_word(legal.move.reference, legal.move.word)
    crossing = legal.move.direction.other
    down, right = crossing.step
    for row, col in squares_of(legal.move.reference, len(legal.move.word)):
        before, after = board.run_through(row, col, crossing)
        run = bytes(board.at(row + i * down, col + i * right) & LETTER_MASK for i in range(-before, after + 1))
        if before + after and hook in run:
            return True
    return False


def _likeliest(search: Search, places: Sequence[Legal]) -> Legal | None:
    """Of several places the one with the declared score, else the best for the player."""
    declared = [legal for legal in places if legal.move.score == search.slip.declared]
    return max(declared or places, key=lambda legal: legal.move.score, default=None)


def _by_score(search: Search, reference: Reference | None) -> Found | None:
    """FISF 5.3.1: the declared score proves where in the written direction the word was meant to lie."""
    rule = "missing_reference" if search.has_no_reference else "wrong_reference"
    if getattr(search.profile, rule) == "zero" or search.slip.declared is None:
        return None
    wanted = reference.direction if reference else search.slip.direction
    proved = [
        legal
        for legal in search.places([wanted] if wanted else list(Direction))
        if legal.move.score == search.slip.declared
    ]
    boards = {search.position.board.with_word(one.move.reference, one.move.word).squares for one in proved}
    if not proved or (len(boards) > 1 and not search.profile.rescue_when_ambiguous):
        return None
    return Found(proved[0], "rescued_by_score", rule, sanctioned=True, places=len(boards))
