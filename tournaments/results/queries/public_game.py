"""A game on the public page: the published turns, and the board and standings after them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from engine.board.board import EMPTY, Board
from engine.board.coordinates import SIZE
from engine.standings.game import Standing
from tournaments.models import Game, Player, PracticeLink, PreparedGame, PublicPage, Turn
from tournaments.play.position import board_before, draw_position_after, edition_of, profile_of
from tournaments.play.queries.phases import PHASES_WITH_PUBLIC_RACK, get_room_turn, is_over, phase_of
from tournaments.results.queries.analysis import GameAnalysis, analysis_of
from tournaments.results.queries.public_page import (
    count_known_turns,
    get_shown_room,
    is_finished,
    may_have_players_behind,
)
from tournaments.results.queries.standings_history import get_standings_after

MOST_TOPS, FIRST_ROWS = 12, 20


@dataclass(frozen=True, slots=True)
class PublicTurn:
    """A published turn. `tops` are the first tops as (word, ref); `solo` is the name of the player with the solo, who
    sits at `solo_table`."""

    number: int
    rack: str
    rejected: tuple[str, ...]
    top: int
    tops: tuple[tuple[str, str], ...]
    more_tops: int
    word: str
    ref: str
    score: int
    solo: str
    solo_table: int


@dataclass(frozen=True, slots=True)
class PublicRow:
    """A line of the standings with the public name."""

    rank: int | None
    table: int
    name: str
    club: str
    total: int
    negative: int
    percent: Decimal


@dataclass(frozen=True, slots=True)
class PublicGame:
    """Data of a game on the page.

    `rack` is that of the turn in play if the page has no delay; `standings` are the first of `ranked` lines; `practice`
    is the token of a practice link to the game, or "".
    """

    number: int
    is_over: bool
    turns: tuple[PublicTurn, ...]
    board: Board
    new: frozenset[tuple[int, int]]
    notation: str
    rack: str
    rack_turn: int
    standings: tuple[PublicRow, ...]
    ranked: int
    analysis: GameAnalysis
    practice: str


@dataclass(frozen=True, slots=True)
class PublicPosition:
    """A turn in the replay, with the board before and after it."""

    turn: PublicTurn
    before: Board
    after: Board
    new: frozenset[tuple[int, int]]
    last: int


def public_game(page: PublicPage, game: Game, now: datetime) -> PublicGame:
    """The published part of a game of the page's event."""
    known, over = count_known_turns(game, page.delay), is_finished(game)
    turns = list(_known(game, known))
    board, new = _board(game, turns)
    lines = get_standings_after(game, get_shown_room(game), turns=known)
    rack_turn, rack = _current_rack(page, game, known, now)
    return PublicGame(
        number=game.number,
        is_over=over,
        turns=_build_turns(game, turns),
        board=board,
        new=new,
        notation=profile_of(game).notation.value,
        rack=rack,
        rack_turn=rack_turn,
        standings=tuple(_rows(game, lines[:FIRST_ROWS])),
        ranked=len(lines),
        analysis=public_analysis(game, known),
        practice=_practice(game) if over else "",
    )


def public_position(page: PublicPage, game: Game, number: int) -> PublicPosition | None:
    """One turn of the replay; None if it is not published."""
    known = count_known_turns(game, page.delay)
    if not 1 <= number <= known:
        return None
    [turn] = _known(game, known, only=number)
    board, new = _board(game, [turn])
    return PublicPosition(_build_turns(game, [turn])[0], board_before(turn), board, new, known)


def public_positions(page: PublicPage, game: Game) -> list[PublicPosition]:
    """All published turns of the replay."""
    known = count_known_turns(game, page.delay)
    turns = list(_known(game, known))
    return [
        PublicPosition(shown, board_before(turn), *_board(game, [turn]), known)
        for turn, shown in zip(turns, _build_turns(game, turns), strict=True)
    ]


def public_turns(page: PublicPage, game: Game, numbers: Collection[int] | None = None) -> tuple[PublicTurn, ...]:
    """The published turns of a game; with `numbers`, only those of them."""
    known = _known(game, count_known_turns(game, page.delay))
    return _build_turns(game, [turn for turn in known if numbers is None or turn.number in numbers])


def public_board(page: PublicPage, game: Game) -> Board:
    """The board after the published turns."""
    known = count_known_turns(game, page.delay)
    return _board(game, _known(game, known, only=known))[0]


def public_analysis(game: Game, known: int) -> GameAnalysis:
    """The values of the charts for the first `turns` turns."""
    return analysis_of(game, get_shown_room(game), last=known)


def _known(game: Game, known: int, only: int | None = None) -> list[Turn]:
    turns = Turn.objects.filter(game=game, number__lte=known).order_by("number")
    found = list(turns if only is None else turns.filter(number=only))
    for turn in found:
        turn.game = game
    return found


def _board(game: Game, turns: Sequence[Turn]) -> tuple[Board, frozenset[tuple[int, int]]]:
    """The board after the last of the turns, and the squares covered by its move."""
    if not turns:
        return Board.empty(edition_of(game)), frozenset()
    before, lies = board_before(turns[-1]), draw_position_after(turns[-1]).board
    new = [at for at, code in enumerate(lies.squares) if code != EMPTY and before.squares[at] == EMPTY]
    return lies, frozenset(divmod(at, SIZE) for at in new)


def _build_turns(game: Game, turns: Sequence[Turn]) -> tuple[PublicTurn, ...]:
    solos = {turn.solo for turn in turns if turn.solo is not None}
    players = Player.objects.filter(event=game.event_id, table__in=solos)
    names = {player.table: player.shown_name for player in players}
    return tuple(
        PublicTurn(
            number=turn.number,
            rack=turn.rack,
            rejected=tuple(turn.rejected),
            top=turn.top or 0,
            tops=tuple((top["word"], top["ref"]) for top in (turn.tops or [])[:MOST_TOPS]),
            more_tops=max(0, len(turn.tops or []) - MOST_TOPS),
            word=turn.master_word,
            ref=turn.master_ref,
            score=turn.master_score or 0,
            solo=names.get(turn.solo or 0, ""),
            solo_table=turn.solo or 0,
        )
        for turn in turns
    )


def _current_rack(page: PublicPage, game: Game, known: int, now: datetime) -> tuple[int, str]:
    """(turn number, rack) of the turn in play, only without a delay and in an event with one room."""
    room = get_shown_room(game)
    if page.delay or room is None or may_have_players_behind(game) or is_over(game):
        return 0, ""
    turn = get_room_turn(game, room)
    if turn is None or turn.number <= known or phase_of(game, room, now) not in PHASES_WITH_PUBLIC_RACK:
        return 0, ""
    return turn.number, turn.rack


def public_standings(
    page: PublicPage, game: Game, start: int, most: int, after: int | None = None
) -> tuple[list[PublicRow], int]:
    """(lines from index `start`, total number of lines), by default after all published turns."""
    known = count_known_turns(game, page.delay)
    return public_standings_after(game, known if after is None else min(after, known), start, most)


def public_standings_after(game: Game, turns: int, start: int, most: int) -> tuple[list[PublicRow], int]:
    """(lines from index `start`, total number of lines) after this number of published turns."""
    lines = get_standings_after(game, get_shown_room(game), turns=turns)
    return _rows(game, lines[start : start + most]), len(lines)


def _rows(game: Game, lines: Sequence[Standing]) -> list[PublicRow]:
    seated = Player.objects.filter(event=game.event_id, table__in=[line.table for line in lines])
    players = {player.table: player for player in seated}
    return [
        PublicRow(
            rank=line.rank,
            table=line.table,
            name=players[line.table].shown_name,
            club=players[line.table].club,
            total=line.total,
            negative=line.negative,
            percent=line.percent,
        )
        for line in lines
    ]


def _practice(game: Game) -> str:
    """Token of an open practice link to this finished game."""
    made = PreparedGame.objects.filter(order__game=game.pk).values_list("pk", flat=True)
    scripts = [*made, *([game.prepared_id] if game.prepared_id else [])]
    link = PracticeLink.objects.filter(prepared__in=scripts, closed_at=None).order_by("pk").first()
    return "" if link is None else link.token
