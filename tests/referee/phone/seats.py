"""An event with a game, as the pages of players need it: no word list, no rack."""

from __future__ import annotations

from datetime import UTC, date, datetime

from engine.rules.profile import load_profile
from referee.phone import new_player_limit
from tournaments.models import Entry, Event, Game, Player, Room

NOW = datetime(2026, 11, 20, 20, 0, tzinfo=UTC)


def open_event(code: str = "KTMQX", *, language: str = "it", name: str = "Club Torino") -> Event:
    """An event in its lobby, with one hall and one game; nobody has joined it yet."""
    new_player_limit.reset_limit()
    event = Event.objects.create(
        code=code,
        wall_token=f"wall-of-{code}",
        name=name,
        date=date(2026, 11, 20),
        place="Torino",
        language=language,
        created_at=NOW,
    )
    Room.objects.create(event=event, name="Hall")
    Game.objects.create(
        event=event,
        edition="it",
        profile="it-box",
        switches=load_profile("it-box").switches(),
        turn_seconds=180,
        lexicon_name="it",
        lexicon_words=0,
        lexicon_sha256="0" * 64,
        seed=b"planted-seed-" + b"x" * 19,
        commitment="c" * 64,
    )
    return event


def seat_player(event: Event, table: int, name: str, nickname: str = "") -> Player:
    """A player who is registered and has no phone yet."""
    room = event.rooms.get()
    player = Player.objects.create(event=event, room=room, table=table, name=name, nickname=nickname, joined_at=NOW)
    Entry.objects.create(game=event.games.get(), player=player, room=player.room)
    return player
