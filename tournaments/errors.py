"""Errors that a service raises when it refuses a request."""

from __future__ import annotations


class Refused(ValueError):
    """A request of a judge or player that cannot be met now. `sentence` gives the reason and what to do instead.

    The sentence is in the language that was active when the error was raised. `act` is the kind of the ledger entry
    that may have met the request before, and `facts` are the data by which that entry is found.
    """

    def __init__(self, sentence: str, *, act: str = "", **facts: object) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.act, self.facts = act, facts


class AlreadyDone(Refused):
    """The request was met before, by a double click or on another desk. Nothing was changed."""
