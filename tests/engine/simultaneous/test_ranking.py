"""The common ranking against examples computed by hand."""

from __future__ import annotations

from typing import Any, cast

from engine.simultaneous.ranking import rank
from engine.simultaneous.rejudging import GameReport, PlayerResult
from engine.simultaneous.signals import equal_slip_signals, time_signals, top_signals
from engine.simultaneous.start_code import make_start_code, read_start_code
from tests.tournaments.simultaneous.clubs_at_play import CLOSES, OPENS

CLUBS = {1: "Torino", 2: "Milano", 3: "Genova"}
TOPS = {1: [30, 20, 50], 2: [40, 60]}  # 100 points in each game


def result(game: int, table: int, name: str, points: list[int], **more: Any) -> PlayerResult:
    found = [turn for turn, (got, top) in enumerate(zip(points, TOPS[game], strict=True), 1) if got == top]
    facts: dict[str, Any] = {"licence": "", "club": "", "series": "", "started_at": f"2026-03-0{game}", "out": False}
    own = {"game": game, "table": table, "name": name, "points": points, "found": found}
    return cast(PlayerResult, {**facts, **own, **more})


def report(game: int, *players: PlayerResult) -> GameReport:
    moves = [{"CASA 8H 30": 2}] if game == 1 else []
    return {
        "game": game,
        "differences": [],
        "more_differences": 0,
        "slips": [],
        "players": list(players),
        "moves": moves,
    }


def test_players_are_ranked_overall_and_clubs_by_their_average_percent() -> None:
    ranking = rank(
        {
            1: [
                report(
                    1,
                    result(1, 1, "Anna", [30, 20, 10], series="A"),  # 60
                    result(1, 2, "Bruno", [30, 0, 50], series="B"),  # 80
                ),
                report(2, result(2, 5, "Anna", [40, 0], series="A")),  # 40, together 100
            ],
            2: [report(1, result(1, 1, "Carla", [30, 20, 50]), result(1, 2, "Dario", [0, 0, 0], out=True))],  # 100
        },
        CLUBS,
        TOPS,
    )
    lines = [(line["rank"], line["name"], line["total"], line["percent"], line["tops"]) for line in ranking["people"]]
    assert lines == [
        (1, "Anna", 100, 50.0, 3),
        (1, "Carla", 100, 50.0, 3),
        (3, "Bruno", 80, 40.0, 2),
        (None, "Dario", 0, 0.0, 0),
    ]
    # Milano: Carla played one game, 100 %. Torino: 60 %, 80 % and 40 %.
    assert [(line["rank"], line["name"], line["players"], line["percent"]) for line in ranking["clubs"]] == [
        (1, "Milano", 1, 100.0),
        (2, "Torino", 2, 60.0),
    ]
    assert [(count["players"], count["found"]) for count in ranking["turns"]["1"]] == [(4, 3), (4, 2), (4, 2)]
    assert ranking["turns"]["1"][0]["moves"] == {"CASA 8H 30": 4}


def test_people_are_merged_by_licence_or_by_name_and_club_and_namesakes_are_not() -> None:
    ranking = rank(
        {
            1: [
                report(1, result(1, 1, "Anna Rossi", [30, 0, 0], licence="T 7"), result(1, 2, "Ugo", [0, 20, 0])),
                report(2, result(2, 1, "ROSSI Anna", [40, 0]), result(2, 2, "Ugo", [0, 60])),
            ],
            2: [
                report(1, result(1, 1, "Ugo", [0, 0, 50]), result(1, 2, "Ugo", [0, 0, 0])),
                report(2, result(2, 9, "A. Rossi", [0, 60], licence="t7", started_at="2026-03-09")),
            ],
        },
        CLUBS,
        TOPS,
    )
    people = sorted((line["name"], line["club"], line["total"], line["twice"]) for line in ranking["people"])
    # Anna played game 2 in Torino first: the second result, in Milano, is not counted.
    assert people == [("Anna Rossi", 1, 70, [2]), ("Ugo", 1, 80, []), ("Ugo", 2, 0, []), ("Ugo", 2, 50, [])]


def test_signals_name_what_is_unusual_and_nothing_else() -> None:
    honest = [result_of_turns(table, list(range(1, 21, 3))[: 3 + table % 4]) for table in range(1, 60)]
    found = top_signals({1: honest, 2: [result_of_turns(1, list(range(1, 20)))]})
    assert list(found) == [2]
    assert found[2][0]["values"]["tops"] == 19


def result_of_turns(table: int, found: list[int]) -> PlayerResult:
    points = [10 if turn in found else 4 for turn in range(1, 21)]
    return cast(PlayerResult, {"game": 1, "name": f"Player {table}", "points": points, "found": found})


def test_equal_slips_and_times_outside_the_window_are_signals() -> None:
    archive: Any = {
        "rhythm_s": 120,
        "players": [{"table": table, "name": f"Player {table}"} for table in (1, 2, 3)],
        "turns": [
            {
                "number": number,
                "started_at": OPENS.isoformat(),
                "closed_at": OPENS.replace(minute=OPENS.minute + (3 if number == 4 else 2)).isoformat(),
                "grace_ms": 0,
                "tops": [{"word": "TOP", "ref": "8H", "score": 30}],
                "slips": [
                    {"table": 1, "word": f"SAME{number}", "ref": "8H"},
                    {"table": 2, "word": f"SAME{number}", "ref": "8H"},
                    {"table": 3, "word": "TOP", "ref": "8H"},
                ],
            }
            for number in range(1, 10)
        ],
    }
    [equal] = equal_slip_signals(1, archive)
    assert (equal["values"]["table"], equal["values"]["other_table"], equal["values"]["equal"]) == (1, 2, 9)
    [long] = time_signals(1, archive, OPENS, CLOSES)
    assert (long["kind"], long["values"]["turn"]) == ("long_turn", 4)
    assert time_signals(1, archive, CLOSES, CLOSES)[0]["kind"] == "outside_window"


def test_a_start_code_is_read_however_it_is_typed() -> None:
    code = make_start_code(lambda signs: signs[7])
    assert read_start_code(code) == read_start_code(f" {code.lower().replace('-', ' ')} ") is not None
    assert read_start_code("BCDFG") is None
    assert read_start_code("AEIOU-HJKMN-PQRST-23456") is None
