"""What a service says when it will not do what a person asked for."""

from __future__ import annotations


class Refused(ValueError):
    """A judge or a player asked for something that cannot be done now. `sentence` tells why and what to do instead.

    The sentence is in the language that was active when it was raised.
    """

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class AlreadyDone(Refused):
    """What was asked for has happened before, by a double click or on another desk. Nothing was changed."""
