"""The line in which paper slips are typed at the desk: whose they are, and what they say.

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

from engine.coords import Notation
from engine.rules.messages import N_
from engine.rules.slip import LONGEST_LINE, UNREADABLE_WORD, Slip, UnreadableLine, read_slip

NOTHING = Slip("", "", None)
UNREADABLE = Slip("", UNREADABLE_WORD, None)
NO_SLIP = "-"
MOST_TABLES = 40


class Stands(Enum):
    """What stands in a line for a slip that is not written out."""

    SAME = "="
    TOP = "T"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a slip is a zero before anybody reads it: its letter, its digit on the number pad, what it is called."""

    letter: str
    digit: str
    name: str
    slip: Slip


@dataclass(frozen=True, slots=True)
class TypedLine:
    """Whose slips a line is about, and the slip, or what stands for it."""

    tables: tuple[int, ...]
    content: Slip | Stands


REASONS = (
    Reason("N", "1", N_("nothing handed in"), NOTHING),
    Reason("U", "2", N_("cannot be read"), UNREADABLE),
    Reason("S", "3", N_("several slips"), replace(UNREADABLE, received="several")),
    Reason("L", "4", N_("too late"), replace(UNREADABLE, received="late")),
)
"""The reasons of a zero that whoever types can see on the paper. What is on it otherwise is judged by the rules."""

_BY_KEY: Mapping[str, Reason] = {key: reason for reason in REASONS for key in (reason.letter, reason.digit)}
_STANDS = {"=": Stands.SAME, "+": Stands.SAME, "T": Stands.TOP, "*": Stands.TOP}
_SEPARATORS = " \t\r\n,;:."
_NUMBER = r"0*[1-9][0-9]{0,5}"
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
    tables, rest = _split(text)
    if not tables and offered is not None and rest:
        tables = (offered,)
    if not tables:
        raise UnreadableLine(N_("Begin with the number of the table, as in 17 8H CORNO 22."))
    if len(tables) > MOST_TABLES:
        raise UnreadableLine(N_("A line takes at most %(most)d tables; begin another one."), most=MOST_TABLES)
    return TypedLine(tables, _content(rest, partial(read_slip, tables[0], notation=notation, hooks=hooks)))


def format_line(line: TypedLine) -> str:
    """Write a line; `parse_line` reads it as the same for every slip that can be typed."""
    return f"{','.join(map(str, line.tables))} {content_text(line.content)}"


def content_text(content: Slip | Stands) -> str:
    """What stands behind the tables, as it is typed: `8H CORNO 22`, `0 L`, `=`."""
    if isinstance(content, Stands):
        return content.value
    if content == NOTHING:
        return NO_SLIP
    for reason in REASONS:
        if content == reason.slip:
            return f"0 {reason.letter}"
    grid = {None: "", "across": ">", "down": "|"}[content.direction]
    declared = "" if content.declared is None else str(content.declared)
    hook = "" if content.ref else content.hook
    parts = (_prefix(content), content.ref, content.word or UNREADABLE_WORD, hook, declared, grid)
    return " ".join(part for part in parts if part)


def _prefix(slip: Slip) -> str:
    return {"in_time": "", "several": "0 S", "late": "0 L"}[slip.received]


def _split(text: str) -> tuple[tuple[int, ...], str]:
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
    return text.upper() in _STANDS or _ZERO.fullmatch(text) is not None


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(dict.fromkeys(int(number) for number in re.findall("[0-9]+", text)))


def _content(text: str, read: Callable[[str], Slip]) -> Slip | Stands:
    stands = _STANDS.get(text.upper())
    if stands is not None:
        return stands
    if text == UNREADABLE_WORD:
        return UNREADABLE
    zero = _ZERO.fullmatch(text)
    if zero is None:
        return read(text)
    if zero[1] is None:
        return NOTHING
    return _zero(zero[1].upper(), zero[2], read)


def _zero(key: str, written: str | None, read: Callable[[str], Slip]) -> Slip:
    reason = _BY_KEY.get(key)
    if reason is None:
        raise UnreadableLine(
            N_("%(key)s is no reason for a zero: N nothing handed in, U cannot be read, S several slips, L too late."),
            key=key,
        )
    if written is None:
        return reason.slip
    if reason.slip.received == "in_time":
        raise UnreadableLine(N_("Nothing can stand behind 0 %(key)s; write the slip without it."), key=reason.letter)
    return replace(read(written), received=reason.slip.received)
