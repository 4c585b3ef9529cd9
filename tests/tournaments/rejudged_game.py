"""A turn that is on the board and judged again, as the tests do it."""

from __future__ import annotations

from typing import Any

from engine.archive.replay import verify
from engine.archive.schema import check_archive
from tests.tournaments.club_game import ClubGame
from tournaments.enums import Ruling
from tournaments.judging.services import rejudging
from tournaments.judging.services.ruling_request import RulingRequest
from tournaments.lexicons import word_lists
from tournaments.models import LedgerEntry, Turn, Verdict
from tournaments.results.queries.archive import export_game


def place_first_turn(club_game: ClubGame) -> None:
    """CESTAI of table 1 goes on the board; TRISCEA of tables 2 and 3 is no word."""
    club_game.begin_turn("ACEIRST")
    club_game.phone(1, "CESTAI", "8C", 20)
    club_game.phone(2, "TRISCEA", "8H", 76)
    club_game.phone(3, "TRISCEA", "8H", 76)
    club_game.close()
    club_game.place()


def get_turn(club_game: ClubGame, number: int) -> Turn:
    turn = Turn.objects.get(game=club_game.game, number=number)
    turn.game = club_game.refresh()
    return turn


def accept_word(club_game: ClubGame, word: str = "TRISCEA", number: int = 1, **options: Any) -> LedgerEntry:
    return rejudging.rule_word(
        turn=get_turn(club_game, number),
        word=word,
        ruling=options.pop("ruling", Ruling.ACCEPTED),
        request=RulingRequest(
            reason=options.pop("reason", "it is in the other dictionary"),
            by=club_game.judge,
            now=club_game.later(),
            **options,
        ),
    )


def decide_slip(club_game: ClubGame, table: int, points: int | None, number: int = 1, **options: Any) -> LedgerEntry:
    return rejudging.decide_group(
        turn=get_turn(club_game, number),
        group=club_game.verdict(table, turn=number).group,
        points=points,
        request=RulingRequest(reason="looked at again", by=club_game.judge, now=club_game.later(), **options),
    )


def set_warning(club_game: ClubGame, table: int, code: str, *, given: bool, number: int = 1) -> LedgerEntry:
    return rejudging.set_warning(
        turn=get_turn(club_game, number),
        player=club_game.player(table),
        code=code,
        given=given,
        request=RulingRequest(reason="the writing", by=club_game.judge, now=club_game.later()),
    )


def find_differences(club_game: ClubGame) -> list[str]:
    """The differences that `verify` finds."""
    archive = check_archive(export_game(club_game.refresh()))
    base = word_lists.graph_of(word_lists.word_list_of_game(club_game.game))
    return [f"{one.where}: {one.stored!r} but {one.derived!r}" for one in verify(archive, base)]


def judging_results(club_game: ClubGame) -> list[tuple[Any, ...]]:
    """All that judging gives, without what tells who decided when."""
    rows = Verdict.objects.filter(turn__game=club_game.game).order_by("turn__number", "player__table")
    return list(
        rows.values_list(
            "turn__number",
            "player__table",
            "result",
            "reason",
            "points",
            "move_score",
            "warnings",
            "penalty",
            "bonus",
            "word",
            "decided_by",
        )
    )


def stored_tops(club_game: ClubGame) -> list[tuple[Any, ...]]:
    rows = Turn.objects.filter(game=club_game.game).order_by("number")
    return list(rows.values_list("number", "rack", "top", "tops", "solo", "master_word", "master_ref", "master_score"))
