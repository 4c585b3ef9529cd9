"""Visibility of judges' warnings: at the desk, for the player after placement, and in archives."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from engine.archive.replay import verify
from engine.archive.schema import read_archive
from referee.views.desk import get_desk_view
from referee.views.hall import get_public_view
from referee.views.player import get_personal_view, get_personal_views
from tests.tournaments.club_game import ClubGame, create_club_game
from tournaments.enums import JudgeWarningCode
from tournaments.judging.services import rulings
from tournaments.judging.services.ruling_request import RulingRequest
from tournaments.judging.services.warnings import set_warning
from tournaments.lexicons import word_lists
from tournaments.results.queries.archive import export_game

SECRET = "whistled through the whole turn"


@pytest.fixture
def warned(judge: User) -> ClubGame:
    """A judged turn by FISF rules: 1 and 2 have the same slip, 3 a zero, 17 none; 1, 3 and 17 are warned."""
    club_game = create_club_game(judge, profile="fisf")
    club_game.begin_turn("ACEIRST")
    tops = club_game.turn.tops
    assert tops
    for table in (1, 2):
        club_game.phone(table, tops[0]["word"], tops[0]["ref"], tops[0]["score"])
    club_game.phone(3, "ZZZ", "H8", 9)
    warn(club_game, 1, JudgeWarningCode.UNREADABLE, SECRET)
    warn(club_game, 3, JudgeWarningCode.UNREADABLE, "ink")
    warn(club_game, 17, JudgeWarningCode.DISCIPLINE, "late again")
    club_game.close()
    return club_game


def warn(club_game: ClubGame, table: int, code: str, reason: str) -> None:
    set_warning(
        turn=club_game.turn,
        player=club_game.player(table),
        code=code,
        given=True,
        request=RulingRequest(reason=reason, by=club_game.judge, now=club_game.later()),
    )


def test_the_desk_lists_who_was_warned_and_whether_it_counts(warned: ClubGame) -> None:
    view = get_desk_view(warned.game, warned.room, warned.now)
    assert [(line.table, line.code, line.reason, line.counts) for line in view.warned] == [
        (1, "unreadable", SECRET, True),
        (3, "unreadable", "ink", False),
        (17, "discipline", "late again", True),
    ]


def test_a_group_shows_the_verdict_of_a_slip_without_warning(warned: ClubGame) -> None:
    groups = {tuple(group.tables): group for group in get_desk_view(warned.game, warned.room, warned.now).groups}
    assert [line.table for line in groups[1, 2].warned] == [1]
    assert "Warning" not in groups[1, 2].sentence
    assert [line.table for line in groups[(3,)].warned] == [3]


def test_a_player_is_told_of_his_own_warning_alone_and_only_when_the_move_is_placed(warned: ClubGame) -> None:
    before = get_personal_view(warned.game, warned.player(1).pk)
    assert before is not None
    assert before.verdict is None
    assert "unreadable" not in str(get_personal_views(warned.game))
    warned.place()
    views = get_personal_views(warned.game)
    told = {table: views[warned.player(table).pk].verdict for table in (1, 2, 3, 17)}
    assert {table: verdict.warnings for table, verdict in told.items() if verdict} == {
        1: ["unreadable"],
        2: [],
        3: [],
        17: ["discipline"],
    }
    own = told[1]
    assert own is not None
    assert own.sentence.endswith("Warning: the slip is hard to read. Warnings in this game: 1; 3 without penalty.")
    others = str({table: verdict for table, verdict in told.items() if table != 1})
    assert ("hard to read" in others, SECRET in others) == (False, False)


def test_warnings_are_never_shown_on_the_wall(warned: ClubGame) -> None:
    warned.place()
    hall = str(get_public_view(warned.game, warned.room, warned.now))
    assert not [word for word in (SECRET, "ink", "late again", "unreadable", "discipline") if word in hall]


def archive(club_game: ClubGame) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(export_game(club_game.refresh())))
    return found


def differences(club_game: ClubGame, found: dict[str, Any]) -> list[str]:
    verified = verify(
        read_archive(json.dumps(found)), word_lists.graph_of(word_lists.word_list_of_game(club_game.game))
    )
    return [difference.where for difference in verified]


def test_an_archive_brings_the_warnings_and_proves_itself(warned: ClubGame) -> None:
    warned.place()
    found = archive(warned)
    assert {slip["table"]: slip.get("given") for slip in found["turns"][0]["slips"]} == {
        1: ["unreadable"],
        2: None,
        3: ["unreadable"],
        17: ["discipline"],
    }
    assert differences(warned, found) == []


def slip(found: dict[str, Any], table: int) -> dict[str, Any]:
    return next(each for each in found["turns"][0]["slips"] if each["table"] == table)


FAULTS: list[tuple[Callable[[dict[str, Any]], object], list[str]]] = [
    (lambda found: slip(found, 1).pop("given"), ["turn 1, table 1, verdict.warnings"]),
    (lambda found: slip(found, 17).pop("given"), ["turn 1, table 17, verdict.warnings"]),
    (lambda found: slip(found, 2).update(given=["discipline"]), ["turn 1, table 2, verdict.warnings"]),
    (lambda found: slip(found, 1)["given"].append("discipline"), ["turn 1, table 1, verdict.warnings"]),
    (lambda found: slip(found, 3)["given"].append("discipline"), ["turn 1, table 3, verdict.warnings"]),
]


@pytest.mark.parametrize(("spoil", "where"), FAULTS)
def test_a_warning_dropped_from_an_archive_or_put_into_it_is_found(
    warned: ClubGame, spoil: Callable[[dict[str, Any]], object], where: list[str]
) -> None:
    warned.place()
    found = archive(warned)
    spoil(found)
    assert set(where) <= set(differences(warned, found))


def test_a_decided_verdict_must_list_the_judges_warnings(warned: ClubGame) -> None:
    decided = warned.verdict(1)
    rulings.decide_groups(
        turn=warned.turn,
        groups=[decided.group],
        points=7,
        request=RulingRequest(reason="seen", by=warned.judge, now=warned.later()),
    )
    warned.place()
    found = archive(warned)
    assert slip(found, 1)["verdict"]["warnings"] == ["unreadable"]
    assert differences(warned, found) == []
    slip(found, 1)["verdict"]["warnings"] = []
    assert "turn 1, table 1, verdict.warnings" in differences(warned, found)


def test_desk_and_archive_ask_no_more_for_more_warnings(warned: ClubGame) -> None:
    def queries(ask: Callable[[], object]) -> int:
        with CaptureQueriesContext(connection) as asked:
            ask()
        return len(asked)

    def counted() -> tuple[int, int]:
        game, room, now = warned.game, warned.room, warned.now
        return queries(lambda: get_desk_view(game, room, now)), queries(lambda: export_game(game))

    counted()  # the standings are kept from then on
    few = counted()
    warn(warned, 2, JudgeWarningCode.UNREADABLE, "")
    warn(warned, 2, JudgeWarningCode.DISCIPLINE, "")
    assert counted() == few
