"""What a judge in a process of his own does: in the drawing room, or in a hall that takes part by a link."""

from __future__ import annotations

import json
import time
from typing import Any

from django.contrib.auth.models import User

from engine.archive import read_archive
from engine.replay import verify
from referee.outpost.line import fetch
from tests.referee.live.evening import NAMES, Evening, make_evening
from tournaments import lexicons
from tournaments.enums import DrawMode, Role
from tournaments.errors import Refused
from tournaments.feed_seal import new_token
from tournaments.models import Game, Membership, Room, Slip, Turn
from tournaments.now import utc_now
from tournaments.selectors.archive import export_game
from tournaments.selectors.lines import line_view
from tournaments.selectors.results import standings_of, turns_shown
from tournaments.services import clocks, drawing, ending, feeds, outposts, placing, players, rooms, slips


class DistantJudge:
    """Every public method is an act that a test may ask for; results are plain JSON."""

    def __init__(self) -> None:
        self._key = 0

    @property
    def _judge(self) -> User:
        return User.objects.get_or_create(username="judge")[0]

    @property
    def _game(self) -> Game:
        return Game.objects.select_related("event").get(pk=self._key)

    @property
    def _turn(self) -> Turn:
        return Turn.objects.select_related("game__event").filter(game=self._key).latest("number")

    def draws(self) -> str:
        """Open a drawing room with a room elsewhere; the secret of its link."""
        evening = make_evening(joined=False, draw_mode=DrawMode.SEEDED)
        self._key = evening.game.pk
        Membership.objects.get_or_create(event=evening.event, user=self._judge, role=Role.DIRECTOR)
        room = rooms.add_room(event=evening.event, name="Napoli", offset_s=None, by=self._judge, now=utc_now())
        token = new_token()
        feeds.give_link(room=room, token=token, by=self._judge, now=utc_now())
        return token

    def takes_part(self, link: str) -> None:
        """Follow that hall, with players of our own."""
        text = fetch(link).text or ""
        found = outposts.take_part(link=link, text=text, by=self._judge, now=utc_now())
        self._key = found.pk
        seated = [players.NewPlayer(table, f"{name} di Napoli") for table, name in enumerate(NAMES, start=1)]
        players.add_players(event=found.event, players=seated, now=utc_now(), by=self._judge)

    def draw(self) -> int:
        """The number of the next turn, 0 when the game is over."""
        drawn = drawing.draw_turn(game=self._game, now=utc_now(), by=self._judge)
        return drawn.number if drawn else 0

    def play(self) -> None:
        """Announce, three slips on paper (one of them a top), close."""
        turn, room = self._turn, Room.objects.get(event=self._game.event, number=Room.DRAWING)
        clocks.announce(turn=turn, room=room, now=utc_now(), by=self._judge)
        [top, *_others] = turn.tops or []
        for line in (f"1 {top['ref']} {top['word']} {top['score']}", "2 8H RE 4", "3 8H ZZZ 9"):
            slips.enter_paper(game=self._game, line=line, now=utc_now(), by=self._judge)
        clocks.close_now(turn=turn, room=room, now=utc_now(), by=self._judge)

    def place(self) -> str:
        """Lay the move; its word."""
        return placing.place(turn=self._turn, by=self._judge, now=utc_now()).master_word

    def end(self) -> None:
        """End the game."""
        ending.end_game(game=self._game, by=self._judge, now=utc_now())

    def tried(self, act: str) -> Any:
        """Do it as soon as it is not refused; the sentence after twenty seconds."""
        until = time.monotonic() + 20
        while True:
            try:
                return getattr(self, act)()
            except Refused as refused:
                if time.monotonic() > until:
                    return refused.sentence
                time.sleep(0.1)

    def refused(self, act: str) -> str:
        """The sentence of a refusal, empty without one."""
        try:
            getattr(self, act)()
        except Refused as no:
            return no.sentence
        return ""

    def racks(self) -> list[str]:
        """Of all turns."""
        return list(Turn.objects.filter(game=self._key).order_by("number").values_list("rack", flat=True))

    def line(self) -> dict[str, Any]:
        """How the line is."""
        view = line_view(self._game)
        assert view is not None
        return {"down": view.is_down, "in_store": view.in_store, "all": view.all_handed_in}

    def facts(self) -> dict[str, Any]:
        """Turns that count, totals by table, slips, and by room what does not verify."""
        game = self._game
        words = lexicons.graph_of(lexicons.of_game(game))
        differences = {
            room.name: [str(found) for found in verify(read_archive(json.dumps(export_game(game, room))), words)]
            for room in Room.objects.filter(event=game.event)
        }
        totals = {row.table: row.total for row in standings_of(game)}
        stored = Slip.objects.filter(turn__game=game).count()
        return {"turns": turns_shown(game), "totals": totals, "slips": stored, "differences": differences}

    def desk(self) -> dict[str, str]:
        """The desk's code and a session."""
        return {"code": self._game.event.code, "cookie": Evening(self._game, self._judge).desk_cookie()}
