"""A slip as the intake of the hall has it: read, stamped, not stored yet."""

from __future__ import annotations

from uuid import uuid4

from referee.live.intake import Stamped
from tests.referee.live.evening import Evening
from tournaments.enums import SlipSource
from tournaments.models import Player
from tournaments.now import utc_now
from tournaments.services.slips import Incoming


def incoming(evening: Evening, word: str, table: int = 1) -> Stamped:
    """A slip of this table in the present turn."""
    written = Incoming(
        player_id=Player.objects.get(event=evening.event, table=table).pk,
        turn_id=evening.turn.pk,
        client_id=uuid4(),
        source=SlipSource.PHONE,
        word=word,
        ref="8D",
        direction="",
        declared=22,
        hook="",
        received_at=utc_now(),
        sent_at=None,
        in_time=False,
    )
    return Stamped(written, evening.room.pk)
