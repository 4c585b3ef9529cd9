"""Pages of standings and players: tabs, groups, teams, the spreadsheet, players who leave."""

from __future__ import annotations

import csv
from io import BytesIO, StringIO

import pytest
from django.test import Client
from django.utils import translation
from pypdf import PdfReader

from engine.archive.schema import check_archive
from referee.pdf.sheets.standings import standings_pdf
from tests.tournaments.club_game import ClubGame, create_club_game, play_turn, seeded_random
from tournaments.enums import EndReason
from tournaments.events.services import events
from tournaments.models import Document, Entry, Event
from tournaments.play.services import game_end
from tournaments.players.services import players
from tournaments.players.services.players import NewPlayer
from tournaments.results.queries.archive import export_game
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.django_db

FIELD = (
    NewPlayer(1, "Anna Rossi", "Torino", "A", "senior", "ITA", "Reds"),
    NewPlayer(2, "Bruno Verdi", "Torino", "B", "junior", "ITA", "Reds"),
    NewPlayer(3, "Carla Neri", "Milano", "B", "senior", "ESP", "Blues"),
    NewPlayer(17, "=1+1", "", "A"),
)


@pytest.fixture
def live_game() -> ClubGame:
    """Two games of one turn each; table 2 left during the first one."""
    club_game, rng = create_club_game(first_judge(), FIELD), seeded_random(11)
    play_turn(club_game, rng)
    players.leave_game(player=club_game.player(2), now=club_game.later(), by=club_game.judge)
    game_end.end_game(game=club_game.refresh(), why=EndReason.JUDGE, by=club_game.judge, now=club_game.later())
    club_game.game = events.add_game(event=club_game.event, by=club_game.judge, now=club_game.later(), seed=bytes(32))
    play_turn(club_game, rng)
    return club_game


@pytest.fixture
def judge(client: Client) -> Client:
    client.force_login(first_judge(), backend="django.contrib.auth.backends.ModelBackend")
    return client


def page(judge: Client, club_game: ClubGame, of: str = "") -> str:
    answer = judge.get(f"/desk/{club_game.event.code}/standings/", {"of": of} if of else {})
    assert answer.status_code == 200
    return answer.content.decode()


def act(judge: Client, event: Event, action: str, **fields: object) -> str:
    answer = judge.post(f"/desk/{event.code}/do/{action}/", fields, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    return answer.content.decode()


def test_after_two_games_the_page_shows_the_event_with_a_column_a_game(judge: Client, live_game: ClubGame) -> None:
    text = page(judge, live_game)
    assert "Standings · after 2 games" in text
    assert ">G1</th>" in text
    assert ">G2</th>" in text
    assert "not present in this game" in text
    assert text.count('href="?game=') == 3 + 6


def test_the_page_shows_one_game_groups_and_teams(judge: Client, live_game: ClubGame) -> None:
    assert ">G1</th>" not in page(judge, live_game, "1.all")
    series = page(judge, live_game, "event.series")
    assert '<h2 class="group-title">A</h2>' in series
    assert ">Overall</th>" in series
    teams = page(judge, live_game, "event.team")
    assert "Anna Rossi, Bruno Verdi" in teams or "Bruno Verdi, Anna Rossi" in teams


@pytest.mark.parametrize("of", ["event.height", "9.all", "<script>"])
def test_standings_that_there_are_not_are_not_found(judge: Client, live_game: ClubGame, of: str) -> None:
    for name in ("standings/", "standings.csv"):
        assert judge.get(f"/desk/{live_game.event.code}/{name}", {"of": of}).status_code == 404


def rows_of(judge: Client, club_game: ClubGame, of: str) -> list[list[str]]:
    answer = judge.get(f"/desk/{club_game.event.code}/standings.csv", {"of": of})
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert answer.headers["Content-Disposition"].endswith('.csv"')
    assert answer.content.startswith(b"\xef\xbb\xbf")
    return list(csv.reader(StringIO(answer.content.decode("utf-8-sig")), delimiter=";"))


def test_a_spreadsheet_gets_the_same_lines_and_no_formulas(judge: Client, live_game: ClubGame) -> None:
    head, *lines = rows_of(judge, live_game, "event.all")
    assert head[:9] == ["Rank", "Table", "Name", "Club", "G1", "G2", "Total", "Negative", "Percent"]
    assert [line[2] for line in lines].count("'=1+1") == 1
    by_name = {line[2]: line for line in lines}
    assert by_name["Bruno Verdi"][5] == "–"
    for line in lines:
        played = [int(number) for number in line[4:6] if number != "–"]
        assert int(line[6]) == sum(played)
    grouped = rows_of(judge, live_game, "event.series")
    assert grouped[0][:3] == ["Group", "Rank", "Overall"]
    assert {line[0] for line in grouped[1:]} == {"A", "B"}


def test_an_italian_spreadsheet_has_commas_in_its_numbers(judge: Client, live_game: ClubGame) -> None:
    with translation.override("it"):
        answer = judge.get(f"/desk/{live_game.event.code}/standings.csv", headers={"Accept-Language": "it"})
    line = answer.content.decode("utf-8-sig").splitlines()[1]
    assert "," in line.split(";")[8]


def test_the_chosen_standings_are_printed(judge: Client, live_game: ClubGame) -> None:
    act(judge, live_game.event, "make-document", kind="standings", choice="event.series")
    assert Document.objects.get().choice == "event.series"
    for wrong in ({"kind": "match", "choice": "event.all"}, {"kind": "standings", "choice": "event.height"}):
        assert (
            "There is no such document."
            in judge.post(
                f"/desk/{live_game.event.code}/do/make-document/", wrong, headers={"Accept": "application/json"}
            ).json()["sentence"]
        )
    assert Document.objects.count() == 1


def test_teams_and_handicap_are_set_on_the_page(judge: Client, live_game: ClubGame) -> None:
    act(judge, live_game.event, "set-teams", best="1", of="end")
    act(judge, live_game.event, "set-handicap", unit="points", series=["A", "B"], amount=["", "15"])
    event = Event.objects.get()
    assert (event.team_best, event.team_of_each_game) == (1, False)
    act(judge, live_game.event, "rename-player", table=1, team="Reds")
    page = judge.get(f"/desk/{event.code}/standings/?of=event.team").content.decode()
    assert "The player of each team who is best over all games counts." in page
    assert event.handicap == {"unit": "points", "series": {"B": 15}}
    assert "Handicap" in rows_of(judge, live_game, "event.all")[0]
    act(judge, live_game.event, "set-teams", best="", of="game")
    assert Event.objects.get().team_best is None


def test_the_judge_edits_a_player_and_records_that_they_leave(judge: Client, live_game: ClubGame) -> None:
    event = live_game.event
    act(judge, event, "rename-player", table=3, name="Carla Neri", club="Asti", series="C", team="", country="FRA")
    carla = live_game.player(3)
    assert (carla.club, carla.series, carla.team, carla.country, carla.age_class) == ("Asti", "C", "", "FRA", "senior")
    act(judge, event, "player-leaves", table=3)
    assert Entry.objects.get(game=live_game.game, player=carla).last_turn == 1
    text = judge.get(f"/desk/{event.code}/players/").content.decode()
    assert "left after turn 1" in text
    assert "not in this game" in text
    act(judge, event, "player-comes-back", table=3)
    act(judge, event, "player-comes-back", table=2)
    assert Entry.objects.filter(game=live_game.game, last_turn=None).count() == 4
    assert "since turn 2" in judge.get(f"/desk/{event.code}/players/").content.decode()


def test_a_judge_disqualifies_on_the_page_of_the_players_and_takes_it_back(judge: Client, live_game: ClubGame) -> None:
    event, path = live_game.event, f"/desk/{live_game.event.code}/players/"

    def told(action: str, **fields: object) -> str:
        """Return the page of the players after the action."""
        posted = {**fields, "table": 1, "next": path}
        return judge.post(f"/desk/{event.code}/do/{action}/", posted, follow=True).content.decode()

    assert "Give a reason for the disqualification." in told("disqualify-player", reason="")
    players_page = told("disqualify-player", reason="shouted")
    assert "Anna Rossi is disqualified" in players_page
    assert "disqualified in turn 2: shouted" in players_page
    assert "Take the disqualification back" in judge.get(f"{path}1/").content.decode()
    for of in ("", "event.series", "2.all"):
        assert "Anna Rossi (disqualified)" in page(judge, live_game, of)
    assert rows_of(judge, live_game, "event.all")[-1][:3] == ["–", "1", "Anna Rossi (disqualified)"]
    assert "Anna Rossi" not in page(judge, live_game, "event.team")
    [sheet] = PdfReader(BytesIO(standings_pdf(check_archive(export_game(live_game.refresh())), language="en"))).pages
    assert "Anna Rossi (disqualified)" in sheet.extract_text()
    assert "Anna Rossi is in the ranking again and plays on." in told("reinstate-player")
    assert "disqualified" not in page(judge, live_game).lower()


def test_an_event_without_players_has_a_page_of_standings(judge: Client) -> None:
    club_game = create_club_game(first_judge(), ())
    assert "Nobody has joined yet." in page(judge, club_game)
    [head] = rows_of(judge, club_game, "1.series")
    assert head == ["Rank", "Overall", "Table", "Name", "Club", "Total", "Negative", "Percent"]
