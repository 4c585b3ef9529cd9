"""Pages of a simultaneous game at the hub and at a club, over HTTP: package, start code, return, results, booklet."""

from __future__ import annotations

import json
import re
from datetime import datetime, timedelta

import pytest
from django.conf import settings as configured
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils.timezone import localtime
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from tests.leaks import leaked
from tests.referee.pdf.pages import pages_of
from tests.tournaments.club_game import seeded_random
from tests.tournaments.prepared.sample_game import create_prepared_game
from tournaments.models import OpenedPackage, Simultaneous
from tournaments.now import utc_now
from tournaments.play.simulation import play_game
from tournaments.players.roster_text import NewPlayer
from tournaments.players.services.players import add_players
from tournaments.prepared.scripts import script_of
from tournaments.simultaneous.services import hub
from tournaments.simultaneous.services.returns import judge_return, list_waiting_returns
from tournaments.staff.services.login_links import first_judge

NAMES = ("Annalisa Rossini", "Bartolomeo Verdi", "Carlotta Nerini")
HOUR = timedelta(hours=1)


@pytest.fixture(autouse=True)
def _hours_that_are_never_changed(settings: Settings) -> None:
    """In a night of the change to summer time or back, a form refuses times of one hour."""
    settings.TIME_ZONE = "UTC"


@pytest.fixture
def judge(db: None) -> User:
    return first_judge()


@pytest.fixture
def desk(client: Client, judge: User) -> Client:
    client.force_login(judge, backend="django.contrib.auth.backends.ModelBackend")
    return client


def field_text(moment: datetime) -> str:
    return localtime(moment).strftime("%Y-%m-%dT%H:%M")


def organise(desk: Client, judge: User, opens: timedelta = -2 * HOUR) -> Simultaneous:
    """A simultaneous game that the organiser creates at the desk; its window is open for two more hours."""
    game, now = create_prepared_game(judge, "Round 1"), utc_now()
    times = {"opens_at": now + opens, "closes_at": now + 2 * HOUR, "embargo_until": now + 3 * HOUR}
    form = {"title": "Open of the regions", "games": [game.pk], "clubs": "Torino\nMilano\n\nTorino", "note": "Be kind."}
    answer = desk.post("/desk/simultaneous/new/", form | {name: field_text(each) for name, each in times.items()})
    assert answer.status_code == 302, answer.content.decode()
    simultaneous = Simultaneous.objects.get()
    assert list(simultaneous.clubs.values_list("name", flat=True)) == ["Torino", "Milano"]
    return simultaneous


def play(opened: OpenedPackage, seed: int = 1) -> None:
    assert opened.event is not None
    players = [
        NewPlayer(table, f"{name} {opened.club_name}", opened.club_name, series="A" if table == 1 else "B")
        for table, name in enumerate(NAMES, 1)
    ]
    now = utc_now()
    add_players(event=opened.event, players=players, now=now)
    room = opened.event.rooms.get()
    play_game(game=opened.event.games.get(), room=room, by=opened.by, rng=seeded_random(seed), start=now - HOUR)


def judge_waiting() -> None:
    for number in list_waiting_returns():
        judge_return(number)


def publish(simultaneous: Simultaneous) -> None:
    """Let the window close and the embargo end."""
    now = utc_now()
    hub.change_times(simultaneous=simultaneous, times=hub.Times(now - 5 * HOUR, now - 4 * HOUR, now - HOUR))


def pdf_text(content: bytes) -> str:
    """The text of a PDF, on whose pages no text covers another."""
    pages = pages_of(content)
    assert [page.collisions() for page in pages] == [[]] * len(pages)
    return " ".join(page.text for page in pages)


def secrets_of(simultaneous: Simultaneous) -> list[str]:
    turns = script_of(simultaneous.prepared_games.get().prepared)["turns"]
    words = [turn["master"]["word"] for turn in turns if turn["master"]]
    return [*(turn["rack"] for turn in turns), *(word for word in words if len(word) > 3), *NAMES]


def play_by_files(desk: Client, simultaneous: Simultaneous) -> None:
    """Each club opens the file of the package with its code, plays, saves the return and sends it."""
    package = desk.get(f"/desk/simultaneous/{simultaneous.pk}/package/").content
    for seed, club in enumerate(simultaneous.clubs.all(), 1):
        form = {"file": SimpleUploadedFile("package.json", package), "code": club.start_code.lower()}
        answer = desk.post("/desk/simultaneous/open/", form)
        assert answer.status_code == 302, answer.content.decode()
        opened = OpenedPackage.objects.get(club_number=club.number)
        assert "Once the game is over" in desk.get(answer["Location"]).content.decode()
        play(opened, seed)
        assert "Save the return as a file" in desk.get(answer["Location"]).content.decode()
        saved = desk.post(f"{answer['Location']}return/", {"file": "1"})
        upload = SimpleUploadedFile("return.json", saved.content)
        page = Client().post(f"/simultaneous/{simultaneous.token}/return/", {"return": upload})
        assert f"The return of {club.name} was received" in page.content.decode()
    judge_waiting()


def test_two_clubs_from_the_package_to_the_booklet(desk: Client, judge: User) -> None:
    simultaneous = organise(desk, judge)
    codes = pdf_text(desk.get(f"/desk/simultaneous/{simultaneous.pk}/codes/").content)
    assert [club for club in simultaneous.clubs.all() if club.start_code not in codes] == []
    play_by_files(desk, simultaneous)
    publish(simultaneous)
    comments = f"/desk/simultaneous/{simultaneous.pk}/comments/1/"
    assert desk.post(comments, {"turn-2": "Few saw the hook."}).status_code == 302
    reader, root = Client(), f"/simultaneous/{simultaneous.token}/"
    overall = reader.get(root).content.decode()
    assert all(f"{name} {club}" in overall for name in NAMES for club in ("Torino", "Milano"))
    category = reader.get(root, {"category": "A"}).content.decode()
    assert (f"{NAMES[0]} Milano" in category, f"{NAMES[1]} Milano" in category) == (True, False)
    assert "Torino" in reader.get(f"{root}clubs/").content.decode()
    club = reader.get(f"{root}clubs/1/").content.decode()
    assert (f"{NAMES[0]} Torino" in club, f"{NAMES[0]} Milano" in club) == (True, False)
    turns = script_of(simultaneous.prepared_games.get().prepared)["turns"]
    for language, _name in configured.LANGUAGES:
        text = pdf_text(reader.get(f"{root}booklet/", {"language": language}).content)
        assert [turn["rack"] for turn in turns if turn["rack"] not in text] == [], language
        assert "Few saw the hook." in text
        assert NAMES[0] in text


def test_before_the_embargo_no_page_shows_a_rack_a_move_or_a_player(desk: Client, judge: User) -> None:
    simultaneous = organise(desk, judge)
    play_by_files(desk, simultaneous)
    secrets, root = secrets_of(simultaneous), f"/simultaneous/{simultaneous.token}/"
    reader = Client()
    pages = [(reader, root + part) for part in ("", "return/", "package/", "?category=A&page=1")]
    own = f"/desk/simultaneous/{simultaneous.pk}/"
    returned = simultaneous.returns.all()
    pages += [(desk, own), (desk, f"{own}package/"), (desk, f"{own}codes/"), (desk, "/desk/simultaneous/")]
    pages += [(desk, f"{own}club/{number}/") for number in (1, 2)]
    for client, page in pages:
        answer = client.get(page)
        assert answer.status_code == 200, page
        text = pdf_text(answer.content) if page.endswith("codes/") else answer.content.decode()
        assert leaked(text, secrets) == [], page
    for page in ("clubs/", "clubs/1/", "booklet/", "booklet/?language=it"):
        assert reader.get(root + page).status_code == 404, page
    for page in ("comments/1/", f"return/{returned[0].pk}/"):
        answer = desk.get(own + page, follow=True)
        assert leaked(answer.content.decode(), secrets) == [], page
        assert "time window has closed" in answer.content.decode()
    # After the window but under the embargo the organiser sees the differences, and the public still nothing.
    now = utc_now()
    hub.change_times(simultaneous=simultaneous, times=hub.Times(now - 5 * HOUR, now - 4 * HOUR, now + HOUR))
    assert desk.get(own + "comments/1/").status_code == 200
    for page in ("", "clubs/", "clubs/1/", "booklet/"):
        assert leaked(reader.get(root + page).content.decode(), secrets) == [], page
    publish(simultaneous)
    assert leaked(reader.get(root).content.decode(), secrets) != []


def test_prepared_games_of_a_simultaneous_game_give_no_practice_link(desk: Client, judge: User) -> None:
    simultaneous = organise(desk, judge)
    prepared = simultaneous.prepared_games.get().prepared
    answer = desk.post(f"/desk/prepared/{prepared.pk}/practice/", follow=True)
    assert "after its embargo" in answer.content.decode()
    assert not prepared.practice_links.exists()


def test_a_package_is_refused_before_its_time_with_the_time(desk: Client, judge: User) -> None:
    simultaneous = organise(desk, judge, opens=HOUR)
    package = desk.get(f"/desk/simultaneous/{simultaneous.pk}/package/").content
    form = {"file": SimpleUploadedFile("package.json", package), "code": simultaneous.clubs.all()[0].start_code}
    answer = desk.post("/desk/simultaneous/open/", form)
    assert answer.status_code == 422
    assert f"{localtime(simultaneous.opens_at):%H:%M}" in answer.content.decode() or "a.m." in answer.content.decode()
    assert not OpenedPackage.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_an_online_club_opens_by_link_and_returns_over_http(live_server: LiveServer, client: Client) -> None:
    judge = first_judge()
    client.force_login(judge, backend="django.contrib.auth.backends.ModelBackend")
    simultaneous = organise(client, judge)
    link = f"{live_server.url}/simultaneous/{simultaneous.token}/package/"
    answer = client.post("/desk/simultaneous/open/", {"link": link, "code": simultaneous.clubs.all()[0].start_code})
    assert answer.status_code == 302, answer.content.decode()
    opened = OpenedPackage.objects.get()
    assert opened.hub == f"{live_server.url}/simultaneous/{simultaneous.token}/return/"
    play(opened)
    page = client.post(f"{answer['Location']}return/", follow=True).content.decode()
    assert "The return of Torino was received: thank you." in page
    assert simultaneous.returns.get().counts == "counted"


def test_a_link_that_leads_nowhere_says_what_to_do(desk: Client) -> None:
    for link, said in (("http://127.0.0.1:9/", "cannot be reached"), ("ftp://x", "whole address")):
        answer = desk.post("/desk/simultaneous/open/", {"link": link, "code": "BCDFG-HJKMN-PQRST-23456"})
        assert answer.status_code == 422
        assert said in answer.content.decode()


def test_an_upload_that_is_no_return_is_answered_in_the_form_that_was_asked_for(desk: Client, judge: User) -> None:
    address = f"/simultaneous/{organise(desk, judge).token}/return/"
    told = Client().post(address, b"{}", content_type="application/json")
    assert (told.status_code, json.loads(told.content)["kept"]) == (422, False)
    page = Client().post(address, {})
    assert page.status_code == 422
    assert re.search(r"Choose the file", page.content.decode())


def test_a_simultaneous_game_is_deleted_with_its_returns_once_it_is_published(desk: Client, judge: User) -> None:
    simultaneous = organise(desk, judge)
    address = f"/desk/simultaneous/{simultaneous.pk}/"
    assert "once the results are published" in desk.post(f"{address}delete/", follow=True).content.decode()
    publish(simultaneous)
    assert "Delete this simultaneous game" in desk.get(address).content.decode()
    assert desk.post(f"{address}delete/").status_code == 302
    assert not Simultaneous.objects.exists()
