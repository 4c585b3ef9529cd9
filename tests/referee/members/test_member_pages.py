"""The private page of a member: its address is the only key, and nothing of a game that is not over is on it."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from referee.members import views
from referee.members.addresses import private_addresses_of, private_path
from referee.security import failure_throttle
from tests.leaks import leaked
from tests.tournaments.club_game import ClubGame, create_club_game
from tournaments.members.services.private_pages import renew_page_token
from tournaments.models import Exercise, Member, Player, PlayerMember, Turn

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("failures_at_one_moment")]
RACK = "ACEIRST"


@pytest.fixture
def evening(judge: User) -> ClubGame:
    """One turn, in which Anna wrote a short word and Carla the top."""
    club_game = create_club_game(judge)
    turn = club_game.begin_turn(RACK)
    word, ref, score = best_of(turn)
    club_game.phone(1, "RE", "8H", 6)
    club_game.phone(3, word, ref, score)
    club_game.close()
    club_game.place()
    return club_game


@pytest.fixture
def anna(evening: ClubGame) -> Member:
    member = Member.objects.create(first_name="Anna", surname="Rossi", club="Torino")
    PlayerMember.objects.create(player=evening.player(1), member=member)
    return member


def best_of(turn: Turn) -> tuple[str, str, int]:
    assert turn.tops
    return turn.tops[0]["word"], turn.tops[0]["ref"], turn.tops[0]["score"]


def page(client: Client, member: Member, more: str = "") -> str:
    answer = client.get(private_path(member) + more)
    assert (answer.status_code, answer["X-Robots-Tag"]) == (200, "noindex, nofollow")
    assert answer["Cache-Control"] == "private, no-store"
    return answer.content.decode()


def test_a_running_game_is_on_no_page_of_a_member(client: Client, evening: ClubGame, anna: Member) -> None:
    turn = evening.turn
    secrets = [best_of(turn)[0], str(turn.top), "Bruno Verdi", "Carla Neri"]
    assert not leaked(page(client, anna), secrets)
    assert client.get(f"{private_path(anna)}turn/{turn.pk}/").status_code == 404
    assert client.post(f"{private_path(anna)}turn/{turn.pk}/start/", {"seconds": 180}).status_code == 404
    evening.end()
    text = page(client, anna)
    assert best_of(turn)[0] in text
    assert not leaked(text, ["Bruno Verdi", "Carla Neri"])


def test_the_page_speaks_the_language_of_the_browser(client: Client, evening: ClubGame, anna: Member) -> None:
    evening.end()
    answer = client.get(private_path(anna), headers={"Accept-Language": "fr"})
    assert b'<html lang="fr">' in answer.content


def test_a_wrong_address_is_counted_and_delayed_and_a_renewed_one_leads_nowhere(
    client: Client, anna: Member, judge: User, evening: ClubGame
) -> None:
    old = private_path(anna)
    renew_page_token(member=anna, by=judge, now=evening.later())
    assert client.get(old).status_code == 404
    assert client.get(private_path(Member.objects.get())).status_code == 200
    for _ in range(100):
        answer: Any = client.get("/m/wrong/")
    assert answer.status_code == 404
    assert failure_throttle.delay_of(answer.wsgi_request) == failure_throttle.DELAY_S
    assert client.get("/m/wrong/turn/1/").status_code == 404


def test_the_address_of_a_merged_record_leads_to_the_member_and_an_anonymised_one_has_none(
    client: Client, anna: Member, judge: User, evening: ClubGame
) -> None:
    double = Member.objects.create(surname="Rosi", merged_into=anna)
    assert "Anna Rossi" in page(client, double)
    old = private_path(double)
    renew_page_token(member=anna, by=judge, now=evening.later())
    assert client.get(old).status_code == 404
    double.refresh_from_db()
    assert "Anna Rossi" in page(client, double)
    Member.objects.filter(pk=anna.pk).update(anonymised_at=evening.now)
    assert client.get(private_path(anna)).status_code == 404
    assert client.get(private_path(double)).status_code == 404


def test_sheets_have_the_addresses_of_single_members_and_of_no_pair(
    evening: ClubGame, anna: Member, settings: Any
) -> None:
    for name in ("Bruno", "Bea"):
        PlayerMember.objects.create(player=evening.player(2), member=Member.objects.create(surname=name))
    assert private_addresses_of(evening.event) == {}
    settings.PUBLIC_URL = "https://club.example"
    assert private_addresses_of(evening.event) == {1: f"https://club.example{private_path(anna)}"}
    Player.objects.filter(pk=evening.player(1).pk).update(name="Anna Rossi / Guido, a guest")
    assert private_addresses_of(evening.event) == {}


def test_a_turn_is_played_again_without_scripts_and_shows_the_top_only_afterwards(
    client: Client, evening: ClubGame, anna: Member, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening.end()
    times = iter(evening.now + timedelta(seconds=step) for step in range(1000))
    monkeypatch.setattr(views, "utc_now", lambda: next(times))
    turn = evening.turn
    word, ref, score = best_of(turn)
    here = f"turn/{turn.pk}/"
    assert not leaked(page(client, anna, here), [word, RACK])
    assert client.post(f"{private_path(anna)}{here}start/", {"seconds": "180"}).status_code == 302
    running = page(client, anna, here)
    assert RACK in running
    assert not leaked(running, [word])
    bad = client.post(f"{private_path(anna)}{here}slip/", {"word": "A" * 61, "ref": ref})
    assert (bad.status_code, f'value="{ref}"' in bad.content.decode()) == (422, True)
    client.post(f"{private_path(anna)}{here}slip/", {"word": word, "ref": ref})
    judged = page(client, anna, here)
    assert "You found the top." in judged
    Exercise.objects.update(due_on=evening.now.date())
    assert "Due today" in page(client, anna)
    client.force_login(evening.judge)
    assert "Due today" in client.get(f"/desk/members/{anna.pk}/history/").content.decode()
    Exercise.objects.update(due_on=evening.now.date() + timedelta(days=1))
    assert f"{score} of {score} points" in judged
    assert Exercise.objects.get().interval_days == 1


def test_the_time_of_the_server_ends_a_try(
    client: Client, evening: ClubGame, anna: Member, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening.end()
    here, now = f"{private_path(anna)}turn/{evening.turn.pk}/", evening.now
    monkeypatch.setattr(views, "utc_now", lambda: now)
    client.post(f"{here}start/", {"seconds": "90"})
    later: datetime = now + timedelta(seconds=92)
    monkeypatch.setattr(views, "utc_now", lambda: later)
    assert "No slip" in client.get(here).content.decode()
    assert Exercise.objects.get().result["found"] is False
