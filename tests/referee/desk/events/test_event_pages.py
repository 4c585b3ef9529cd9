"""Pages of an event: check-in, table plan, rounds, players from a file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import unescape
from io import BytesIO

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pypdf import PdfReader
from pytest_django import DjangoAssertNumQueries

from referee.pdf.handouts.table_plan import table_plan_pdf
from tests.referee.desk.play.test_keys import require_keys
from tests.tournaments.club_game import ClubGame, create_club_game, play_turn, seeded_random
from tests.tournaments.players.test_cell_tables import xlsx
from tournaments.enums import EndReason, Role
from tournaments.models import Event, Game, Membership, Player, Round
from tournaments.play.position import profile_of
from tournaments.play.services import game_end
from tournaments.players.services import players
from tournaments.players.services.players import NewPlayer
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.django_db
BACKEND = "django.contrib.auth.backends.ModelBackend"


@pytest.fixture
def live_game(db: None) -> ClubGame:
    return create_club_game(first_judge())


@pytest.fixture
def judge(client: Client, live_game: ClubGame) -> Client:
    client.force_login(live_game.judge, backend=BACKEND)
    return client


@pytest.fixture
def typist(live_game: ClubGame) -> Client:
    user = User.objects.create(username="typist")
    Membership.objects.create(event=live_game.event, user=user, role=Role.TYPIST)
    client = Client()
    client.force_login(user, backend=BACKEND)
    return client


def page(client: Client, club_game: ClubGame, name: str, **query: str | int) -> str:
    answer = client.get(f"/desk/{club_game.event.code}/{name}/", query)
    assert answer.status_code == 200
    return answer.content.decode()


def act(client: Client, club_game: ClubGame, action: str, **fields: object) -> str:
    headers = {"Accept": "application/json"}
    answer = client.post(f"/desk/{club_game.event.code}/do/{action}/", fields, headers=headers)
    assert answer.status_code == 200
    sentence: str = answer.json()["sentence"]
    return sentence


def tables_shown(text: str) -> Iterator[int]:
    return (int(found) for found in re.findall(r'data-table="(\d+)"', text))


def test_a_typist_checks_players_in_and_adds_walk_ins(typist: Client, live_game: ClubGame) -> None:
    assert act(typist, live_game, "player-here", table=2) == "Bruno Verdi is here, at table 2."
    assert act(typist, live_game, "walk-in", name="Elio Galli", club="Asti") == "Elio Galli is here, at table 4."
    assert act(typist, live_game, "player-absent", table=3) == "Carla Neri does not come; table 3 stays empty."
    assert act(typist, live_game, "player-expected", table=2) == "Bruno Verdi is expected again."
    text = page(typist, live_game, "entry-desk")
    assert "<b>1</b><span>/4</span>" in text
    assert "absent" in text
    assert "rest-absent" not in text


def test_all_others_are_marked_absent_by_the_judge(judge: Client, typist: Client, live_game: ClubGame) -> None:
    act(judge, live_game, "player-here", table=1)
    answer = typist.post(f"/desk/{live_game.event.code}/do/rest-absent/", headers={"Accept": "application/json"})
    assert answer.status_code == 403
    assert act(judge, live_game, "rest-absent") == "3 players do not come."


def test_the_list_follows_what_is_looked_for(judge: Client, live_game: ClubGame) -> None:
    part = judge.get(f"/desk/{live_game.event.code}/entry-desk/", {"q": "tor"}, headers={"HX-Request": "true"})
    text = part.content.decode()
    assert list(tables_shown(text)) == [1, 2]
    assert "<html" not in text
    assert list(tables_shown(page(judge, live_game, "entry-desk", q="17"))) == [17]
    assert "Nobody found" in page(judge, live_game, "entry-desk", q="<script>")
    assert "<script>alert" not in page(judge, live_game, "entry-desk", q="<script>alert")


def test_names_are_escaped_on_every_page(judge: Client, live_game: ClubGame) -> None:
    bad = [NewPlayer(5, "<img src=x>", "<b>Torino</b>", "<i>")]
    players.add_players(event=live_game.event, players=bad, now=live_game.later())
    for name in ("entry-desk", "tables"):
        text = page(judge, live_game, name)
        assert "&lt;img src=x&gt;" in text
        assert "<img src=x>" not in text


def test_the_pages_ask_for_no_more_with_many_players(
    judge: Client, live_game: ClubGame, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    many = [NewPlayer(None, f"Player {number}", f"Club {number % 5}") for number in range(400)]
    players.add_players(event=live_game.event, players=many, now=live_game.later())
    for name in ("entry-desk", "tables", "rounds"):
        with django_assert_max_num_queries(30):
            page(judge, live_game, name)


def test_the_plan_stands_in_rows_and_shows_neighbours_of_one_club(judge: Client, live_game: ClubGame) -> None:
    text = page(judge, live_game, "tables", width=4)
    assert text.count('<ul class="plan-row">') == 1
    assert "1 pair of neighbours is of one club" in text
    assert "seat same-club" in text
    assert page(judge, live_game, "tables", width=9999).count('class="plan plan-8"') == 1


def test_tables_are_given_anew_and_changed_on_the_page(judge: Client, live_game: ClubGame) -> None:
    said = act(judge, live_game, "assign-tables", order="list", first_table=10)
    assert said == "4 players have another table now. You can undo this for ten minutes."
    assert act(judge, live_game, "swap-tables", table=10, other=13) == "Anna Rossi sits at table 13 now."
    assert Player.objects.get(name="Dario Bianchi").table == 10
    assert "is not a whole number" in act(judge, live_game, "assign-tables", order="list", first_table="x")
    play_turn(game_after_swap(live_game), seeded_random(1))
    assert "everybody stays at their table" in page(judge, live_game, "tables")


def test_tables_that_were_assigned_again_go_back_on_the_plan_of_the_tables(judge: Client, live_game: ClubGame) -> None:
    act(judge, live_game, "assign-tables", order="list", first_table=10)
    text = page(judge, live_game, "tables")
    assert "Undo (10 minutes left)" in text
    [(back_to, key)] = re.findall(r'name="next" value="([^"]+)">\s*<input type="hidden" name="act" value="(\d+)"', text)
    undone = {"act": key, "next": back_to}
    back = judge.post(f"/desk/{live_game.event.code}/do/undo-players/", undone, follow=True)
    assert back.redirect_chain[0][0].endswith("/tables/")
    assert [*Player.objects.order_by("table").values_list("table", flat=True)] == [1, 2, 3, 17]
    assert "undo-players" not in back.content.decode()


def game_after_swap(club_game: ClubGame) -> ClubGame:
    """Seat the players at tables 1, 2, 3 and 17, and return the game."""
    for table, name in ((1, "Anna Rossi"), (2, "Bruno Verdi"), (3, "Carla Neri"), (17, "Dario Bianchi")):
        Player.objects.filter(name=name).update(table=1000 + table)
    for table in (1, 2, 3, 17):
        Player.objects.filter(table=1000 + table).update(table=table)
    return club_game


@pytest.mark.parametrize("choice", ["", "name", "table"])
def test_the_table_plan_is_printed(live_game: ClubGame, choice: str) -> None:
    many = [NewPlayer(None, f"Player {number:03}", "Asti") for number in range(200)]
    players.add_players(event=live_game.event, players=many, now=live_game.later())
    made = table_plan_pdf(live_game.refresh(), live_game.room, choice, language="it", paper="letter")
    pages = [page.extract_text() for page in PdfReader(BytesIO(made)).pages]
    assert len(pages) == 2
    listed = re.findall(r"\d+ Player|Rossi|Verdi|Neri|Bianchi", "\n".join(pages))
    assert len(listed) == len(set(listed)) == 204


def test_rounds_are_named_and_the_waiting_game_is_set_up_on_the_page(judge: Client, live_game: ClubGame) -> None:
    act(judge, live_game, "plan-round", number=2, name="Evening", starts_at="2026-03-07T20:30")
    assert Round.objects.get().starts_at is not None
    assert act(judge, live_game, "set-up-game", turns="7", variant="joker") == "The settings of game 1 are saved."
    game = live_game.refresh()
    assert (profile_of(game).max_turns, game.variant) == (7, "joker")
    text = page(judge, live_game, "rounds")
    assert "Evening" in text
    assert "turn 0 of 7" in text
    assert "not a date and time" in act(judge, live_game, "plan-round", number=2, starts_at="2026-13-77T99:99")
    assert "greater than or equal to 1" in act(judge, live_game, "set-up-game", turns="0")


def test_the_next_game_keeps_or_changes_its_number_of_turns(judge: Client, live_game: ClubGame) -> None:
    act(judge, live_game, "set-up-game", turns="1")
    play_turn(live_game, seeded_random(2))
    game_end.end_game(game=live_game.refresh(), why=EndReason.TURNS, by=live_game.judge, now=live_game.later())
    assert 'name="turns" value="1"' in page(judge, live_game, "rounds")
    act(judge, live_game, "next-game")
    assert profile_of(Game.objects.get(number=2)).max_turns == 1
    act(judge, live_game, "set-up-game", turns="")
    assert profile_of(Game.objects.get(number=2)).max_turns is None


def test_a_judge_does_not_plan_and_a_typist_takes_no_files(judge: Client, typist: Client, live_game: ClubGame) -> None:
    text = page(typist, live_game, "rounds")
    assert "plan-round" not in text
    assert "?as=csv" not in text
    assert "?as=csv" in page(judge, live_game, "rounds")


def bring(client: Client, club_game: ClubGame, content: bytes, name: str = "players.xlsx") -> tuple[int, str]:
    upload = SimpleUploadedFile(name, content)
    answer = client.post(f"/desk/{club_game.event.code}/players/file/", {"file": upload})
    return answer.status_code, answer.content.decode()


def form_of(text: str) -> dict[str, str]:
    """The fields of the previewed file as a browser sends them, with the button for the import."""
    inputs = re.findall(r'<(?:input type="hidden"|button class="go") name="(cells|shown)" value="([^"]*)"', text)
    selects = re.findall(r'<select id="(?:column|namesake)\S+" name="([^"]+)">(.*?)</select>', text, re.DOTALL)
    chosen = {name: re.findall(r'value="([^"]*)" selected', options) for name, options in selects}
    fields = {name: unescape(value) for name, value in inputs} | {
        name: "".join(value) for name, value in chosen.items()
    }
    return fields | ({"has_header": "yes"} if 'value="yes" checked' in text else {})


def test_a_file_is_previewed_then_imported_and_updated(typist: Client, live_game: ClubGame) -> None:
    address = f"/desk/{live_game.event.code}/players/file/"
    content = xlsx(
        ["Tisch", "Name", "Verein", "Pass"], [30, "@Max", "Wien"], [None, 'Zoë "Z" <Bo>', "Graz, Süd", "'=7"]
    )
    status, text = bring(typist, live_game, content)
    assert status == 200
    assert "2 new players" in text
    assert Player.objects.count() == 4
    text = typist.post(address, form_of(text) | {"column-3": "licence"}).content.decode()
    assert "look at the differences again" in text
    assert typist.post(address, form_of(text)).status_code == 302
    added = Player.objects.filter(table__in=[4, 30]).order_by("table").values_list("table", "name", "club", "licence")
    assert list(added) == [(4, 'Zoë "Z" <Bo>', "Graz, Süd", "=7"), (30, "@Max", "Wien", "")]
    status, text = bring(typist, live_game, b"Nachname;Vorname;Verein\n@Max;;Linz\nRossi;Anna;Roma\n", "players.csv")
    assert "<del>Wien</del>" not in text
    again = form_of(text) | {"namesake-2": "30", "namesake-3": "new"}
    text = typist.post(address, again).content.decode()
    assert "<del>Wien</del> → <ins>Linz</ins>" in text
    assert "5 players are not in the file" in text
    assert typist.post(address, form_of(text)).status_code == 302
    assert Player.objects.get(table=30).club == "Linz"
    assert Player.objects.filter(name="Anna Rossi").count() == 2


def test_faults_are_reported_by_cell_and_nobody_is_imported(typist: Client, live_game: ClubGame) -> None:
    status, text = bring(typist, live_game, b"Name;Table\nElio;1\nFosca;30\n", "players.csv")
    assert status == 422
    assert "<b>B2</b>: Table 1 is taken by Anna Rossi" in text
    assert 'name="shown"' not in text
    assert Player.objects.count() == 4


def test_a_change_in_between_is_reported_on_import(typist: Client, live_game: ClubGame) -> None:
    _status, text = bring(typist, live_game, b"Name;Table\nElio;30\n", "players.csv")
    players.add_players(event=live_game.event, players=[NewPlayer(30, "Ivo")], now=live_game.later())
    answer = typist.post(f"/desk/{live_game.event.code}/players/file/", form_of(text))
    assert answer.status_code == 422
    assert "Table 30 is taken by Ivo" in answer.content.decode()


def test_a_refused_list_stays_in_its_field(judge: Client, live_game: ClubGame) -> None:
    address = f"/desk/{live_game.event.code}/do/add-players/"
    text = judge.post(address, {"lines": "8, Elio\n9, Anna Rossi, Torino"}).content.decode()
    assert "If this is somebody else, choose “Add namesakes too”." in unescape(text)
    assert "8, Elio\n9, Anna Rossi, Torino</textarea>" in text
    assert judge.post(address, {"lines": "9, Anna Rossi, Torino", "namesakes": "yes"}).status_code == 302
    assert Player.objects.filter(name="Anna Rossi", club="Torino").count() == 2


def test_a_removal_is_undone_on_the_page_of_the_players(judge: Client, live_game: ClubGame) -> None:
    act(judge, live_game, "remove-player", table=2)
    text = page(judge, live_game, "players")
    assert "Bruno Verdi was removed." in text
    assert "Undo (10 minutes left)" in text
    [key] = re.findall(r'name="act" value="(\d+)"', text)
    assert act(judge, live_game, "undo-players", act=key) == "1 player is back in place."
    assert Player.objects.get(table=2).name == "Bruno Verdi"
    assert "undo-players" not in page(judge, live_game, "players")


def test_a_missing_file_and_a_missing_table_are_reported(typist: Client, live_game: ClubGame) -> None:
    address = f"/desk/{live_game.event.code}/players/file/"
    assert "Choose a file first." in typist.post(address, {}).content.decode()
    assert "cannot be read as a spreadsheet" in bring(typist, live_game, b"PK\x03\x04torn")[1]
    assert "holds no players" in bring(typist, live_game, b"Name\n")[1]


@pytest.mark.parametrize("role", [Role.DIRECTOR, Role.TYPIST])
@pytest.mark.parametrize("name", ["entry-desk", "tables", "rounds", "players/file"])
def test_every_control_has_a_key(live_game: ClubGame, name: str, role: str) -> None:
    """Check the pages of an event with a finished game and players of all kinds."""
    players.leave_game(player=live_game.player(1), now=live_game.later(), by=live_game.judge)
    play_turn(live_game, seeded_random(4))
    game_end.end_game(game=live_game.refresh(), why=EndReason.JUDGE, by=live_game.judge, now=live_game.later())
    user = User.objects.create(username=f"the {role}")
    Membership.objects.create(event=live_game.event, user=user, role=role)
    client = Client()
    client.force_login(user, backend=BACKEND)
    require_keys(page(client, live_game, name))


NEW_EVENT = {"name": "Cup", "date": "2026-03-07", "edition": "it", "profile": "it-box", "draw_mode": "seeded"}


def post_new_event(client: Client, fields: Mapping[str, object]) -> tuple[int, str]:
    answer = client.post("/desk/new/", {**NEW_EVENT, "language": "en", **fields})
    return answer.status_code, answer.content.decode()


def test_a_new_event_shows_its_file_of_players_first(judge: Client) -> None:
    table = "Zoë;Forlì;X\nNiccolò Però;Forlì;\nZoë;Forlì;9\n"
    upload = SimpleUploadedFile("soci.csv", f"nome;circolo;Pass\n{table}".encode("latin-1"))
    status, text = post_new_event(judge, {"file": upload, "place": "Asti"})
    assert status == 200
    assert "B4: Zoë is there twice" in re.sub("</?b>", "", text) or "Zoë is there twice" in text
    assert 'value="Asti"' in text
    assert not Event.objects.filter(name="Cup").exists()
    fields = form_of(text) | {"column-2": "licence"}
    status, text = post_new_event(judge, fields | {"check_file": "1"})
    assert "1 name is in the list already" in text
    assert post_new_event(judge, form_of(text))[0] == 200
    status, text = post_new_event(judge, form_of(text) | {"namesake-4": "new"})
    assert (status, Player.objects.filter(club="Forlì").count()) == (200, 0), "the answer changes the list"
    assert "3 new players" in text
    assert post_new_event(judge, form_of(text))[0] == 302
    rows = Player.objects.filter(event__name="Cup").order_by("table").values_list("name", "club", "licence")
    assert list(rows) == [("Zoë", "Forlì", "X"), ("Niccolò Però", "Forlì", ""), ("Zoë", "Forlì", "9")]


def test_a_bad_file_of_a_new_event_keeps_the_form(judge: Client) -> None:
    fields = {"file": SimpleUploadedFile("players", b"PK\x03\x04torn"), "place": "Asti"}
    status, text = post_new_event(judge, fields)
    assert status == 200
    assert "cannot be read as a spreadsheet" in text
    assert 'value="Asti"' in text
    status, text = post_new_event(judge, {"file": SimpleUploadedFile("players", b"Name;Sala\nElio;Nord\n")})
    twice = form_of(text) | {"column-1": "name"}
    assert "Two columns are assigned to the same field" in post_new_event(judge, twice)[1]
    assert post_new_event(judge, twice | {"leave_file": "1", "place": "Asti"})[1].count("Asti") == 1
    assert post_new_event(judge, form_of(text))[0] == 302
    assert Player.objects.get(name="Elio").room.name == "Nord"
