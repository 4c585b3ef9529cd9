"""What of a slip the ledger seals and an archive shows, so that both can be held against each other."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol
from uuid import UUID

from engine.archive import moment_text
from tournaments.enums import SlipSource


class HandedIn(Protocol):
    """A slip, stored or on its way."""

    @property
    def client_id(self) -> UUID: ...
    @property
    def source(self) -> str: ...
    @property
    def word(self) -> str: ...
    @property
    def ref(self) -> str: ...
    @property
    def direction(self) -> str: ...
    @property
    def hook(self) -> str: ...
    @property
    def declared(self) -> int | None: ...
    @property
    def several(self) -> bool: ...
    @property
    def received_at(self) -> datetime: ...
    @property
    def in_time(self) -> bool: ...


def slip_facts(slip: HandedIn, table: int) -> dict[str, object]:
    """The fields of `engine.ledger.SLIP_FIELDS`. Whether a phone's slip is in time follows from the clock, which may
    be moved afterwards; of paper it is the judge's word."""
    return {
        "table": table,
        "id": str(slip.client_id),
        "source": str(slip.source),
        "word": slip.word,
        "ref": slip.ref,
        "direction": slip.direction or None,
        "hook": slip.hook,
        "declared": slip.declared,
        "several": slip.several,
        "received_at": moment_text(slip.received_at),
        "in_time": slip.in_time if slip.source == SlipSource.PAPER else None,
    }
