"""Players of a word in a game, only for turns whose clock has closed in the player's room."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby

from django.db.models import Exists, OuterRef, QuerySet

from engine.tiles.edition import LETTER_MASK, Edition, UnknownLetter
from tournaments.enums import ClockState
from tournaments.models import Entry, Game, Room, TurnClock, Verdict
from tournaments.play.position import edition_of
from tournaments.play.queries.phases import list_shown_turns

MOST_TABLES = 12


@dataclass(frozen=True, slots=True)
class PlayedLine:
    """Players who submitted a word in a turn at one place, with equal points. `people` are the first of them as "17
    Dario Bianchi", none while the turn is judged anonymously."""

    turn: int
    ref: str
    points: int
    count: int
    people: list[str] = field(default_factory=list)

    @property
    def more(self) -> int:
        """The number of people who are not named."""
        return self.count - len(self.people)


@dataclass(frozen=True, slots=True)
class MasterMoveLine:
    """The word was the move of a turn."""

    turn: int
    ref: str
    score: int


@dataclass(frozen=True, slots=True)
class PlayedWord:
    """Slips and master moves with one word in a game, turn by turn."""

    lines: list[PlayedLine]
    masters: list[MasterMoveLine]


def find_played_word(game: Game, room: Room, text: str) -> PlayedWord:
    """Find the slips of a room (in the drawing room, of all rooms) with a word, and its places on the board.

    Slips are compared as written, ignoring blanks and accents; replaced slips are left out.
    """
    edition = edition_of(game)
    letters = _letters(edition, text)
    closed = _closed(game, room)
    spellings = closed.order_by().values_list("slip__word", flat=True).distinct()
    same = [word for word in spellings if letters and letters & _letters(edition, word)]
    rows = closed.filter(slip__word__in=same).select_related("slip", "player", "turn")
    listed = rows.order_by("turn__number", "move_ref", "slip__ref", "-points", "player__table")
    anonymous = set(_without_names(game))
    lines = [_line(list(group), anonymous) for _key, group in groupby(listed, key=_key)]
    return PlayedWord(lines, list(_list_master_moves(game, room, edition, letters)))


def _closed(game: Game, room: Room) -> QuerySet[Verdict]:
    """Verdicts on slips of turns whose clock has closed in the player's room."""
    entry = Entry.objects.filter(game=game, player=OuterRef("player"))
    where = entry if room.is_drawing else entry.filter(room=room)
    over = TurnClock.objects.filter(
        turn=OuterRef("turn"),
        state=ClockState.CLOSED,
        room__entries__game=game,
        room__entries__player=OuterRef("player"),
    )
    return Verdict.objects.filter(Exists(where), Exists(over), turn__game=game, slip__isnull=False)


def _key(row: Verdict) -> tuple[int, str, int]:
    return row.turn.number, _ref(row), row.points


def _ref(row: Verdict) -> str:
    """The reference of the judged move, else the written one."""
    return row.move_ref or (row.slip.place_text.upper() if row.slip else "")


def _line(rows: list[Verdict], anonymous: set[int]) -> PlayedLine:
    first = rows[0]
    named = [] if first.turn_id in anonymous else rows[:MOST_TABLES]
    people = [f"{row.player.table} {row.player.name}" for row in named]
    return PlayedLine(first.turn.number, _ref(first), first.points, len(rows), people)


def _without_names(game: Game) -> QuerySet[TurnClock, int]:
    """The turns that are being judged without names."""
    clocks = TurnClock.objects.filter(turn__game=game, shown_at=None, turn__game__event__anonymous_judging=True)
    return clocks.values_list("turn", flat=True)


def _list_master_moves(
    game: Game, room: Room, edition: Edition, letters: frozenset[tuple[int, ...]]
) -> Iterator[MasterMoveLine]:
    for turn in list_shown_turns(game, room).exclude(master_score=None).order_by("number"):
        if letters & _letters(edition, turn.master_word):
            yield MasterMoveLine(turn.number, turn.master_ref, turn.master_score or 0)


def _letters(edition: Edition, text: str) -> frozenset[tuple[int, ...]]:
    """The possible readings of a written word, without its blanks; none for text that no tiles can show."""
    try:
        return frozenset(
            tuple(code & LETTER_MASK for code in codes) for codes in edition.allowed_readings(text) if codes
        )
    except UnknownLetter:
        return frozenset()
