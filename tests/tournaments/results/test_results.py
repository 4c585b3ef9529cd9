"""Standings over the turns that are on the board."""

from __future__ import annotations

from decimal import Decimal

from tests.tournaments.club_game import ClubGame, play_turn, seeded_random
from tournaments.models import Verdict
from tournaments.players.services import players
from tournaments.players.services.players import NewPlayer
from tournaments.results.queries.results import running_totals, standings_rows


def one_turn(club_game: ClubGame, slips: dict[int, tuple[str, str, int]], rack: str = "ACEIRST") -> None:
    club_game.begin_turn(rack)
    for table, (word, ref, declared) in slips.items():
        club_game.phone(table, word, ref, declared)
    club_game.close()
    club_game.place()


def test_equal_totals_share_a_rank_and_the_next_one_is_passed_over(club_game: ClubGame) -> None:
    one_turn(club_game, {1: ("CARTE", "8H", 18), 2: ("CARTE", "8H", 18), 3: ("RE", "8H", 6)})
    rows = standings_rows(club_game.game)
    assert [(row.rank, row.table, row.name, row.total) for row in rows] == [
        (1, 1, "Anna Rossi", 18),
        (1, 2, "Bruno Verdi", 18),
        (3, 3, "Carla Neri", 6),
        (4, 17, "Dario Bianchi", 0),
    ]
    top = club_game.turn.top or 0
    assert [row.negative for row in rows] == [18 - top, 18 - top, 6 - top, -top]
    assert rows[0].percent == (Decimal(1800) / top).quantize(Decimal("0.1"))


def test_a_turn_that_is_not_placed_counts_for_nobody(club_game: ClubGame) -> None:
    club_game.begin_turn("ACEIRST")
    club_game.phone(1, "CARTE", "8H", 18)
    club_game.close()
    assert [row.total for row in standings_rows(club_game.game)] == [0, 0, 0, 0]
    club_game.place()
    assert standings_rows(club_game.game)[0].total == 18
    club_game.undo()
    assert standings_rows(club_game.game)[0].total == 0


def test_standings_follow_when_a_turn_is_judged_and_placed_again(club_game: ClubGame) -> None:
    one_turn(club_game, {1: ("CARTE", "8H", 18)})
    assert standings_rows(club_game.game)[0].name == "Anna Rossi"
    club_game.undo()
    club_game.paper("2 8H CRESTA 20")
    club_game.paper("1 -")
    club_game.paper("3 8H CARTE 18")
    club_game.place()
    first = standings_rows(club_game.game)[0]
    assert (first.table, first.total) == (3, 18)


def test_a_late_comer_is_measured_against_all_tops(club_game: ClubGame) -> None:
    one_turn(club_game, {1: ("CARTE", "8H", 18)})
    [late] = players.add_players(
        event=club_game.event, players=[NewPlayer(9, "Elio")], now=club_game.later(), by=club_game.judge
    )
    row = next(row for row in standings_rows(club_game.game) if row.player_id == late.pk)
    assert (row.total, row.negative) == (0, -(club_game.turn.top or 0))


def test_a_renamed_player_stands_under_the_new_name(club_game: ClubGame) -> None:
    one_turn(club_game, {1: ("CARTE", "8H", 18)})
    players.rename_player(
        club_game.player(1), players.PlayerDetails(name="Anna Bo"), now=club_game.later(), by=club_game.judge
    )
    assert standings_rows(club_game.game)[0].name == "Anna Bo"


def test_running_totals_end_with_the_total(club_game: ClubGame) -> None:
    rng = seeded_random(4)
    for _ in range(3):
        play_turn(club_game, rng)
    totals = running_totals(club_game.game)
    assert {table: len(sums) for table, sums in totals.items()} == {1: 3, 2: 3, 3: 3, 17: 3}
    assert {table: sums[-1] for table, sums in totals.items()} == {
        row.table: row.total for row in standings_rows(club_game.game)
    }
    assert sum(sums[-1] for sums in totals.values()) == sum(Verdict.objects.values_list("points", flat=True))
