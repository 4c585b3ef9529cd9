"""The pages about an event: the entry desk, the plan of the tables, rounds, players out of a file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from io import BytesIO

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pypdf import PdfReader
from pytest_django import DjangoAssertNumQueries

from referee.pdf.table_plan import table_plan_pdf
from tests.referee.desk.test_keys import demand_keys
from tests.tournaments.night import Night, begin, chance, play_turn
from tests.tournaments.test_cell_tables import xlsx
from tournaments.enums import EndReason, Role
from tournaments.models import Game, LedgerEntry, Membership, Player, Round
from tournaments.position import profile_of
from tournaments.services import ending, players
from tournaments.services.access import first_judge
from tournaments.services.players import NewPlayer

pytestmark = pytest.mark.django_db
BACKEND = "django.contrib.auth.backends.ModelBackend"


@pytest.fixture
def evening(db: None) -> Night:
    return begin(first_judge())


@pytest.fixture
def judge(client: Client, evening: Night) -> Client:
    client.force_login(evening.judge, backend=BACKEND)
    return client


@pytest.fixture
def typist(evening: Night) -> Client:
    user = User.objects.create(username="typist")
    Membership.objects.create(event=evening.event, user=user, role=Role.TYPIST)
    client = Client()
    client.force_login(user, backend=BACKEND)
    return client


def page(client: Client, night: Night, name: str, **query: str | int) -> str:
    answer = client.get(f"/desk/{night.event.code}/{name}/", query)
    assert answer.status_code == 200
    return answer.content.decode()


def act(client: Client, night: Night, action: str, **fields: object) -> str:
    headers = {"Accept": "application/json"}
    answer = client.post(f"/desk/{night.event.code}/do/{action}/", fields, headers=headers)
    assert answer.status_code == 200
    sentence: str = answer.json()["sentence"]
    return sentence


def tables_shown(text: str) -> Iterator[int]:
    return (int(found) for found in re.findall(r'data-table="(\d+)"', text))


def test_a_typist_marks_who_has_come_and_adds_who_was_not_on_the_list(typist: Client, evening: Night) -> None:
    assert act(typist, evening, "player-here", table=2) == "Bruno Verdi is here, at table 2."
    assert act(typist, evening, "walk-in", name="Elio Galli", club="Asti") == "Elio Galli is here, at table 4."
    assert act(typist, evening, "player-absent", table=3) == "Carla Neri does not come; table 3 stays empty."
    assert act(typist, evening, "player-expected", table=2) == "Bruno Verdi is expected again."
    text = page(typist, evening, "entry-desk")
    assert "<b>1</b><span>/4</span>" in text
    assert "absent" in text
    assert "rest-absent" not in text


def test_all_others_are_marked_absent_by_the_judge(judge: Client, typist: Client, evening: Night) -> None:
    act(judge, evening, "player-here", table=1)
    answer = typist.post(f"/desk/{evening.event.code}/do/rest-absent/", headers={"Accept": "application/json"})
    assert answer.status_code == 403
    assert act(judge, evening, "rest-absent") == "3 players do not come."


def test_the_list_follows_what_is_looked_for(judge: Client, evening: Night) -> None:
    part = judge.get(f"/desk/{evening.event.code}/entry-desk/", {"q": "tor"}, headers={"HX-Request": "true"})
    text = part.content.decode()
    assert list(tables_shown(text)) == [1, 2]
    assert "<html" not in text
    assert list(tables_shown(page(judge, evening, "entry-desk", q="17"))) == [17]
    assert "Nobody is found" in page(judge, evening, "entry-desk", q="<script>")
    assert "<script>alert" not in page(judge, evening, "entry-desk", q="<script>alert")


def test_names_are_escaped_on_every_page(judge: Client, evening: Night) -> None:
    bad = [NewPlayer(5, "<img src=x>", "<b>Torino</b>", "<i>")]
    players.add_players(event=evening.event, players=bad, now=evening.later())
    for name in ("entry-desk", "tables"):
        text = page(judge, evening, name)
        assert "&lt;img src=x&gt;" in text
        assert "<img src=x>" not in text


def test_the_pages_ask_for_no_more_with_many_players(
    judge: Client, evening: Night, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    many = [NewPlayer(None, f"Player {number}", f"Club {number % 5}") for number in range(400)]
    players.add_players(event=evening.event, players=many, now=evening.later())
    for name in ("entry-desk", "tables", "rounds"):
        with django_assert_max_num_queries(30):
            page(judge, evening, name)


def test_the_plan_stands_in_rows_and_shows_neighbours_of_one_club(judge: Client, evening: Night) -> None:
    text = page(judge, evening, "tables", width=4)
    assert text.count('<ul class="plan-row">') == 1
    assert "1 pair of neighbours is of one club" in text
    assert "seat beside" in text
    assert page(judge, evening, "tables", width=9999).count('class="plan plan-8"') == 1


def test_tables_are_given_anew_and_changed_on_the_page(judge: Client, evening: Night) -> None:
    said = act(judge, evening, "assign-tables", order="list", first_table=10)
    assert said == "4 players have another table now."
    assert act(judge, evening, "swap-tables", table=10, other=13) == "Anna Rossi sits at table 13 now."
    assert Player.objects.get(name="Dario Bianchi").table == 10
    assert "is not a whole number" in act(judge, evening, "assign-tables", order="list", first_table="x")
    play_turn(evening_after_swap(evening), chance(1))
    assert "everybody stays at his table" in page(judge, evening, "tables")


def evening_after_swap(night: Night) -> Night:
    """The tests' players sit at tables 1, 2, 3 and 17."""
    for table, name in ((1, "Anna Rossi"), (2, "Bruno Verdi"), (3, "Carla Neri"), (17, "Dario Bianchi")):
        Player.objects.filter(name=name).update(table=1000 + table)
    for table in (1, 2, 3, 17):
        Player.objects.filter(table=1000 + table).update(table=table)
    return night


@pytest.mark.parametrize("choice", ["", "name", "table"])
def test_who_sits_where_is_printed(evening: Night, choice: str) -> None:
    many = [NewPlayer(None, f"Player {number:03}", "Asti") for number in range(200)]
    players.add_players(event=evening.event, players=many, now=evening.later())
    made = table_plan_pdf(evening.refresh(), evening.room, choice, language="it", paper="letter")
    pages = [page.extract_text() for page in PdfReader(BytesIO(made)).pages]
    assert len(pages) == 3
    listed = re.findall(r"Player \d+|Rossi|Verdi|Neri|Bianchi", "\n".join(pages))
    assert len(listed) == len(set(listed)) == 204


def test_rounds_are_named_and_the_waiting_game_is_set_up_on_the_page(judge: Client, evening: Night) -> None:
    act(judge, evening, "plan-round", number=2, name="Evening", starts_at="2026-03-07T20:30")
    assert Round.objects.get().starts_at is not None
    assert act(judge, evening, "set-up-game", turns="7", formula="joker") == "Game 1 is played so."
    game = evening.refresh()
    assert (profile_of(game).max_turns, game.formula) == (7, "joker")
    text = page(judge, evening, "rounds")
    assert "Evening" in text
    assert "turn 0 of 7" in text
    assert "no day and time" in act(judge, evening, "plan-round", number=2, starts_at="2026-13-77T99:99")
    assert "greater than or equal to 1" in act(judge, evening, "set-up-game", turns="0")


def test_the_next_game_keeps_or_changes_its_number_of_turns(judge: Client, evening: Night) -> None:
    act(judge, evening, "set-up-game", turns="1")
    play_turn(evening, chance(2))
    ending.end_game(game=evening.refresh(), why=EndReason.TURNS, by=evening.judge, now=evening.later())
    assert 'name="turns" value="1"' in page(judge, evening, "rounds")
    act(judge, evening, "next-game")
    assert profile_of(Game.objects.get(number=2)).max_turns == 1
    act(judge, evening, "set-up-game", turns="")
    assert profile_of(Game.objects.get(number=2)).max_turns is None


def test_a_judge_does_not_plan_and_a_typist_takes_no_files(judge: Client, typist: Client, evening: Night) -> None:
    text = page(typist, evening, "rounds")
    assert "plan-round" not in text
    assert "?as=csv" not in text
    assert "?as=csv" in page(judge, evening, "rounds")


def bring(client: Client, night: Night, content: bytes, name: str = "players.xlsx") -> tuple[int, str]:
    upload = SimpleUploadedFile(name, content)
    answer = client.post(f"/desk/{night.event.code}/players/file/", {"file": upload})
    return answer.status_code, answer.content.decode()


def taken_of(text: str) -> str:
    found = re.search(r'name="taken" value="([^"]*)"', text)
    assert found is not None
    return unescape(found[1])


def test_a_file_is_looked_at_and_then_taken(typist: Client, evening: Night) -> None:
    content = xlsx(["Tisch", "Name", "Verein"], [30, "@Max", "Wien"], [None, 'Zoë "Z" <Bo>', "Graz, Süd"])
    status, text = bring(typist, evening, content)
    assert status == 200
    assert "2 players in the file" in text
    assert Player.objects.count() == 4
    answer = typist.post(f"/desk/{evening.event.code}/players/file/", {"taken": taken_of(text)})
    assert answer.status_code == 302
    added = Player.objects.filter(table__in=[4, 30]).order_by("table").values_list("table", "name", "club")
    assert list(added) == [(4, 'Zoë "Z" <Bo>', "Graz, Süd"), (30, "@Max", "Wien")]
    assert LedgerEntry.objects.latest("n").kind == "players"


def test_faults_are_told_by_cell_and_nobody_is_taken(typist: Client, evening: Night) -> None:
    status, text = bring(typist, evening, b"Name;Table\nElio;1\nFosca;30\n", "players.csv")
    assert status == 422
    assert "<b>B2</b>: Table 1 is taken by Anna Rossi" in text
    assert 'name="taken"' not in text
    assert Player.objects.count() == 4


def test_what_has_come_between_is_told_when_the_file_is_taken(typist: Client, evening: Night) -> None:
    _status, text = bring(typist, evening, b"Name;Table\nElio;30\n", "players.csv")
    players.add_players(event=evening.event, players=[NewPlayer(30, "Ivo")], now=evening.later())
    answer = typist.post(f"/desk/{evening.event.code}/players/file/", {"taken": taken_of(text)})
    assert answer.status_code == 422
    assert "Table 30 is taken by Ivo" in answer.content.decode()


def test_no_file_and_no_table_are_told(typist: Client, evening: Night) -> None:
    address = f"/desk/{evening.event.code}/players/file/"
    assert "Choose a file first." in typist.post(address, {}).content.decode()
    assert "cannot be read as a spreadsheet" in bring(typist, evening, b"PK\x03\x04torn")[1]
    assert "holds no players" in bring(typist, evening, b"Name\n")[1]


@pytest.mark.parametrize("role", [Role.DIRECTOR, Role.TYPIST])
@pytest.mark.parametrize("name", ["entry-desk", "tables", "rounds", "players/file"])
def test_every_control_has_a_key(evening: Night, name: str, role: str) -> None:
    """On the pages of an event that has a game behind it and players of all kinds."""
    players.leave(player=evening.player(1), now=evening.later(), by=evening.judge)
    play_turn(evening, chance(4))
    ending.end_game(game=evening.refresh(), why=EndReason.JUDGE, by=evening.judge, now=evening.later())
    user = User.objects.create(username=f"the {role}")
    Membership.objects.create(event=evening.event, user=user, role=role)
    client = Client()
    client.force_login(user, backend=BACKEND)
    demand_keys(page(client, evening, name))


def new_event(client: Client, content: bytes, **fields: str) -> tuple[int, str]:
    given = {"name": "Cup", "date": "2026-03-07", "edition": "it", "profile": "it-box", "draw_mode": "seeded"}
    upload = SimpleUploadedFile("players", content)
    answer = client.post("/desk/new/", {**given, "language": "en", "file": upload, **fields})
    return answer.status_code, answer.content.decode()


def test_a_new_event_takes_its_players_from_a_spreadsheet_or_tells_the_cells(judge: Client) -> None:
    status, text = new_event(judge, xlsx(["Name", "Table"], ["Elio", 5], ["Fosca", 5]))
    assert status == 200
    assert "B3: Table 5 is there twice; it is in cell B2 already." in text
    status, _text = new_event(judge, xlsx(["Name", "Table"], ["Elio", 5], ["Fosca", 6]))
    assert status == 302
    assert list(Player.objects.filter(event__name="Cup").values_list("table", "name")) == [(5, "Elio"), (6, "Fosca")]
