"""The last moves that several rooms have been shown, with the players who had them, read together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_

from django.db.models import Count, F, Q, QuerySet, Window
from django.db.models.functions import RowNumber

from tournaments.models import Turn, Verdict
from tournaments.play.queries.room_states import RoomState

MOST_NAMED = 6
_COUNTED = ("valid", "rescued")
_Found = tuple[str, str, int | None, int]


@dataclass(frozen=True, slots=True)
class NextBest:
    """The best move of a turn below the top that a player of the room had."""

    word: str
    ref: str
    score: int


@dataclass(frozen=True, slots=True)
class LastMove:
    """The last placed move; `word` is empty if nothing could be played.

    `finders` is the number of players who had this move, `players` names the first of them by table, and `solo` is the
    player who alone found the top. `top_word` and `top_ref` are one of the best moves, the placed one if it is,
    `top_finders` the number of players with any of them, and `next_best` the best move below them that a player had.
    """

    turn: int
    word: str
    ref: str
    score: int
    top: int
    solo: str
    finders: int
    players: list[str]
    top_word: str = ""
    top_ref: str = ""
    top_finders: int = 0
    next_best: NextBest | None = None

    @property
    def unnamed(self) -> int:
        """Number of players with this move beyond the named ones."""
        return self.finders - len(self.players)


def read_last_moves(states: Sequence[RoomState]) -> dict[int, LastMove]:
    """Read the last move shown in each room, by room; rooms before their first one are left out."""
    rooms: defaultdict[Turn, list[int]] = defaultdict(list)
    for state in states:
        if state.placed is not None:
            rooms[state.placed].append(state.room.pk)
    if not rooms:
        return {}
    found, named = _count_moves(rooms), _first_finders(rooms)
    solos, tops = _solos(rooms), _tops(rooms)
    return {
        room: _last_move(turn, found[room], named[room], solos.get(turn.pk, ""), tops[turn.pk])
        for turn, here in rooms.items()
        for room in here
    }


def _last_move(turn: Turn, found: Sequence[_Found], players: list[str], solo: str, best: tuple[str, str]) -> LastMove:
    top = turn.top or 0
    scored = [one for one in found if one[2] is not None and one[2] <= top]
    placed = (turn.master_word, turn.master_ref)
    return LastMove(
        turn=turn.number,
        word=turn.master_word,
        ref=turn.master_ref,
        score=turn.master_score or 0,
        top=top,
        solo=solo,
        finders=sum(count for word, ref, _score, count in found if turn.master_word and (word, ref) == placed),
        players=players,
        top_word=best[0],
        top_ref=best[1],
        top_finders=sum(count for _word, _ref, score, count in scored if score == top),
        next_best=_next_best([one for one in scored if one[2] != top]),
    )


def _next_best(below: Sequence[_Found]) -> NextBest | None:
    """Return the move with the highest score, the first of the alphabet."""
    moves = [(-(score or 0), word, ref) for word, ref, score, _count in below]
    score, word, ref = min(moves, default=(0, "", ""))
    return NextBest(word, ref, -score) if moves else None


def _verdicts(rooms: Mapping[Turn, Collection[int]], more: Mapping[Turn, Q] | None = None) -> QuerySet[Verdict]:
    """The verdicts with points of the players of these rooms; `more` are conditions for each turn."""
    conditions = (
        Q(turn=turn, player__entries__room__in=here) & (more or {}).get(turn, Q()) for turn, here in rooms.items()
    )
    game = next(iter(rooms)).game_id
    return Verdict.objects.filter(reduce(or_, conditions), player__entries__game=game, result__in=_COUNTED)


def _count_moves(rooms: Mapping[Turn, Collection[int]]) -> defaultdict[int, list[_Found]]:
    """Return by room each move (word, reference, score) with the number of players who had it."""
    fields = ("player__entries__room", "move_word", "move_ref", "move_score")
    found: defaultdict[int, list[_Found]] = defaultdict(list)
    for room, *move in _verdicts(rooms).values_list(*fields).annotate(n=Count("pk")).order_by():
        found[room].append((move[0], move[1], move[2], move[3]))
    return found


def _first_finders(rooms: Mapping[Turn, Collection[int]]) -> defaultdict[int, list[str]]:
    """Return by room the public names of the first players with the placed move, by table."""
    named: defaultdict[int, list[str]] = defaultdict(list)
    words = {turn: here for turn, here in rooms.items() if turn.master_word}
    if words:
        placed = {turn: Q(move_word=turn.master_word, move_ref=turn.master_ref) for turn in words}
        by_table = Window(RowNumber(), partition_by=F("player__entries__room"), order_by=F("player__table").asc())
        rows = _verdicts(words, placed).annotate(place=by_table, room=F("player__entries__room"))
        for row in rows.filter(place__lte=MOST_NAMED).select_related("player").order_by("place"):
            named[row.room].append(row.player.shown_name)
    return named


def _solos(turns: Iterable[Turn]) -> dict[int, str]:
    """Return the public names of the players who alone found the top, by turn."""
    alone = [Q(turn=turn, player__table=turn.solo) for turn in turns if turn.solo is not None]
    rows = Verdict.objects.filter(reduce(or_, alone)).select_related("player") if alone else ()
    return {row.turn_id: row.player.shown_name for row in rows}


def _tops(turns: Iterable[Turn]) -> dict[int, tuple[str, str]]:
    """Return the placed move of each turn if it is a best one, else the first of the best moves."""
    best = {turn.pk: (turn.master_word, turn.master_ref) for turn in turns}
    below = [turn.pk for turn in turns if not (turn.master_word and turn.master_score == turn.top)]
    if below:
        for key, tops in Turn.objects.filter(pk__in=below).values_list("pk", "tops"):
            first = next(iter(tops or ()), {"word": "", "ref": ""})
            best[key] = (first["word"], first["ref"])
    return best
