"""Strict reading of slip messages. Only the form is checked, not the move."""

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
from tournaments.slip_content import SlipContent
from tournaments.validators import one_line

LARGEST_FRAME = 8192
LONGEST_WORD = 200
LONGEST_REF = LONGEST_HOOK = 20
HIGHEST_SCORE = 9999
_DIRECTIONS = ("across", "down")
_LAST_MS = 253_402_300_799_000  # the end of the year 9999


class MalformedMessage(ValueError):
    """Error: a message that is not a valid slip. `client_id` is the slip's if it could be read."""

    def __init__(self, template: str, values: Mapping[str, int] = MappingProxyType({})) -> None:
        super().__init__(template)
        self.template = template
        self.values = values
        self.client_id: UUID | None = None

    @property
    def sentence(self) -> str:
        """The player's message in the active language."""
        return gettext(self.template) % self.values if self.values else gettext(self.template)


@dataclass(frozen=True, slots=True)
class SlipForm:
    """The fields of a slip message."""

    client_id: UUID
    turn: int
    content: SlipContent
    sent_at: datetime | None


def read_message(text: str | None) -> dict[str, Any]:
    """Read a frame or a request body as a JSON object. Raises MalformedMessage."""
    if text is None:
        raise MalformedMessage(_("The message is not text."))
    if len(text) > LARGEST_FRAME or (not text.isascii() and len(text.encode("utf-8", "replace")) > LARGEST_FRAME):
        raise MalformedMessage(
            _("The message is too long: at most %(bytes)d bytes are read."), {"bytes": LARGEST_FRAME}
        )
    try:
        message = read_json(text, half_signs=True)
    except ValueError:
        raise MalformedMessage(_("The message cannot be read: it is not JSON.")) from None
    if not isinstance(message, dict):
        raise MalformedMessage(_("The message cannot be read: it is not an object."))
    return message


def read_slip(message: dict[str, Any]) -> SlipForm:
    """Read the slip in a message. Raises MalformedMessage about the first wrong field."""
    client_id = _client_id(message.get("id"))
    try:
        return SlipForm(
            client_id=client_id,
            turn=_whole_number(message.get("turn"), 1, 10_000, _("The number of the turn is missing.")),
            content=_content(message),
            sent_at=_sent_at(message.get("sent")),
        )
    except MalformedMessage as fault:
        fault.client_id = client_id
        raise


def _content(message: dict[str, Any]) -> SlipContent:
    return SlipContent(
        word=_word(message.get("word")),
        ref=_ref(message.get("ref")),
        direction=_direction(message.get("direction")),
        declared=_score(message.get("score")),
        hook=_hook(message.get("hook")),
    )


def _client_id(value: object) -> UUID:
    if isinstance(value, str) and len(value) <= 36:
        try:
            return UUID(value)
        except ValueError:
            pass
    raise MalformedMessage(_("The slip has no id of its own, so it could be counted twice."))


def _word(value: object) -> str:
    word = one_line(value) if isinstance(value, str) else ""
    if not isinstance(value, str) or not word:
        raise MalformedMessage(_("Write a word before you hand the slip in."))
    if len(value) > LONGEST_WORD:
        sentence = _("The word has %(length)d characters; at most %(longest)d fit on a slip.")
        raise MalformedMessage(sentence, {"length": len(value), "longest": LONGEST_WORD})
    return word


def _ref(value: object) -> str:
    if value is None:
        return ""
    if not isinstance(value, str) or len(value) > LONGEST_REF:
        raise MalformedMessage(_("The reference is too long: write a row and a column, like 8H."))
    return one_line(value)


def _hook(value: object) -> str:
    if value is None:
        return ""
    if not isinstance(value, str) or len(value) > LONGEST_HOOK:
        raise MalformedMessage(
            _("The crossing letters are too long: write three letters of the word that yours crosses.")
        )
    return one_line(value)


def _direction(value: object) -> str:
    if value is None or value == "":
        return ""
    if value not in _DIRECTIONS:
        raise MalformedMessage(_("The direction is either across or down."))
    return str(value)


def _score(value: object) -> int | None:
    sentence = _("The score is a whole number from 0 to %(highest)d.")
    return None if value is None else _whole_number(value, 0, HIGHEST_SCORE, sentence)


def _whole_number(value: object, lowest: int, most: int, sentence: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not lowest <= value <= most:
        raise MalformedMessage(sentence, {"highest": most})
    return value


def _sent_at(value: object) -> datetime | None:
    # Evidence only: a phone whose clock is nonsense may play.
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= _LAST_MS:
        return None
    return datetime.fromtimestamp(value / 1000, UTC)
