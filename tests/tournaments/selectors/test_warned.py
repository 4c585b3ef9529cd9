"""Who sees a judge's warnings: the desk all of them, a player his own once the move is placed, an archive the facts."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from engine.archive import read_archive
from engine.replay import verify
from tests.tournaments.night import Night, begin
from tournaments import lexicons
from tournaments.enums import GivenCode
from tournaments.selectors.archive import export_game
from tournaments.selectors.desk import desk_view
from tournaments.selectors.hall import hall_view
from tournaments.selectors.personal import personal_view, personal_views
from tournaments.services import rulings
from tournaments.services.warning import give_warning

SECRET = "whistled through the whole turn"


@pytest.fixture
def warned(judge: User) -> Night:
    """A turn of FISF that is judged: 1 and 2 have the same slip, 3 a zero, 17 none; 1, 3 and 17 are warned."""
    night = begin(judge, profile="fisf")
    night.begin_turn("ACEIRST")
    tops = night.turn.tops
    assert tops
    for table in (1, 2):
        night.phone(table, tops[0]["word"], tops[0]["ref"], tops[0]["score"])
    night.phone(3, "ZZZ", "H8", 9)
    warn(night, 1, GivenCode.UNREADABLE, SECRET)
    warn(night, 3, GivenCode.UNREADABLE, "ink")
    warn(night, 17, GivenCode.DISCIPLINE, "late again")
    night.close()
    return night


def warn(night: Night, table: int, code: str, reason: str) -> None:
    give_warning(
        turn=night.turn, player=night.player(table), code=code, reason=reason, by=night.judge, now=night.later()
    )


def test_the_desk_lists_who_was_warned_and_whether_it_counts(warned: Night) -> None:
    view = desk_view(warned.game, warned.room, warned.now)
    assert [(line.table, line.code, line.reason, line.counts) for line in view.warned] == [
        (1, "unreadable", SECRET, True),
        (3, "unreadable", "ink", False),
        (17, "discipline", "late again", True),
    ]


def test_a_group_speaks_of_a_slip_that_was_not_warned(warned: Night) -> None:
    groups = {tuple(group.tables): group for group in desk_view(warned.game, warned.room, warned.now).groups}
    assert [line.table for line in groups[1, 2].warned] == [1]
    assert "Warning" not in groups[1, 2].sentence
    assert [line.table for line in groups[(3,)].warned] == [3]


def test_a_player_is_told_of_his_own_warning_alone_and_only_when_the_move_is_placed(warned: Night) -> None:
    before = personal_view(warned.game, warned.player(1).pk)
    assert before is not None
    assert before.verdict is None
    assert "unreadable" not in str(personal_views(warned.game))
    warned.place()
    views = personal_views(warned.game)
    told = {table: views[warned.player(table).pk].verdict for table in (1, 2, 3, 17)}
    assert {table: verdict.warnings for table, verdict in told.items() if verdict} == {
        1: ["unreadable"],
        2: [],
        3: [],
        17: ["discipline"],
    }
    own = told[1]
    assert own is not None
    assert own.sentence.endswith("Warning: the slip is hard to read. Warnings in this game: 1; 3 are free.")
    others = str({table: verdict for table, verdict in told.items() if table != 1})
    assert ("hard to read" in others, SECRET in others) == (False, False)


def test_the_hall_never_hears_of_it(warned: Night) -> None:
    warned.place()
    hall = str(hall_view(warned.game, warned.room, warned.now))
    assert not [word for word in (SECRET, "ink", "late again", "unreadable", "discipline") if word in hall]


def archive(night: Night) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(export_game(night.refresh())))
    return found


def differences(night: Night, found: dict[str, Any]) -> list[str]:
    verified = verify(read_archive(json.dumps(found)), lexicons.graph_of(lexicons.of_game(night.game)))
    return [difference.where for difference in verified]


def test_an_archive_brings_the_warnings_and_proves_itself(warned: Night) -> None:
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
    warned: Night, spoil: Callable[[dict[str, Any]], object], where: list[str]
) -> None:
    warned.place()
    found = archive(warned)
    spoil(found)
    assert set(where) <= set(differences(warned, found))


def test_a_decided_verdict_must_list_the_judges_warnings(warned: Night) -> None:
    decided = warned.verdict(1)
    rulings.decide_group(
        turn=warned.turn, group=decided.group, points=7, reason="seen", by=warned.judge, now=warned.later()
    )
    warned.place()
    found = archive(warned)
    assert slip(found, 1)["verdict"]["warnings"] == ["unreadable"]
    assert differences(warned, found) == []
    slip(found, 1)["verdict"]["warnings"] = []
    assert "turn 1, table 1, verdict.warnings" in differences(warned, found)


def test_desk_and_archive_ask_no_more_for_more_warnings(warned: Night) -> None:
    def queries(ask: Callable[[], object]) -> int:
        with CaptureQueriesContext(connection) as asked:
            ask()
        return len(asked)

    def counted() -> tuple[int, int]:
        game, room, now = warned.game, warned.room, warned.now
        return queries(lambda: desk_view(game, room, now)), queries(lambda: export_game(game))

    counted()  # the standings are kept from then on
    few = counted()
    warn(warned, 2, GivenCode.UNREADABLE, "")
    warn(warned, 2, GivenCode.DISCIPLINE, "")
    assert counted() == few
