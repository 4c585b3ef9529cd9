"""The rates, sizes and times in docs/security.md and docs/protocol.md agree with the program."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings

from engine import bounded_input
from referee.api import access
from referee.live.rooms import judge_presence, live_server, room_channel
from referee.live.slips import slip_form
from referee.live.sockets import connections, consumers
from referee.outgoing import webhook_request
from referee.phone import appeals, dictionary, new_player_limit
from referee.security import failure_throttle, login_throttle, player_tokens, rate_limit
from referee.security.token_bucket import Rate
from referee.server import connection_limits
from referee.server.uvicorn_server import configuration
from tournaments.events.services import events
from tournaments.lexicons import list_files
from tournaments.players import cell_tables
from tournaments.players.queries import retention
from tournaments.staff.services import login_links

SERVER = configuration()
MIB = 1024 * 1024
LIMITS: dict[str, tuple[Any, Any]] = {
    "requests of an API token": (access.REQUESTS_OF_A_TOKEN, Rate(60, 200)),
    "time of a webhook": (webhook_request.TIMEOUT_S, 5),
    "requests of an address": (rate_limit.REQUESTS, Rate(400, 4000)),
    "handshakes of an address": (rate_limit.HANDSHAKES, Rate(300, 6000)),
    "sockets of an address": (rate_limit.MOST_SOCKETS, 6000),
    "longest wait of a request": (rate_limit.LONGEST_WAIT_S, 5),
    "unfinished requests of an address": (connection_limits.MOST_HALF_OPEN, 1000),
    "time for a head": (connection_limits.HEAD_S, 10),
    "time for a body": (connection_limits.BODY_S, 60),
    "time to take an answer": (connection_limits.UNREAD_S, 30),
    "idle connection": (SERVER.timeout_keep_alive, 75),
    "pings": ((SERVER.ws_ping_interval, SERVER.ws_ping_timeout), (20, 20)),
    "head": (connection_limits.LARGEST_HEAD, MIB // 32),
    "body of a player": (connection_limits.LARGEST_BODY, MIB // 16),
    "upload at the desk": (connection_limits.LARGEST_UPLOAD, 32 * MIB),
    "frame that is read": (slip_form.LARGEST_FRAME, 8192),
    "frame that ends the connection": (SERVER.ws_max_size, MIB // 32),
    "wrong codes": ((failure_throttle.FAILURE_RATE, failure_throttle.DELAY_S), (Rate(1, 60), 1)),
    "code of an event": ((len(events._CODE_SIGNS), events._CODE_LENGTH), (27, 7)),
    "new players of a network": (new_player_limit.NEW_PLAYERS_RATE, Rate(30 / 60, 120)),
    "new players before the desk is told": (new_player_limit.ALARM_RATE.burst, 30),
    "passwords": ((settings.AXES_FAILURE_LIMIT, settings.AXES_COOLOFF_TIME), (8, timedelta(minutes=10))),
    "passwords of all": (login_throttle._of_all._rate, Rate(1, 40)),
    "login link": (login_links.LINK_LIFE, timedelta(hours=1)),
    "seat": (player_tokens.SEAT_LIFETIME, timedelta(days=30)),
    "messages of a phone": (consumers.FRAMES, Rate(10, 20)),
    "slips of a phone": (live_server.SLIPS_OF_A_PHONE, Rate(1, 10)),
    "polls of a phone": (live_server.POLLS_OF_A_PHONE, Rate(2, 30)),
    "sockets of a phone": (connections.SOCKETS_OF_ONE_PHONE, 2),
    "socket that takes nothing": (connections.LONGEST_BEHIND_S, 30),
    "appeals": (appeals._appeal_limit._rate, Rate(1 / 5, 5)),
    "lists of appeals": (appeals._read_limit._rate, Rate(1, 20)),
    "words in the dictionary": (dictionary._question_limit._rate, Rate(1, 20)),
    "counts a second": (room_channel.COUNT_PAUSE_S, 1 / 4),
    "counts to 5000 phones": (room_channel.COUNT_PAUSE_OF_A_PHONE_S * 5000, 1),
    "alarms of one kind": (live_server.ALARM_PAUSE_S, 10),
    "look that is not repeated": (judge_presence.PRESENCE_LIFETIME_S, 45),
    "digits and depth of JSON": ((bounded_input.MAX_DIGITS, bounded_input.MAX_DEPTH), (15, 50)),
    "unpacked spreadsheet": (cell_tables.LARGEST_UNPACKED, 60_000_000),
    "word list": (list_files.LARGEST_FILE, 64_000_000),
    "names that are soon forgotten": (retention.NOTICE_PERIOD, timedelta(weeks=2)),
}


@pytest.mark.parametrize("limit", LIMITS)
def test_a_limit_is_the_documented_one(limit: str) -> None:
    actual, documented = LIMITS[limit]
    assert actual == documented
