"""The rooms of an event that play on their own servers, as the director sees them here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from tournaments.models import Event, FeedLink, Game, Room, Verdict, WordRuling

LINE_IS_DOWN = timedelta(seconds=20)


@dataclass(frozen=True, slots=True)
class Difference:
    """A verdict that is another one here than where it was given; `table` is the one over there."""

    turn: int
    table: int
    name: str
    word: str
    there: int
    here: int


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A room with its line. `words` were accepted or struck over there and do not count here."""

    room: Room
    is_open: bool
    heard_at: datetime | None
    is_down: bool
    handed_in_at: datetime | None
    played: int
    other_list: bool
    waits: bool
    differences: Sequence[Difference]
    words: Sequence[str]


def rooms_elsewhere(game: Game, now: datetime) -> dict[int, Elsewhere]:
    """By number the rooms that have, or had, a link."""
    links = FeedLink.objects.filter(room__event=game.event_id).select_related("room").order_by("room__number")
    return {link.room.number: _line(link, game, now) for link in links}


def numbers_elsewhere(event: Event) -> set[int]:
    """The numbers of the rooms that play on their own servers."""
    links = FeedLink.objects.filter(room__event=event, token_hash__isnull=False)
    return set(links.values_list("room__number", flat=True))


def differences(link: FeedLink) -> list[Difference]:
    """The verdicts of the last hand-in that are not those which follow here, by turn and table."""
    turns = link.claims.get("turns", {})
    rows = Verdict.objects.filter(turn__game=link.claims.get("game"), player__room=link.room_id)
    found = []
    for row in rows.select_related("turn", "player", "slip").order_by("turn__number", "player__table"):
        told = turns.get(str(row.turn.number), {}).get(str(row.player.home_table))
        if told is not None and told != [row.result, row.reason or None, row.points]:
            found.append(
                Difference(
                    turn=row.turn.number,
                    table=row.player.home_table or 0,
                    name=row.player.name,
                    word=row.slip.word if row.slip else "",
                    there=told[2],
                    here=row.points,
                )
            )
    return found


def _line(link: FeedLink, game: Game, now: datetime) -> Elsewhere:
    told = bool(link.lexicon_sha256)
    return Elsewhere(
        room=link.room,
        is_open=link.token_hash is not None,
        heard_at=link.heard_at,
        is_down=link.heard_at is None or now - link.heard_at > LINE_IS_DOWN,
        handed_in_at=link.handed_in_at,
        played=link.claims.get("played", 0),
        other_list=told and link.lexicon_sha256 != game.lexicon_sha256,
        waits=bool(link.claims.get("again")),
        differences=differences(link),
        words=_words(link),
    )


def _words(link: FeedLink) -> list[str]:
    """What was ruled on over there and not here."""
    rows = WordRuling.objects.filter(game=link.claims.get("game"), revoked_at=None)
    here = set(rows.values_list("word", "ruling"))
    return [word for word, kind, _turn in link.claims.get("words", ()) if (word, kind) not in here]
