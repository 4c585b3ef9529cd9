"""Preview of the players who gain and lose by a ruling, with and without scripts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.tournaments.club_game import ClubGame, create_club_game
from tournaments.models import SlipRuling, WordRuling
from tournaments.play.position import profile_of
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.django_db


@pytest.fixture
def club_game(client: Client) -> ClubGame:
    judge: User = first_judge()
    client.force_login(judge, backend="django.contrib.auth.backends.ModelBackend")
    club_game = create_club_game(judge)
    club_game.begin_turn("ACEIRST")
    club_game.phone(1, "CESTAI", "8C", 20)
    club_game.phone(2, "TRISCEA", "8H", 76)
    club_game.close()
    return club_game


def asks(client: Client, club_game: ClubGame, action: str, fields: Mapping[str, str], *, htmx: bool = True) -> str:
    headers = {"HX-Request": "true"} if htmx else {}
    address = f"/desk/{club_game.event.code}/preview/{action}/"
    answer = client.post(address, dict(fields), headers=headers, follow=True)
    assert answer.status_code == 200
    return unescape(answer.content.decode())


def confirm(client: Client, club_game: ClubGame, page: str, *, htmx: bool = True) -> str:
    """Send the form of a preview as the browser does."""
    form = re.search(r'<form method="post" action="([^"]*/do/[^"]*)".*?</form>', page, re.DOTALL)
    assert form is not None
    fields = dict(re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)">', form[0]))
    headers = {"HX-Request": "true"} if htmx else {}
    return unescape(client.post(form[1], fields, headers=headers, follow=True).content.decode())


ACCEPT = {"word": "TRISCEA", "ruling": "accepted", "reason": "in the book"}


def test_a_word_is_accepted_after_a_look_at_who_gains(client: Client, club_game: ClubGame) -> None:
    page = asks(client, club_game, "rule-word", ACCEPT)
    assert "Accept TRISCEA" in page
    assert "Bruno Verdi" in page
    assert "0 → 76" in page
    assert re.search(r"Anna Rossi</th>\s*<td>20</td>\s*<td>\s*1 →\s*2\s*</td>", page)
    assert "On the board: CESTAI 8C → TRISCEA 8H." in page
    assert not WordRuling.objects.exists()
    done = confirm(client, club_game, page)
    assert WordRuling.objects.get().reason == "in the book"
    assert '<div id="preview" hx-swap-oob="innerHTML"></div>' in done
    assert "Place TRISCEA 8H" in done


def test_without_scripts_the_preview_is_a_page_with_a_way_back(client: Client, club_game: ClubGame) -> None:
    page = asks(client, club_game, "rule-word", ACCEPT, htmx=False)
    assert f'<a class="button" href="/desk/{club_game.event.code}/">Leave it as it is</a>' in page
    assert "<h1>Accept TRISCEA</h1>" in page
    assert "Place TRISCEA 8H" in confirm(client, club_game, page, htmx=False)


def test_the_forms_of_the_desk_lead_to_the_preview(client: Client, club_game: ClubGame) -> None:
    page = client.get(f"/desk/{club_game.event.code}/").content.decode()
    for action in ("rule-word", "decide"):
        assert f"/desk/{club_game.event.code}/preview/{action}/" in page
        assert f"/desk/{club_game.event.code}/do/{action}/" not in page


def test_a_change_in_between_is_reported_in_one_sentence(client: Client, club_game: ClubGame) -> None:
    page = asks(client, club_game, "rule-word", ACCEPT)
    club_game.paper("3 8H TRISCEA 76")
    confirm(client, club_game, page, htmx=False)
    told = confirm(client, club_game, page, htmx=False)
    assert "Something has changed in the meantime: check again who gains and loses." in told
    assert not WordRuling.objects.exists()


def test_a_decision_is_shown_confirmed_and_taken_back(client: Client, club_game: ClubGame) -> None:
    group = club_game.verdict(2).group
    page = asks(client, club_game, "decide", {"group": group, "points": "30", "reason": "agreed before"})
    assert "Give 30 points for these slips" in page
    assert "0 → 30" in page
    confirm(client, club_game, page)
    assert SlipRuling.objects.get().points == 30
    page = asks(client, club_game, "revoke-decision", {"group": group})
    assert "30 → 0" in page
    confirm(client, club_game, page)
    assert club_game.verdict(2).points == 0


def test_a_ruling_is_taken_back_after_a_look(client: Client, club_game: ClubGame) -> None:
    confirm(client, club_game, asks(client, club_game, "rule-word", ACCEPT))
    page = asks(client, club_game, "revoke-word", {"word": "TRISCEA"})
    assert "76 → 0" in page
    confirm(client, club_game, page)
    assert club_game.verdict(2).points == 0


@pytest.mark.parametrize(
    ("action", "fields", "sentence"),
    [
        ("rule-word", {"word": "A", "ruling": "accepted"}, "A word has 2 to 15 letters."),
        ("decide", {"group": "x", "points": "many"}, "Points go from 0 to 2000."),
        ("revoke-word", {"word": "CESTAI"}, "There is no ruling on CESTAI."),
        ("change-rules", {}, "The rules are set this way already."),
    ],
)
def test_what_cannot_be_shown_says_why(
    client: Client, club_game: ClubGame, action: str, fields: dict[str, str], sentence: str
) -> None:
    assert sentence in asks(client, club_game, action, fields, htmx=False)
    answer = client.post(f"/desk/{club_game.event.code}/preview/{action}/", fields, headers={"HX-Request": "true"})
    assert answer.content == b""
    assert sentence in unescape(answer.headers["HX-Trigger"].encode().decode("unicode_escape"))


def test_another_action_has_no_preview(client: Client, club_game: ClubGame) -> None:
    assert client.post(f"/desk/{club_game.event.code}/preview/draw/").status_code == 404


def test_rules_of_judging_change_in_play_after_a_look(client: Client, club_game: ClubGame) -> None:
    rules = client.get(f"/desk/{club_game.event.code}/rules/").content.decode()
    assert "Change how slips are judged" in rules
    assert 'name="rule-wrong_score"' in rules
    assert 'name="rule-rack_size"' not in rules
    page = asks(client, club_game, "change-rules", {"rule-wrong_score": "zero"}, htmx=False)
    assert "Judge all turns of this game by these rules" in page
    assert profile_of(club_game.refresh()).wrong_score == "real"
    confirm(client, club_game, page, htmx=False)
    assert profile_of(club_game.refresh()).wrong_score == "zero"
