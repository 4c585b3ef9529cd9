"""Warnings of players at the desk: beside the slips or in a group, with and without scripts."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client

from tests.tournaments.club_game import ClubGame, create_club_game
from tournaments.models import GivenWarning
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.django_db


@pytest.fixture
def club_game(client: Client) -> ClubGame:
    judge = first_judge()
    client.force_login(judge, backend="django.contrib.auth.backends.ModelBackend")
    club_game = create_club_game(judge, profile="fisf")
    club_game.begin_turn("ACEIRST")
    for table in (1, 2):
        club_game.phone(table, "CESTAI", "H3", 20)
    club_game.phone(3, "ZZZ", "H8", 9)
    return club_game


def desk(client: Client, club_game: ClubGame) -> str:
    return unescape(client.get(f"/desk/{club_game.event.code}/").content.decode())


def act(client: Client, club_game: ClubGame, action: str, *, htmx: bool = True, **fields: object) -> str:
    headers = {"HX-Request": "true"} if htmx else {}
    answer = client.post(f"/desk/{club_game.event.code}/do/{action}/", fields, headers=headers, follow=True)
    assert answer.status_code == 200
    return unescape(answer.content.decode())


def forms(page: str, action: str) -> list[str]:
    return re.findall(rf'<form[^>]*action="[^"]*/do/{action}/".*?</form>', page, re.DOTALL)


@pytest.mark.parametrize("htmx", [True, False])
def test_a_warning_is_given_shown_and_taken_back(client: Client, club_game: ClubGame, htmx: bool) -> None:
    [form] = forms(desk(client, club_game), "give-warning")
    assert re.findall(r'name="([a-z]+)"', form) == ["csrfmiddlewaretoken", "table", "code", "reason"]
    page = act(client, club_game, "give-warning", htmx=htmx, table="17", code="discipline", reason="talked aloud")
    assert re.search(r"<b>17</b> Dario Bianchi:\s+discipline\s+<span class=\"quiet\">talked aloud</span>", page)
    [button] = forms(page, "take-warning-back")
    sent = dict(re.findall(r'name="(table|code)" value="([^"]*)"', button))
    assert sent == {"table": "17", "code": "discipline"}
    page = act(client, club_game, "take-warning-back", htmx=htmx, **sent)
    assert "Dario Bianchi: discipline" not in page
    assert GivenWarning.objects.get().revoked_at


def test_a_group_offers_the_warning_with_its_table_and_shows_it(client: Client, club_game: ClubGame) -> None:
    club_game.close()
    [beside] = forms(desk(client, club_game), "give-warning")
    assert 'name="table"' in beside
    opened = [
        client.get(path).content.decode() for path in re.findall(r'data-source="([^"]*)"', desk(client, club_game))
    ]
    in_groups = sorted((form for page in opened for form in forms(page, "give-warning")), key=lambda one: '"3"' in one)
    assert [re.findall(r'name="table"[^>]*?value="([0-9]*)"', form) for form in in_groups] == [[""], ["3"]]
    page = act(client, club_game, "give-warning", table="2", code="unreadable", reason="")
    [group] = re.findall(r'<li class="slip group[^>]*>(?:(?!</li>).)*CESTAI.*?</li>', page, re.DOTALL)
    assert re.search(r'<p class="warned">\s*Warned:\s+<b>2</b> Bruno Verdi:\s+unclear slip\s*</p>', group)


def test_a_zero_shows_that_the_warning_is_not_counted(client: Client, club_game: ClubGame) -> None:
    club_game.close()
    page = act(client, club_game, "give-warning", table="3", code="unreadable", reason="")
    assert "Not counted, because the slip is a zero." in page


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"table": "99", "code": "discipline"}, "There is no table 99."),
        ({"table": "x", "code": "discipline"}, "“x” is not a whole number."),
        ({"table": "1", "code": "score_wrong"}, "Say what the warning is for: an unclear slip, or discipline."),
        ({"table": "1"}, "Say what the warning is for: an unclear slip, or discipline."),
    ],
)
def test_what_is_no_warning_is_refused_in_one_sentence(
    client: Client, club_game: ClubGame, fields: dict[str, str], sentence: str
) -> None:
    assert sentence in act(client, club_game, "give-warning", htmx=False, **fields)
    assert not GivenWarning.objects.exists()


def test_once_the_move_is_placed_warnings_stay_and_none_is_offered(client: Client, club_game: ClubGame) -> None:
    act(client, club_game, "give-warning", table="1", code="unreadable", reason="blots")
    club_game.close()
    club_game.place()
    page = desk(client, club_game)
    assert "Anna Rossi: unclear slip" in " ".join(page.split())
    assert forms(page, "give-warning") + forms(page, "take-warning-back") == []
