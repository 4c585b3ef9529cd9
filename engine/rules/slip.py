"""The slip: what a player handed in, as he wrote it; and the line in which a paper slip is typed."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from engine.coords import Direction, Notation, Reference, UnreadableReference, parse_reference
from engine.ledger import canonical_json
from engine.rules.messages import N_

Received = Literal["in_time", "late", "several"]


@dataclass(frozen=True, slots=True)
class Slip:
    """What a player handed in, nothing corrected.

    `word` in tile text or by hand, a lower-case letter is a marked blank; `ref` may be empty or nonsense; `declared`
    None when no score was written; `direction` as the word stands in the grid of a paper slip, None when there is
    none; `hook` the crossing letters that some federations take in place of a reference: three letters of a word on
    the board that the new word crosses or extends.
    """

    word: str
    ref: str
    declared: int | None
    direction: Direction | None = None
    hook: str = ""
    received: Received = "in_time"

    @property
    def key(self) -> tuple[str, str, int | None, Direction | None, str, Received]:
        """Equal for slips that say the same. Where warnings have a quota, a player's earlier warnings count too."""
        ref, hook = "".join(self.ref.split()).upper(), self.hook.strip().upper()
        return self.word.strip(), ref, self.declared, self.direction, hook, self.received

    @property
    def is_blank(self) -> bool:
        """Nothing written at all."""
        return not (self.word.strip() or self.ref.strip() or self.hook.strip()) and self.declared is None

    @property
    def place_text(self) -> str:
        """The reference as it was written, or the crossing letters that stand for it."""
        return self.ref.strip() or self.hook.strip().upper()

    def reference(self, notation: Notation) -> Reference | None:
        """Where the word starts and how it runs, None when that cannot be read; the grid's direction wins."""
        reference = self.written_reference(notation)
        return reference and reference._replace(direction=self.direction or reference.direction)

    def written_reference(self, notation: Notation) -> Reference | None:
        """What the reference alone says, None when it cannot be read."""
        try:
            return parse_reference(self.ref, notation)
        except UnreadableReference:
            return None

    def contradicts_itself(self, notation: Notation) -> bool:
        """Whether the word stands in the grid in another direction than its reference says."""
        reference = self.written_reference(notation)
        return reference is not None and self.direction not in (None, reference.direction)


def group_of(slip: Slip) -> str:
    """The key that slips have in common which say the same and came in the same way."""
    return hashlib.sha256(canonical_json([None if part is None else str(part) for part in slip.key])).hexdigest()


@dataclass(frozen=True, slots=True)
class PaperLine:
    """A typed line: whose slip it is, and the slip."""

    table: int
    slip: Slip


class UnreadableLine(ValueError):
    """A typed line that is no slip. `template` and `details` let the edge say it in another language."""

    def __init__(self, template: str, **details: object) -> None:
        super().__init__(template % details)
        self.template = template
        self.details = details

    def sentence(self, translate: Callable[[str], str]) -> str:
        return translate(self.template) % self.details


LONGEST_LINE = 200
NO_SLIP = {"-", "–", "—"}
UNREADABLE_WORD = "?"
_ARROWS = {">": Direction.ACROSS, "→": Direction.ACROSS, "|": Direction.DOWN, "↓": Direction.DOWN}
_SEPARATORS = re.compile(r"[\s,;:]+")
_TABLE = re.compile(r"0*([1-9][0-9]{0,5})")
_NUMBER = re.compile(r"[0-9]{1,6}")
_HOOK = re.compile(r"(?:[^\W\d_]|\[[^\W\d_](?:[^\W\d_]|[·.\-])*\]){2,3}")
_LIKE_A_REFERENCE = re.compile(r"[0-9]{1,3}[A-Z]{1,2}|[A-Z]{1,2}[0-9]{1,3}", re.IGNORECASE)


def parse_paper_line(line: str, notation: Notation, *, hooks: bool = False) -> PaperLine:
    """Read `17 8H CORNO 22`: table, reference, word, declared score; behind the table in any order.

    The score or the reference may be missing; `17 -` or `17 0` is a table that handed in no word, `?` a word that
    cannot be read, `>` or `|` the direction in which the word stands in the slip's grid. A reference off the board
    (Z99) is kept as it was written. A word all in lower case has no blank marked; `corn(o)` and `CORNo` mark one.
    With `hooks`, three crossing letters may stand in place of the reference: `3 PUBLIERA ESC 167`. `UnreadableLine`
    says what is missing or doubled.
    """
    if len(line) > LONGEST_LINE:
        raise UnreadableLine(N_("This line is too long for a slip; write table, reference, word and score."))
    first, *tokens = _SEPARATORS.split(line.strip(" \t\r\n,;:."))
    table = _TABLE.fullmatch(first)
    if table is None:
        raise UnreadableLine(N_("Begin with the number of the table, as in 17 8H CORNO 22."))
    return PaperLine(int(table[1]), _read_tokens(int(table[1]), tokens, notation, hooks=hooks))


def read_slip(table: int, text: str, notation: Notation, *, hooks: bool = False) -> Slip:
    """What stands behind the table in a typed line, `8H CORNO 22`; `table` is named in what is wrong with it."""
    return _read_tokens(table, [token for token in _SEPARATORS.split(text) if token], notation, hooks=hooks)


def _read_tokens(table: int, tokens: list[str], notation: Notation, *, hooks: bool) -> Slip:
    if not tokens:
        raise UnreadableLine(
            N_("Write what table %(table)d handed in, as in 17 8H CORNO 22, or %(table)d - for no slip."), table=table
        )
    if len(tokens) == 1 and tokens[0] in NO_SLIP | {"0"}:
        return Slip("", "", None)
    tokens, direction = _take_direction(tokens)
    tokens, ref = _take_reference(tokens, notation)
    tokens, declared = _take_score(tokens)
    tokens, hook = _take_hook(tokens, ref) if hooks else (tokens, "")
    if not tokens:
        raise UnreadableLine(N_("There is no word in this line; write ? for a word that cannot be read."))
    if len(tokens) > 1:
        raise UnreadableLine(
            N_("There are two words in this line, %(first)s and %(second)s; write one."),
            first=tokens[0],
            second=tokens[1],
        )
    word = "" if tokens[0] == UNREADABLE_WORD else _unmarked(tokens[0])
    if not (word or ref or hook or declared is not None):
        raise UnreadableLine(N_("Write - when nothing was handed in, or the reference or the score besides ?."))
    return Slip(word, ref, declared, direction, hook)


def _take_direction(tokens: list[str]) -> tuple[list[str], Direction | None]:
    arrows = [token for token in tokens if token in _ARROWS]
    if len(arrows) > 1:
        raise UnreadableLine(N_("There are two directions in this line; write one."))
    rest = [token for token in tokens if token not in _ARROWS]
    return rest, _ARROWS[arrows[0]] if arrows else None


def _take_reference(tokens: list[str], notation: Notation) -> tuple[list[str], str]:
    tokens = _joined(tokens, notation)
    found = [token for token in tokens if _LIKE_A_REFERENCE.fullmatch(token)]
    if len(found) > 1:
        raise UnreadableLine(
            N_("There are two references in this line, %(first)s and %(second)s; write one."),
            first=found[0],
            second=found[1],
        )
    if not found:
        return tokens, ""
    tokens.remove(found[0])
    return tokens, found[0].upper()


def _joined(tokens: list[str], notation: Notation) -> list[str]:
    """The tokens with `8 H` made `8H`, when the line has no other reference and one such pair."""
    pairs = [i for i in range(len(tokens) - 1) if _is_split_reference(tokens[i], tokens[i + 1], notation)]
    if len(pairs) != 1 or any(_LIKE_A_REFERENCE.fullmatch(token) for token in tokens):
        return tokens
    at = pairs[0]
    return [*tokens[:at], tokens[at] + tokens[at + 1], *tokens[at + 2 :]]


def _is_split_reference(first: str, second: str, notation: Notation) -> bool:
    try:
        parse_reference(first + second, notation)
    except UnreadableReference:
        return False
    return 1 in (len(first), len(second))


def _take_score(tokens: list[str]) -> tuple[list[str], int | None]:
    numbers = [token for token in tokens if _NUMBER.fullmatch(token)]
    if len(numbers) > 1:
        raise UnreadableLine(
            N_("There are two scores in this line, %(first)s and %(second)s; write one."),
            first=numbers[0],
            second=numbers[1],
        )
    rest = [token for token in tokens if not _NUMBER.fullmatch(token)]
    return rest, int(numbers[0]) if numbers else None


def _take_hook(tokens: list[str], ref: str) -> tuple[list[str], str]:
    """Of two words the short one is the crossing letters; the second where both are short."""
    short = [at for at, token in enumerate(tokens) if _HOOK.fullmatch(token)]
    if len(tokens) != 2 or not short:
        return tokens, ""
    hook = tokens[short[-1]]
    if ref:
        raise UnreadableLine(
            N_("There are a reference and crossing letters in this line, %(first)s and %(second)s; write one of them."),
            first=ref,
            second=hook,
        )
    return [tokens[1 - short[-1]]], hook.upper()


def _unmarked(word: str) -> str:
    """Upper case, save what stands in round brackets, when the whole word was typed in lower case."""
    if not word.islower():
        return word
    return "".join(part if part.startswith("(") else part.upper() for part in re.split(r"(\([^()]*\))", word))
