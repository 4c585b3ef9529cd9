"""A turn that is on the board and judged again, as the tests do it."""

from __future__ import annotations

from typing import Any

from engine.archive import check_archive
from engine.replay import verify
from tests.tournaments.night import Night
from tournaments import lexicons
from tournaments.enums import Ruling
from tournaments.models import LedgerEntry, Turn, Verdict
from tournaments.selectors.archive import export_game
from tournaments.services import reopening


def first_turn(night: Night) -> None:
    """CESTAI of table 1 goes on the board; TRISCEA of tables 2 and 3 is no word."""
    night.begin_turn("ACEIRST")
    night.phone(1, "CESTAI", "8C", 20)
    night.phone(2, "TRISCEA", "8H", 76)
    night.phone(3, "TRISCEA", "8H", 76)
    night.close()
    night.place()


def turn_of(night: Night, number: int) -> Turn:
    turn = Turn.objects.get(game=night.game, number=number)
    turn.game = night.refresh()
    return turn


def accept(night: Night, word: str = "TRISCEA", number: int = 1, **options: Any) -> LedgerEntry:
    return reopening.rule_word(
        turn=turn_of(night, number),
        word=word,
        ruling=options.pop("ruling", Ruling.ACCEPTED),
        reason=options.pop("reason", "it is in the other dictionary"),
        by=night.judge,
        now=night.later(),
        **options,
    )


def decide(night: Night, table: int, points: int | None, number: int = 1, **options: Any) -> LedgerEntry:
    return reopening.decide(
        turn=turn_of(night, number),
        group=night.verdict(table, turn=number).group,
        points=points,
        reason="looked at again",
        by=night.judge,
        now=night.later(),
        **options,
    )


def warn(night: Night, table: int, code: str, *, given: bool, number: int = 1) -> LedgerEntry:
    return reopening.warn(
        turn=turn_of(night, number),
        player=night.player(table),
        code=code,
        given=given,
        reason="the writing",
        by=night.judge,
        now=night.later(),
    )


def differences_in(night: Night) -> list[str]:
    """What `verify` finds."""
    archive = check_archive(export_game(night.refresh()))
    base = lexicons.graph_of(lexicons.of_game(night.game))
    return [f"{one.where}: {one.stored!r} but {one.derived!r}" for one in verify(archive, base)]


def judged(night: Night) -> list[tuple[Any, ...]]:
    """All that judging gives, without what tells who decided when."""
    rows = Verdict.objects.filter(turn__game=night.game).order_by("turn__number", "player__table")
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


def tops(night: Night) -> list[tuple[Any, ...]]:
    rows = Turn.objects.filter(game=night.game).order_by("number")
    return list(rows.values_list("number", "rack", "top", "tops", "solo", "master_word", "master_ref", "master_score"))
