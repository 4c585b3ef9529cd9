"""Errors that a service raises when it refuses a request."""

from __future__ import annotations


class Refused(ValueError):
    """A request of a judge or player that cannot be met now. `sentence` gives the reason and what to do instead.

    The sentence is in the language that was active when the error was raised.
    """

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class AlreadyDone(Refused):
    """The request was met before, by a double click or on another desk. Nothing was changed."""
