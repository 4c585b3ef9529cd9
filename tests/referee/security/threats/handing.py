"""A submitted slip: read and stamped, but not stored yet."""

from __future__ import annotations

from uuid import uuid4

from referee.live.slips.slip_queue import QueuedSlip
from tests.referee.live.live_game import LiveGame
from tournaments.enums import SlipSource
from tournaments.models import Player
from tournaments.now import utc_now
from tournaments.play.services.slips import IncomingSlip
from tournaments.slip_content import SlipContent


def incoming(live_game: LiveGame, word: str, table: int = 1) -> QueuedSlip:
    """Return a slip of this table in the present turn."""
    written = IncomingSlip(
        player_id=Player.objects.get(event=live_game.event, table=table).pk,
        turn_id=live_game.turn.pk,
        client_id=uuid4(),
        source=SlipSource.PHONE,
        content=SlipContent(word, "8D", 22),
        received_at=utc_now(),
        sent_at=None,
        in_time=False,
    )
    return QueuedSlip(written, live_game.room.pk)
