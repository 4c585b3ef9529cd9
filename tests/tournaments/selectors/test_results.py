"""Standings over the turns that are on the board."""

from __future__ import annotations

from decimal import Decimal

from tests.tournaments.night import Night, chance, play_turn
from tournaments.models import Verdict
from tournaments.selectors.results import running_totals, standings_rows
from tournaments.services import players
from tournaments.services.players import NewPlayer


def one_turn(night: Night, slips: dict[int, tuple[str, str, int]], rack: str = "ACEIRST") -> None:
    night.begin_turn(rack)
    for table, (word, ref, declared) in slips.items():
        night.phone(table, word, ref, declared)
    night.close()
    night.place()


def test_equal_totals_share_a_rank_and_the_next_one_is_passed_over(night: Night) -> None:
    one_turn(night, {1: ("CARTE", "8H", 18), 2: ("CARTE", "8H", 18), 3: ("RE", "8H", 6)})
    rows = standings_rows(night.game)
    assert [(row.rank, row.table, row.name, row.total) for row in rows] == [
        (1, 1, "Anna Rossi", 18),
        (1, 2, "Bruno Verdi", 18),
        (3, 3, "Carla Neri", 6),
        (4, 17, "Dario Bianchi", 0),
    ]
    top = night.turn.top or 0
    assert [row.negative for row in rows] == [18 - top, 18 - top, 6 - top, -top]
    assert rows[0].percent == (Decimal(1800) / top).quantize(Decimal("0.1"))


def test_a_turn_that_is_not_placed_counts_for_nobody(night: Night) -> None:
    night.begin_turn("ACEIRST")
    night.phone(1, "CARTE", "8H", 18)
    night.close()
    assert [row.total for row in standings_rows(night.game)] == [0, 0, 0, 0]
    night.place()
    assert standings_rows(night.game)[0].total == 18
    night.undo()
    assert standings_rows(night.game)[0].total == 0


def test_standings_follow_when_a_turn_is_judged_and_placed_again(night: Night) -> None:
    one_turn(night, {1: ("CARTE", "8H", 18)})
    assert standings_rows(night.game)[0].name == "Anna Rossi"
    night.undo()
    night.paper("2 8H CRESTA 20")
    night.paper("1 -")
    night.paper("3 8H CARTE 18")
    night.place()
    first = standings_rows(night.game)[0]
    assert (first.table, first.total) == (3, 18)


def test_a_late_comer_is_measured_against_all_tops(night: Night) -> None:
    one_turn(night, {1: ("CARTE", "8H", 18)})
    [late] = players.add_players(event=night.event, players=[NewPlayer(9, "Elio")], now=night.later(), by=night.judge)
    row = next(row for row in standings_rows(night.game) if row.player_id == late.pk)
    assert (row.total, row.negative) == (0, -(night.turn.top or 0))


def test_a_renamed_player_stands_under_the_new_name(night: Night) -> None:
    one_turn(night, {1: ("CARTE", "8H", 18)})
    players.rename(player=night.player(1), name="Anna Bo", now=night.later(), by=night.judge)
    assert standings_rows(night.game)[0].name == "Anna Bo"


def test_running_totals_end_with_the_total(night: Night) -> None:
    rng = chance(4)
    for _ in range(3):
        play_turn(night, rng)
    totals = running_totals(night.game)
    assert {table: len(sums) for table, sums in totals.items()} == {1: 3, 2: 3, 3: 3, 17: 3}
    assert {table: sums[-1] for table, sums in totals.items()} == {
        row.table: row.total for row in standings_rows(night.game)
    }
    assert sum(sums[-1] for sums in totals.values()) == sum(Verdict.objects.values_list("points", flat=True))
