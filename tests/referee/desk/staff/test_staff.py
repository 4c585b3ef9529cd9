"""Staff of an event: colleagues are added by a link or a password, and removed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import Settings

from referee import settings as programs_own
from referee.security import login_throttle
from referee.security.login import make_link_token
from tests.referee.live.live_game import LiveGame, make_live_game
from tournaments.enums import Role
from tournaments.models import Event, LedgerEntry, LoginLink, Membership, PreparedGame
from tournaments.now import utc_now
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.django_db
PASSWORD = "tre parole a caso"


@pytest.fixture(autouse=True)
def _no_pause() -> Iterator[None]:
    login_throttle.reset_attempts()
    yield
    login_throttle.reset_attempts()


@pytest.fixture
def live_game() -> LiveGame:
    return make_live_game(joined=False)


@pytest.fixture
def director(live_game: LiveGame) -> Client:
    client = Client()
    client.force_login(live_game.judge)
    return client


def post(client: Client, live_game: LiveGame, act: str, **fields: object) -> str:
    """Send a form of the page; return the page that follows."""
    answer = client.post(f"/desk/{live_game.event.code}/staff/{act}/", fields, follow=True)
    assert answer.status_code == 200
    return answer.content.decode()


def link_in(page: str) -> str:
    found = re.search(r"http://testserver(/enter/[^<\s]+/)", page)
    assert found, page
    return found[1]


def let_in(director: Client, live_game: LiveGame, name: str, role: str) -> tuple[Client, Membership]:
    """Return a new colleague who has logged in by their link."""
    client = Client()
    client.post(link_in(post(director, live_game, "add", name=name, role=role)))
    return client, Membership.objects.get(event=live_game.event, user__first_name=name)


def test_a_colleague_comes_in_by_the_link_that_is_shown_once_with_its_qr_code(
    director: Client, live_game: LiveGame
) -> None:
    page = post(director, live_game, "add", name="Anna Rossi", role="judge")
    assert "<svg" in page
    link, colleague = link_in(page), Client()
    assert colleague.post(link)["Location"] == "/desk/"
    assert colleague.get(f"/desk/{live_game.event.code}/").status_code == 200
    assert Client().get(link)["Location"] == "/desk/locked/"
    assert "/enter/" not in director.get(f"/desk/{live_game.event.code}/staff/").content.decode()


def test_a_colleague_of_one_event_is_led_to_its_desk_and_a_wall_to_the_wall(
    director: Client, live_game: LiveGame
) -> None:
    typist, _ = let_in(director, live_game, "Anna", "typist")
    assert typist.get("/desk/", follow=True).redirect_chain == [(f"/desk/{live_game.event.code}/", 302)]
    wall, _ = let_in(director, live_game, "Beamer", "wall")
    answer = wall.get("/desk/", follow=True)
    assert answer.redirect_chain[-1] == (f"/wall/{live_game.event.wall_token}/", 302)
    assert answer.status_code == 200


def test_a_colleague_with_user_name_and_password_logs_in(
    director: Client, live_game: LiveGame, settings: Settings
) -> None:
    settings.PASSWORD_HASHERS = programs_own.PASSWORD_HASHERS
    page = post(director, live_game, "add", name="Anna", role="judge", username="anna.r", password=PASSWORD)
    assert "/enter/" not in page
    assert PASSWORD not in page
    user = User.objects.get(username="anna.r")
    assert user.password.startswith("argon2$")
    client = Client()
    answer = client.post("/desk/locked/", {"username": "anna.r", "password": PASSWORD})
    assert answer["Location"] == "/desk/"
    assert client.get(f"/desk/{live_game.event.code}/").status_code == 200


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"name": "", "role": "judge"}, "Type the name of your colleague."),
        ({"name": "Anna", "role": "king"}, "Choose a role"),
        ({"name": "Anna", "role": "judge", "password": "short", "username": "anna"}, "at least 10 characters"),
        ({"name": "Anna", "role": "judge", "password": "1234567890123", "username": "anna"}, "entirely numeric"),
        ({"name": "Anna", "role": "judge", "password": "password1234", "username": "anna"}, "too common"),
        ({"name": "Annabella", "role": "judge", "password": "annabella1", "username": "annabella"}, "too similar"),
        ({"name": "Anna", "role": "judge", "username": "a b", "password": PASSWORD}, "A user name has letters"),
        ({"name": "Anna", "role": "judge", "username": "judge", "password": PASSWORD}, "is taken"),
        ({"known": "nobody-here", "role": "judge"}, "Nobody of this user name has worked with you"),
    ],
)
def test_what_cannot_be_an_account_is_refused_in_a_sentence(
    director: Client, live_game: LiveGame, fields: dict[str, str], sentence: str
) -> None:
    before = User.objects.count()
    assert sentence in post(director, live_game, "add", **fields)
    assert User.objects.count() == before


def test_a_second_click_creates_no_second_account_and_a_user_name_gives_no_ownership(
    director: Client, live_game: LiveGame
) -> None:
    post(director, live_game, "add", name="Judge", role="typist")
    assert "on the list already" in post(director, live_game, "add", name="judge", role="typist")
    assert list(User.objects.filter(first_name="Judge").values_list("username", flat=True)) == ["judge-2"]


def test_a_removed_colleague_is_logged_out_everywhere_and_their_links_are_void(
    director: Client, live_game: LiveGame
) -> None:
    colleague, place = let_in(director, live_game, "Anna", "judge")
    spare = make_link_token(place.user)
    post(director, live_game, "revoke", place=place.pk)
    assert colleague.get(f"/desk/{live_game.event.code}/")["Location"].startswith("/desk/locked/")
    assert Client().get(f"/enter/{spare}/")["Location"] == "/desk/locked/"
    assert not LoginLink.objects.filter(user=place.user, used_at=None).exists()
    assert not User.objects.get(pk=place.user_id).is_active


def test_a_removed_colleague_of_another_event_keeps_the_account(director: Client, live_game: LiveGame) -> None:
    colleague, place = let_in(director, live_game, "Anna", "judge")
    other = make_live_game(joined=False)
    Membership.objects.create(event=other.event, user=place.user, role=Role.TYPIST)
    post(director, live_game, "revoke", place=place.pk)
    assert colleague.get(f"/desk/{live_game.event.code}/").status_code == 404
    assert colleague.get(f"/desk/{other.event.code}/").status_code == 200


def test_another_role_counts_from_the_next_click(director: Client, live_game: LiveGame) -> None:
    colleague, place = let_in(director, live_game, "Anna", "judge")
    assert colleague.get(f"/desk/{live_game.event.code}/words/").status_code == 200
    post(director, live_game, "role", place=place.pk, role="typist")
    assert colleague.get(f"/desk/{live_game.event.code}/words/").status_code == 403


def test_somebody_always_directs_and_the_owner_stays(live_game: LiveGame, director: Client) -> None:
    own = Membership.objects.get(event=live_game.event, user=live_game.judge)
    assert "You cannot take away your own role" in post(director, live_game, "revoke", place=own.pk) or (
        "The event needs a director" in post(director, live_game, "revoke", place=own.pk)
    )
    assert "The event needs a director" in post(director, live_game, "role", place=own.pk, role="judge")
    owner = Membership.objects.create(event=live_game.event, user=first_judge(), role=Role.DIRECTOR)
    for act, fields in (("revoke", {}), ("role", {"role": "typist"})):
        assert "stays director" in post(director, live_game, act, place=owner.pk, **fields)
    assert Membership.objects.filter(event=live_game.event, role=Role.DIRECTOR).count() == 2


def test_a_director_cannot_make_links_for_accounts_with_other_roles(live_game: LiveGame, director: Client) -> None:
    """Otherwise a link for a colleague would give access to other people's events."""
    other = make_live_game(joined=False)
    foreign = Membership.objects.create(event=live_game.event, user=other.judge, role=Role.JUDGE)
    owner = Membership.objects.create(event=live_game.event, user=first_judge(), role=Role.DIRECTOR)
    _, preparing = let_in(director, live_game, "Carla", "director")
    PreparedGame.objects.create(by=preparing.user, title="Sealed", kind="prepared", created_at=utc_now())
    links = LoginLink.objects.count()
    for place in (foreign, owner, preparing):
        assert "/enter/" not in post(director, live_game, "link", place=place.pk)
        before = User.objects.get(pk=place.user_id).password
        post(director, live_game, "password", place=place.pk, password=PASSWORD)
        assert User.objects.get(pk=place.user_id).password == before
    assert LoginLink.objects.count() == links
    place = let_in(director, live_game, "Anna", "judge")[1]
    assert "/enter/" in post(director, live_game, "link", place=place.pk)


def test_a_place_of_another_event_is_not_found(live_game: LiveGame, director: Client) -> None:
    other = make_live_game(joined=False)
    place = Membership.objects.get(event=other.event)
    for act in ("link", "password", "role", "revoke"):
        answer = director.post(f"/desk/{live_game.event.code}/staff/{act}/", {"place": place.pk, "role": "judge"})
        assert answer.status_code == 404, act
    for nonsense in ("", "x", "-1", "9" * 30, "²"):
        assert director.post(f"/desk/{live_game.event.code}/staff/link/", {"place": nonsense}).status_code == 404


def test_a_colleague_of_another_event_gets_a_role_with_their_account(live_game: LiveGame, director: Client) -> None:
    _, place = let_in(director, live_game, "Anna", "judge")
    second = make_live_game(joined=False)
    Membership.objects.create(event=second.event, user=live_game.judge, role=Role.DIRECTOR)
    page = director.get(f"/desk/{second.event.code}/staff/").content.decode()
    assert f'value="{place.user.username}"' in page
    post(director, second, "add", known=place.user.username, role="typist")
    assert Membership.objects.get(event=second.event, user=place.user).role == Role.TYPIST
    assert User.objects.filter(first_name="Anna").count() == 1


def test_the_page_shows_who_is_present_and_who_was_never_seen(live_game: LiveGame, director: Client) -> None:
    colleague, place = let_in(director, live_game, "Anna", "typist")
    page = director.get(f"/desk/{live_game.event.code}/staff/").content.decode()
    assert page.count("is here") == 1
    assert "never" in page
    colleague.get(f"/desk/{live_game.event.code}/")
    assert director.get(f"/desk/{live_game.event.code}/staff/").content.decode().count("is here") == 2
    Membership.objects.filter(pk=place.pk).update(seen_at=utc_now() - timedelta(hours=2))
    assert director.get(f"/desk/{live_game.event.code}/staff/").content.decode().count("is here") == 1


def test_every_change_of_the_staff_is_in_the_ledger(live_game: LiveGame, director: Client) -> None:
    _, place = let_in(director, live_game, "Anna", "judge")
    post(director, live_game, "role", place=place.pk, role="typist")
    post(director, live_game, "revoke", place=place.pk)
    entries = LedgerEntry.objects.filter(kind="staff").order_by("n")
    assert [(entry.data["what"], entry.data["role"], entry.by) for entry in entries] == [
        ("added", "judge", live_game.judge.username),
        ("role", "typist", live_game.judge.username),
        ("revoked", "typist", live_game.judge.username),
    ]


def test_a_user_who_logged_in_by_a_link_sets_a_password(live_game: LiveGame, director: Client) -> None:
    colleague, place = let_in(director, live_game, "Anna", "judge")
    page = colleague.get("/desk/account/").content.decode()
    assert place.user.username in page
    weak = colleague.post("/desk/account/", {"password": "12345"}, follow=True).content.decode()
    assert "at least 10 characters" in weak
    colleague.post("/desk/account/", {"password": PASSWORD})
    assert colleague.get(f"/desk/{live_game.event.code}/").status_code == 200
    answer = Client().post("/desk/locked/", {"username": place.user.username, "password": PASSWORD})
    assert answer["Location"] == "/desk/"


def test_another_password_of_ones_own_takes_the_present_one(live_game: LiveGame, director: Client) -> None:
    post(director, live_game, "add", name="Anna", role="judge", username="anna.r", password=PASSWORD)
    client = Client()
    client.post("/desk/locked/", {"username": "anna.r", "password": PASSWORD})
    for old in ("", "guessed"):
        answer = client.post("/desk/account/", {"old_password": old, "password": "quattro parole mie"}, follow=True)
        assert "The current password is wrong" in answer.content.decode()
    assert User.objects.get(username="anna.r").check_password(PASSWORD)
    client.post("/desk/account/", {"old_password": PASSWORD, "password": "quattro parole mie"})
    assert User.objects.get(username="anna.r").check_password("quattro parole mie")


def test_logging_out_locks_this_device(live_game: LiveGame, director: Client) -> None:
    assert director.post("/desk/log-out/")["Location"] == "/desk/locked/"
    assert director.get(f"/desk/{live_game.event.code}/")["Location"].startswith("/desk/locked/")


def test_a_club_night_needs_no_password_at_all(client: Client, db: None) -> None:
    owner = first_judge()
    client.post(f"/enter/{make_link_token(owner)}/")
    assert client.get("/desk/new/").status_code == 200
    assert not owner.has_usable_password()


def act_of(client: Client, event: Event, name: str, **fields: Any) -> Any:
    return client.post(f"/desk/{event.code}/do/{name}/", fields, headers={"Accept": "application/json"}).json()


def test_a_typist_types_paper_and_sees_neither_tops_nor_verdicts_before_the_hall(
    director: Client, live_game: LiveGame
) -> None:
    typist, _ = let_in(director, live_game, "Anna", "typist")
    code = live_game.event.code
    live_game.draw("CORNOAT")
    assert "ACNOORT" not in typist.get(f"/desk/{code}/").content.decode()
    live_game.announce()
    assert act_of(typist, live_game.event, "paper", line="1 8D CORNX 22")["ok"]
    live_game.close()
    assert {"CONTRO", "TRONCO"} <= {top["word"] for top in live_game.turn.tops or ()}
    assert "CORNX" in director.get(f"/desk/{code}/").content.decode()
    for page in ("", "main/", "players/", "standings/"):
        text = typist.get(f"/desk/{code}/{page}").content.decode()
        assert [word for word in ("CONTRO", "TRONCO", "CORNX") if word in text] == [], page
    assert "ACNOORT" in typist.get(f"/desk/{code}/").content.decode()
    live_game.place()
    assert live_game.turn.master_word in typist.get(f"/desk/{code}/").content.decode()


def test_a_link_that_was_made_is_revoked(director: Client, live_game: LiveGame) -> None:
    page = post(director, live_game, "add", name="Anna Rossi", role="typist")
    link, place = link_in(page), Membership.objects.get(event=live_game.event, user__first_name="Anna Rossi")
    assert "Revoke this link" in page
    assert "The link no longer works." in post(director, live_game, "unlink", place=place.pk)
    assert Client().post(link)["Location"] == "/desk/locked/"


@pytest.mark.parametrize("role", [Role.DIRECTOR, Role.JUDGE, Role.TYPIST])
def test_everybody_makes_a_link_for_another_device_of_their_own(live_game: LiveGame, role: Role) -> None:
    user = User.objects.create(username="carla", first_name="Carla")
    Membership.objects.create(event=live_game.event, user=user, role=role)
    own, other = Client(), Client()
    own.force_login(user)
    page = own.post("/desk/account/link/").content.decode()
    assert "<svg" in page
    other.post(link_in(page))
    assert f'user name is <b class="mono">{user.username}</b>' in other.get("/desk/account/").content.decode()
    revoked = link_in(own.post("/desk/account/link/").content.decode())
    own.post("/desk/account/unlink/")
    assert Client().post(revoked)["Location"] == "/desk/locked/"


def test_the_director_gets_a_link_for_another_device_on_the_page_of_the_staff(
    director: Client, live_game: LiveGame
) -> None:
    place = Membership.objects.get(event=live_game.event, user=live_game.judge)
    assert "Link for another device" in director.get(f"/desk/{live_game.event.code}/staff/").content.decode()
    other = Client()
    other.post(link_in(post(director, live_game, "link", place=place.pk)))
    assert other.get(f"/desk/{live_game.event.code}/staff/").status_code == 200
