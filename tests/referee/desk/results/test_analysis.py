"""The desk's page of charts, and the settings of the public page."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.referee.desk.controls import ambiguous_keys, controls_with_hidden_key, controls_without_key, read_page
from tests.tournaments.club_game import ClubGame, create_club_game, play_turn, seeded_random
from tests.tournaments.conftest import _small_word_list, small_data_folder
from tests.tournaments.rooms_game import create_three_rooms
from tournaments.enums import Role
from tournaments.models import Document, LedgerEntry, Membership, PublicPage
from tournaments.staff.services.login_links import first_judge

__all__ = ["_small_word_list", "small_data_folder"]
pytestmark = pytest.mark.django_db
BACKEND = "django.contrib.auth.backends.ModelBackend"


@pytest.fixture
def club_game() -> ClubGame:
    return create_club_game(first_judge())


@pytest.fixture
def director(client: Client) -> Client:
    client.force_login(first_judge(), backend=BACKEND)
    return client


def colleague(club_game: ClubGame, role: Role) -> Client:
    user = User.objects.create_user(f"colleague-{role.value}")
    Membership.objects.create(event=club_game.event, user=user, role=role)
    client = Client()
    client.force_login(user, backend=BACKEND)
    return client


def read(client: Client, club_game: ClubGame, *, desk: str = "", **asked: str | int) -> str:
    answer = client.get(f"/desk/{desk or club_game.event.code}/analysis/", asked)
    assert answer.status_code == 200
    return answer.content.decode()


def test_before_the_first_turn_is_over_there_is_nothing_to_look_at(director: Client, club_game: ClubGame) -> None:
    club_game.begin_turn("CORNOAT")
    tops = [top["word"] for top in club_game.turn.tops or ()]
    club_game.phone(1, "CORNO", "8D", 22)
    for client in (director, colleague(club_game, Role.TYPIST)):
        text = read(client, club_game)
        assert "nothing to show" in text
        assert "<figure" not in text
        assert [word for word in (*tops, "CORNO", club_game.turn.rack) if word in text] == []


def test_after_a_turn_the_page_shows_the_game_the_turn_and_a_player(director: Client, club_game: ClubGame) -> None:
    club_game.begin_turn("CORNOAT")
    club_game.phone(1, "CORNO", "8D", 22)
    club_game.close()
    club_game.place()
    game, turn, player = (
        read(director, club_game),
        read(director, club_game, turn=1),
        read(director, club_game, table=2),
    )
    assert game.count("<figure") == 5
    assert "CORNO 8D" in turn
    assert "Analysis of turn 1" in turn
    assert "Bruno Verdi and the top" in player
    assert "As a table" in game


@pytest.mark.parametrize("asked", [{"turn": 2}, {"turn": "x"}, {"table": 99}, {"game": 2}, {"table": "-1"}])
def test_what_there_is_not_is_not_found(director: Client, club_game: ClubGame, asked: dict[str, str | int]) -> None:
    play_turn(club_game, seeded_random(2))
    assert director.get(f"/desk/{club_game.event.code}/analysis/", asked).status_code == 404


def test_the_desk_of_a_room_knows_what_its_room_was_shown(director: Client) -> None:
    live_game = create_three_rooms(first_judge())
    club_game = live_game.club_game
    club_game.begin_turn("CORNOAT")
    club_game.phone(1, "CORNO", "8D", 22)
    club_game.close()
    club_game.place()
    code = club_game.event.code
    assert "CORNO" in read(director, club_game)
    for desk, rooms in ((f"{code}-2", ""), (f"{code}-2", "all"), (code, "all")):
        assert "CORNO" not in read(director, club_game, desk=desk, rooms=rooms)
    for turn in (f"/desk/{code}-2/analysis/?turn=1", f"/desk/{code}-2/analysis/?turn=1&rooms=all"):
        assert director.get(turn).status_code == 404


def test_what_is_pressed_has_a_key_that_it_shows(director: Client, club_game: ClubGame) -> None:
    for _turn in range(3):
        play_turn(club_game, seeded_random(2))
    code = club_game.event.code
    director.post(f"/desk/{code}/public-page/", {"is_on": "on", "delay": "1"})
    texts = [read(director, club_game), read(director, club_game, turn=2)]
    texts.append(director.get(f"/desk/{code}/public-page/").content.decode())
    for text in texts:
        page = read_page(text)
        assert ambiguous_keys(page) == []
        assert controls_with_hidden_key(page) == []
        left = [name for name in controls_without_key(page) if "As a table" not in name and "?game=1&turn=" not in name]
        assert left == []


def test_names_of_players_are_text(director: Client, club_game: ClubGame) -> None:
    play_turn(club_game, seeded_random(2))
    club_game.player(1).__class__.objects.filter(table=1).update(name="<b>x</b>")
    assert "<b>x" not in read(director, club_game) + read(director, club_game, table=1)


def test_the_analysis_is_printed_from_its_page(director: Client, club_game: ClubGame) -> None:
    play_turn(club_game, seeded_random(2))
    fields = {"kind": "analysis", "choice": "1", "next": "/desk/"}
    assert director.post(f"/desk/{club_game.event.code}/do/make-document/", fields).status_code == 302
    assert Document.objects.get().kind == "analysis"


def test_the_director_alone_switches_the_public_page_on(director: Client, club_game: ClubGame) -> None:
    path = f"/desk/{club_game.event.code}/public-page/"
    wanted = {"is_on": "on", "delay": "3", "own_sheets": "on"}
    for role in (Role.JUDGE, Role.TYPIST):
        refused = colleague(club_game, role)
        assert [refused.get(path).status_code, refused.post(path, wanted).status_code] == [403, 403]
    assert not PublicPage.objects.exists()
    assert "The page is off." in director.get(path).content.decode()
    assert director.post(path, wanted).status_code == 302
    page = PublicPage.objects.get()
    assert (page.is_on, page.delay, page.own_sheets, page.may_be_found) == (True, 3, True, False)
    assert f"/p/{page.token}/" in director.get(path).content.decode()
    assert LedgerEntry.objects.filter(kind="public_page").count() == 1
    director.post(path, {"another": "yes"})
    assert PublicPage.objects.get().token != page.token
    director.post(path, {"delay": "3"})
    assert PublicPage.objects.get().is_on is False


@pytest.mark.parametrize("delay", ["-1", "x", "99", "1.5"])
def test_an_invalid_delay_is_reported(director: Client, club_game: ClubGame, delay: str) -> None:
    path = f"/desk/{club_game.event.code}/public-page/"
    answer = director.post(path, {"is_on": "on", "delay": delay}, follow=True)
    assert 'class="notice error"' in answer.content.decode()
    assert not PublicPage.objects.exists()
