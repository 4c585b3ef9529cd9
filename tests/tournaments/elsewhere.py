"""A game in two halls with a server each, as the tests play it: the other hall lives in a savepoint, of which only what
it handed in is left, as ids of slips are known once in a database."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from engine.archive import read_archive
from engine.replay import Difference, verify
from tests.tournaments.night import FOUR, Night, begin, chance, hand_in_something
from tournaments import lexicons
from tournaments.feed_seal import new_token
from tournaments.models import FeedLink, Game, Room
from tournaments.selectors.archive import export_game
from tournaments.selectors.feeding import feed_of
from tournaments.selectors.handing_in import hand_in_of
from tournaments.services import feeds, merging, outposts, rooms
from tournaments.services.players import add_players

PLAYERS = list(FOUR)


@dataclass
class Halls:
    """The drawing room is `night.room`; `link` leads to the room elsewhere."""

    night: Night
    room: Room
    link: FeedLink
    token: str
    feeds: list[str] = field(default_factory=list)

    @property
    def address(self) -> str:
        return f"http://drawing.example:8000/feed/{self.token}/"

    def feed(self) -> str:
        self.feeds.append(feed_of(self.link, self.token))
        return self.feeds[-1]

    def merge(self, text: str) -> merging.Merged:
        return merging.merge(link=self.link, text=text, by=self.night.judge, now=self.night.later())

    def play(self, turns: int, seed: int = 3) -> None:
        rng = chance(seed)
        for _turn in range(turns):
            if self.night.draw() is None:
                break
            self.night.announce()
            hand_in_something(self.night, rng)
            self.night.close()
            self.night.place()
        self.night.refresh()

    def verified(self, room: Room | None = None) -> list[Difference]:
        return verified(self.night.refresh(), room)


def two_halls(judge: User, **options: Any) -> Halls:
    night = begin(judge, players=PLAYERS, **{"switches": {"max_turns": 4}, **options})
    room = rooms.add_room(event=night.event, name="Elsewhere", offset_s=None, by=judge, now=night.later())
    token = new_token()
    link = feeds.give_link(room=room, token=token, by=judge, now=night.later())
    return Halls(night, room, link, token)


def outpost(halls: Halls, text: str | None = None, **options: Any) -> Night:
    """The other hall, which takes part by this feed (the present one when None), with four players of its own."""
    told = text or halls.feed()
    now = halls.night.later()
    game = outposts.take_part(link=halls.address, text=told, by=halls.night.judge, now=now, **options)
    add_players(event=game.event, players=PLAYERS, now=now, by=halls.night.judge)
    return Night(game, halls.night.judge, now)


def tell(night: Night, text: str | None) -> None:
    """The line brings this feed, or nothing (None)."""
    line = night.refresh().feed
    assert line is not None
    if text is None:
        outposts.not_heard(line=line, why="No answer.", now=night.later(60))
    else:
        outposts.heard(line=line, text=text, now=night.later(2))
        outposts.take_over_due(line=line, now=night.later())


def play_outpost(night: Night, turns: int = 99, seed: int = 5) -> list[str]:
    """Turn by turn; what is handed in after each of them."""
    rng, texts = chance(seed), []
    for _turn in range(turns):
        if night.draw() is None:
            break
        night.announce()
        hand_in_something(night, rng)
        night.close()
        night.place()
        texts.append(hand_in_of(night.refresh()))
    texts.append(hand_in_of(night.refresh()))
    return texts


def in_another_hall(play: Callable[[], list[str]]) -> list[str]:
    """What was handed in by what is played here, of which nothing else stays."""
    with transaction.atomic():
        mark = transaction.savepoint()
        texts = play()
        transaction.savepoint_rollback(mark)
    return texts


def verified(game: Game, room: Room | None = None) -> list[Difference]:
    words = lexicons.graph_of(lexicons.of_game(game))
    return verify(read_archive(json.dumps(export_game(game, room))), words)
