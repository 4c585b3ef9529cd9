"""Grammar of the line in which paper slips are typed at the desk: tables and content.

`17 8H CORNO 22` is one slip. Behind the tables may stand instead: `=` or `+`, the same as before; `T` or `*`, the top;
`0` or `-`, a zero, with its reason behind it if it has one. Several tables that handed in the same are joined by a
comma or a plus, `17,21,33 8H CORNO 22`; before one of the short forms spaces will do. A line without a table is that of
the table that the desk offers. Digits alone are a table where a line begins, and never a reference.

`>` or `|` anywhere in a slip is the direction in which the word stands in the grid of the paper, across or down. Where
the rules take crossing letters, they stand in place of the reference: `3 PUBLIERA ESC 167`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial

from engine.board.coordinates import Direction, Notation, UnreadableReference, parse_reference
from engine.i18n import N_
from engine.slips.slip import Slip

LONGEST_LINE = 200
_NOTHING_WRITTEN = {"-", "–", "—", "0"}
UNREADABLE_WORD = "?"
_ARROWS = {">": Direction.ACROSS, "→": Direction.ACROSS, "|": Direction.DOWN, "↓": Direction.DOWN}
_TOKEN_SEPARATORS = re.compile(r"[\s,;:]+")
_SCORE = re.compile(r"[0-9]{1,6}")
_HOOK = re.compile(r"(?:[^\W\d_]|\[[^\W\d_](?:[^\W\d_]|[·.\-])*\]){2,3}")
_LIKE_A_REFERENCE = re.compile(r"[0-9]{1,3}[A-Z]{1,2}|[A-Z]{1,2}[0-9]{1,3}", re.IGNORECASE)
EMPTY_SLIP = Slip("", "", None)
UNREADABLE_SLIP = Slip("", UNREADABLE_WORD, None)
NO_SLIP = "-"
MAX_TABLES = 40
HIGHEST_TABLE = 999_999


class UnreadableLine(ValueError):
    """A line that is no slip. `template` and `details` allow the caller to translate the message."""

    def __init__(self, template: str, **details: object) -> None:
        super().__init__(template % details)
        self.template = template
        self.details = details

    def sentence(self, translate: Callable[[str], str]) -> str:
        return translate(self.template) % self.details


class Shorthand(Enum):
    """Short form in a line that stands for a whole slip."""

    SAME = "="
    TOP = "T"


@dataclass(frozen=True, slots=True)
class ZeroReason:
    """Reason of a zero that is known before the slip is read: letter, digit on the number pad, and name."""

    letter: str
    digit: str
    name: str
    slip: Slip


@dataclass(frozen=True, slots=True)
class TypedLine:
    """Parsed line: the tables, and the slip or its short form."""

    tables: tuple[int, ...]
    content: Slip | Shorthand


ZERO_REASONS = (
    ZeroReason("N", "1", N_("nothing handed in"), EMPTY_SLIP),
    ZeroReason("U", "2", N_("cannot be read"), UNREADABLE_SLIP),
    ZeroReason("S", "3", N_("several slips"), replace(UNREADABLE_SLIP, received="several")),
    ZeroReason("L", "4", N_("too late"), replace(UNREADABLE_SLIP, received="late")),
)
"""The reasons of a zero that the typist can see on the paper. The rules judge everything else."""

_BY_KEY: Mapping[str, ZeroReason] = {key: reason for reason in ZERO_REASONS for key in (reason.letter, reason.digit)}
_SHORTHANDS = {"=": Shorthand.SAME, "+": Shorthand.SAME, "T": Shorthand.TOP, "*": Shorthand.TOP}
_SEPARATORS = " \t\r\n,;:."
_NUMBER = r"0*[1-9][0-9]*"
_JOINED = re.compile(rf"{_NUMBER}(?:[+,]{_NUMBER})*(?![0-9A-Za-z])")
_SPACED = re.compile(rf"{_NUMBER}(?:(?:[\s,;]+|\s*\+\s*){_NUMBER})*(?![0-9A-Za-z])")
_ZERO = re.compile(r"(?:0(?=\s|$)|[-–—])(?:\s*([A-Za-z0-9])(?:\s+(\S.*))?)?\s*")


def parse_line(line: str, notation: Notation, offered: int | None = None, *, hooks: bool = False) -> TypedLine:
    """Read a typed line; `offered` is the table that it belongs to when it names none, `hooks` whether the rules take
    crossing letters.

    A zero without a reason is that of who handed in nothing. Behind the reasons `S` and `L` the slip itself may be
    written, so that the judge can look at it. `UnreadableLine` says what is wrong.
    """
    if len(line) > LONGEST_LINE:
        raise UnreadableLine(N_("This line is too long for a slip; write table, reference, word and score."))
    text = line.strip(_SEPARATORS)
    tables, rest = _split_tables(text)
    if not tables and offered is not None and rest:
        tables = (offered,)
    if not tables or max(tables) > HIGHEST_TABLE:
        raise UnreadableLine(N_("Begin with the number of the table, as in 17 8H CORNO 22."))
    if len(tables) > MAX_TABLES:
        raise UnreadableLine(N_("A line takes at most %(most)d tables; start another line."), most=MAX_TABLES)
    return TypedLine(tables, _content(rest, partial(_read_slip, tables[0], notation=notation, hooks=hooks)))


def format_line(line: TypedLine) -> str:
    """Write a line; `parse_line` reads it as the same for every slip that can be typed."""
    return f"{','.join(map(str, line.tables))} {format_content(line.content)}"


def format_content(content: Slip | Shorthand) -> str:
    """Format the part of a line behind the tables: `8H CORNO 22`, `0 L`, `=`."""
    if isinstance(content, Shorthand):
        return content.value
    if content == EMPTY_SLIP:
        return NO_SLIP
    for reason in ZERO_REASONS:
        if content == reason.slip:
            return f"0 {reason.letter}"
    grid = {None: "", "across": ">", "down": "|"}[content.direction]
    declared = "" if content.declared is None else str(content.declared)
    hook = "" if content.ref else content.hook
    parts = (_prefix(content), content.ref, content.word or UNREADABLE_WORD, hook, declared, grid)
    return " ".join(part for part in parts if part)


def _prefix(slip: Slip) -> str:
    return {"in_time": "", "several": "0 S", "late": "0 L", "delayed": "0 L"}[slip.received]


def _split_tables(text: str) -> tuple[tuple[int, ...], str]:
    """The tables that a line begins with, and what stands behind them."""
    first = _JOINED.match(text)
    if first is None:
        return (), text
    rest = text[first.end() :].strip(_SEPARATORS)
    more = _SPACED.match(rest)
    if more is None or not _is_short(rest[more.end() :].strip(_SEPARATORS)):
        return _numbers(first[0]), rest
    return _numbers(first[0] + " " + more[0]), rest[more.end() :].strip(_SEPARATORS)


def _is_short(text: str) -> bool:
    return text.upper() in _SHORTHANDS or _ZERO.fullmatch(text) is not None


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(dict.fromkeys(int(number) for number in re.findall("[0-9]+", text)))


def _content(text: str, read: Callable[[str], Slip]) -> Slip | Shorthand:
    stands = _SHORTHANDS.get(text.upper())
    if stands is not None:
        return stands
    if text == UNREADABLE_WORD:
        return UNREADABLE_SLIP
    zero = _ZERO.fullmatch(text)
    if zero is None:
        return read(text)
    if zero[1] is None:
        return EMPTY_SLIP
    return _zero_slip(zero[1].upper(), zero[2], read)


def _zero_slip(key: str, written: str | None, read: Callable[[str], Slip]) -> Slip:
    reason = _BY_KEY.get(key)
    if reason is None:
        raise UnreadableLine(
            N_("%(key)s is no reason for a zero: N nothing handed in, U cannot be read, S several slips, L too late."),
            key=key,
        )
    if written is None:
        return reason.slip
    if reason.slip.received == "in_time":
        raise UnreadableLine(N_("Nothing can follow 0 %(key)s; write the slip without it."), key=reason.letter)
    return replace(read(written), received=reason.slip.received)


def _read_slip(table: int, text: str, notation: Notation, *, hooks: bool) -> Slip:
    """Read the slip behind the tables, `8H CORNO 22`, its parts in any order; `table` is named in errors.

    The score or the reference may be missing; a reference off the board (Z99) stays as it was written. A word all in
    lower case has no blank marked; `corn(o)` and `CORNo` mark one.
    """
    tokens = [token for token in _TOKEN_SEPARATORS.split(text) if token]
    if not tokens:
        raise UnreadableLine(
            N_("Write what table %(table)d handed in, as in 17 8H CORNO 22, or %(table)d - for no slip."), table=table
        )
    if len(tokens) == 1 and tokens[0] in _NOTHING_WRITTEN:
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
    word = "" if tokens[0] == UNREADABLE_WORD else _without_blank_marks(tokens[0])
    if not (word or ref or hook or declared is not None):
        raise UnreadableLine(N_("Write - if nothing was handed in, or add the reference or the score to the ?."))
    return Slip(word, ref, declared, direction, hook)


def _take_direction(tokens: list[str]) -> tuple[list[str], Direction | None]:
    arrows = [token for token in tokens if token in _ARROWS]
    if len(arrows) > 1:
        raise UnreadableLine(N_("There are two directions in this line; write one."))
    rest = [token for token in tokens if token not in _ARROWS]
    return rest, _ARROWS[arrows[0]] if arrows else None


def _take_reference(tokens: list[str], notation: Notation) -> tuple[list[str], str]:
    tokens = _join_split_reference(tokens, notation)
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


def _join_split_reference(tokens: list[str], notation: Notation) -> list[str]:
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
    numbers = [token for token in tokens if _SCORE.fullmatch(token)]
    if len(numbers) > 1:
        raise UnreadableLine(
            N_("There are two scores in this line, %(first)s and %(second)s; write one."),
            first=numbers[0],
            second=numbers[1],
        )
    rest = [token for token in tokens if not _SCORE.fullmatch(token)]
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


def _without_blank_marks(word: str) -> str:
    """Upper case, save what stands in round brackets, when the whole word was typed in lower case."""
    if not word.islower():
        return word
    return "".join(part if part.startswith("(") else part.upper() for part in re.split(r"(\([^()]*\))", word))
