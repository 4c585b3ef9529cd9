"""A slip as a phone sends it, read strictly: only its form is looked at here, never whether the move is any good."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any
from uuid import UUID

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from engine.bounded_input import read_json
from tournaments.validators import one_line

LARGEST_FRAME = 8192
LONGEST_WORD = 200
LONGEST_REF = LONGEST_HOOK = 20
HIGHEST_SCORE = 9999
_DIRECTIONS = ("across", "down")
_LAST_MS = 253_402_300_799_000  # the end of the year 9999


class Malformed(ValueError):
    """What came is no slip; `client_id` is the slip's when it could be read."""

    def __init__(self, template: str, values: Mapping[str, int] = MappingProxyType({})) -> None:
        super().__init__(template)
        self.template = template
        self.values = values
        self.client_id: UUID | None = None

    @property
    def sentence(self) -> str:
        """What the player is told, in the active language."""
        return gettext(self.template) % self.values if self.values else gettext(self.template)


@dataclass(frozen=True, slots=True)
class SlipForm:
    """The fields of a slip message. `direction` and `hook` are "" when none is written, `score` None."""

    client_id: UUID
    turn: int
    word: str
    ref: str
    direction: str
    score: int | None
    sent_at: datetime | None
    hook: str = ""


def read_message(text: str | None) -> dict[str, Any]:
    """A frame or a body as an object. Raises Malformed for anything else."""
    if text is None:
        raise Malformed(_("The message is not text."))
    if len(text) > LARGEST_FRAME or (not text.isascii() and len(text.encode("utf-8", "replace")) > LARGEST_FRAME):
        raise Malformed(_("The message is too long: at most %(bytes)d bytes are read."), {"bytes": LARGEST_FRAME})
    try:
        message = read_json(text, half_signs=True)
    except ValueError:
        raise Malformed(_("The message cannot be read: it is not JSON.")) from None
    if not isinstance(message, dict):
        raise Malformed(_("The message cannot be read: it is not an object."))
    return message


def read_slip(message: dict[str, Any]) -> SlipForm:
    """The slip in a message. Raises Malformed with one sentence about the first thing that is wrong."""
    client_id = _client_id(message.get("id"))
    try:
        return SlipForm(
            client_id=client_id,
            turn=_whole_number(message.get("turn"), 1, 10_000, _("The number of the turn is missing.")),
            word=_word(message.get("word")),
            ref=_ref(message.get("ref")),
            direction=_direction(message.get("direction")),
            score=_score(message.get("score")),
            sent_at=_sent_at(message.get("sent")),
            hook=_hook(message.get("hook")),
        )
    except Malformed as fault:
        fault.client_id = client_id
        raise


def _client_id(value: object) -> UUID:
    if isinstance(value, str) and len(value) <= 36:
        try:
            return UUID(value)
        except ValueError:
            pass
    raise Malformed(_("The slip has no id of its own, so it could be counted twice."))


def _word(value: object) -> str:
    word = one_line(value) if isinstance(value, str) else ""
    if not isinstance(value, str) or not word:
        raise Malformed(_("Write a word before you hand the slip in."))
    if len(value) > LONGEST_WORD:
        sentence = _("The word has %(length)d signs; at most %(longest)d fit on a slip.")
        raise Malformed(sentence, {"length": len(value), "longest": LONGEST_WORD})
    return word


def _ref(value: object) -> str:
    if value is None:
        return ""
    if not isinstance(value, str) or len(value) > LONGEST_REF:
        raise Malformed(_("The reference is too long: write a row and a column, like 8H."))
    return one_line(value)


def _hook(value: object) -> str:
    if value is None:
        return ""
    if not isinstance(value, str) or len(value) > LONGEST_HOOK:
        raise Malformed(_("The crossing letters are too long: write three letters of the word that yours crosses."))
    return one_line(value)


def _direction(value: object) -> str:
    if value is None or value == "":
        return ""
    if value not in _DIRECTIONS:
        raise Malformed(_("The direction is either across or down."))
    return str(value)


def _score(value: object) -> int | None:
    sentence = _("The score is a whole number from 0 to %(highest)d.")
    return None if value is None else _whole_number(value, 0, HIGHEST_SCORE, sentence)


def _whole_number(value: object, lowest: int, most: int, sentence: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not lowest <= value <= most:
        raise Malformed(sentence, {"highest": most})
    return value


def _sent_at(value: object) -> datetime | None:
    # Evidence only: a phone whose clock is nonsense may play.
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= _LAST_MS:
        return None
    return datetime.fromtimestamp(value / 1000, UTC)
