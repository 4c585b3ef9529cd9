"""Test event for the live server: a short word list, a judge acting through services, seated phones."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode
from uuid import uuid4

from django.conf import settings
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client, RequestFactory

from referee.security.player_tokens import COOKIE, new_token, put_seat
from tournaments.enums import DrawMode
from tournaments.events.services import events
from tournaments.models import Event, Game, Room, Turn, TurnClock
from tournaments.now import utc_now
from tournaments.play.services import clocks, draw_rack, placement
from tournaments.players.services import players

if TYPE_CHECKING:
    from tests.referee.live.live_server import ServerProcess

WORDS = "CORNO CORNI CORNA ORCO ORCA ORO NORCA TRONCO CRONO CONTRO TRONO RE RETE ARTE TRE MARE MARI AMARE REMARE ETERE"
NAMES = ("Anna Ferri", "Bruno Galli", "Carla Monti", "Dario Serra")


def install_words(folder: Path) -> None:
    """A list of few words that a server or this process finds under the name `few`."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "few.txt").write_text("\n".join(sorted(WORDS.split())) + "\n", encoding="utf-8")
    (folder / "few.txt.json").write_text(json.dumps({"edition": "it"}), encoding="utf-8")


def seat_cookie(token: str) -> str:
    """The cookie header of a phone with this token."""
    response = HttpResponse()
    put_seat(response, RequestFactory().get("/"), token)
    return f"{COOKIE}={response.cookies[COOKIE].value}"


@dataclass
class LiveGame:
    """An event with its game in one room, the phones of its players by table, and the judge's acts."""

    game: Game
    judge: User
    tokens: dict[int, str] = field(default_factory=dict)

    @cached_property
    def room(self) -> Room:
        return Room.objects.get(event=self.event, number=Room.DRAWING)

    @property
    def event(self) -> Event:
        return self.game.event

    @property
    def turn(self) -> Turn:
        return Turn.objects.filter(game=self.game).latest("number")

    @property
    def clock(self) -> TurnClock:
        return TurnClock.objects.get(turn=self.turn)

    def join(self, table: int) -> str:
        """A (new) phone for this table; gives its cookie."""
        token = new_token()
        players.join_event(event=self.event, name="", table=table, now=utc_now(), token=token)
        self.tokens[table] = token
        return seat_cookie(token)

    def cookie(self, table: int) -> str:
        return seat_cookie(self.tokens[table])

    def draw(self, rack: str | None = None) -> Turn:
        """The next rack, out of the bag when it is named."""
        if rack is None:
            turn = draw_rack.draw_turn(game=self.game, now=utc_now(), by=self.judge)
        else:
            turn = draw_rack.type_rack(game=self.game, text=rack, now=utc_now(), by=self.judge)
        assert turn is not None
        return turn

    def announce(self, seconds: float | None = None) -> TurnClock:
        """Start the clock; with `seconds` it ends after so many."""
        clock = clocks.announce_turn(turn=self.turn, room=self.room, now=utc_now(), by=self.judge)
        if seconds is not None:
            deadline = utc_now() + timedelta(seconds=seconds)
            TurnClock.objects.filter(pk=clock.pk).update(deadline=deadline)
        return clock

    def close(self) -> None:
        clocks.close_clock(turn=self.turn, room=self.room, now=utc_now(), by=self.judge)

    def place(self) -> Turn:
        return placement.place_move(turn=self.turn, by=self.judge, now=utc_now())

    def desk_cookie(self) -> str:
        """The session of the judge."""
        client = Client()
        client.force_login(self.judge)
        return f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"

    def press(self, server: ServerProcess, action: str, **fields: str) -> None:
        """A button of the desk, over HTTP at this server."""
        token = "c" * 32
        headers = {
            "Cookie": f"{self.desk_cookie()}; csrftoken={token}",
            "X-CSRFToken": token,
            "Origin": f"http://{server.host}",
            "Accept": "application/json",
            "Content-Type": "application/x-www-form-urlencoded",
        }
        path = f"/desk/{self.event.code}/do/{action}/"
        answer = server.request("POST", path, urlencode(fields).encode(), headers)
        assert answer.json["ok"], answer.json["sentence"]


def make_live_game(
    *, names: Sequence[str] = NAMES, draw_mode: str = DrawMode.TYPED, seed: bytes = b"s" * 32, joined: bool = True
) -> LiveGame:
    """A new event with these players at tables 1, 2, 3 ...; each has a phone when they have joined."""
    install_words(Path(settings.DATA_DIR) / "lexicons")
    judge = User.objects.create(username=f"judge {uuid4()}")
    game = events.create_event(
        events.NewEvent(
            name="Club night",
            date=utc_now().date(),
            place="Torino",
            language="it",
            edition="it",
            profile="it-box",
            draw_mode=draw_mode,
            lexicon="few",
        ),
        players=[players.NewPlayer(table, name) for table, name in enumerate(names, start=1)],
        by=judge,
        now=utc_now(),
        seed=seed,
    )
    live_game = LiveGame(game, judge)
    if joined:
        for table in range(1, len(names) + 1):
            live_game.join(table)
    return live_game


def slip(turn: int, word: str = "CORNO", ref: str = "8D", **more: Any) -> dict[str, Any]:
    """A slip message with an id of its own."""
    return {"t": "slip", "id": str(uuid4()), "turn": turn, "word": word, "ref": ref, "score": 22, **more}
