"""Pages for a room on its own server: its secret link, what it hands in as a file, and its own desk."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from referee.outpost import line
from tests.tournaments.elsewhere import Halls, in_another_hall, outpost, play_outpost, tell, two_halls
from tournaments.errors import Refused
from tournaments.models import Event, FeedLink, FollowedFeed, Game
from tournaments.selectors.results import turns_shown
from tournaments.services import outposts
from tournaments.services.access import first_judge

pytestmark = pytest.mark.django_db


@pytest.fixture
def judge() -> User:
    return first_judge()


@pytest.fixture
def desk(client: Client, judge: User) -> Client:
    client.force_login(judge, backend="django.contrib.auth.backends.ModelBackend")
    return client


@pytest.fixture
def halls(judge: User) -> Halls:
    return two_halls(judge)


def text(answer: Any) -> str:
    content: bytes = answer.content
    return content.decode()


def page_of(halls: Halls) -> str:
    return f"/desk/{halls.night.event.code}-2/elsewhere/"


def file_of(content: str) -> SimpleUploadedFile:
    return SimpleUploadedFile("hand-in.json", content.encode(), content_type="application/json")


def test_the_link_is_shown_once_and_opens_the_feed(desk: Client, halls: Halls) -> None:
    answer = text(desk.post(page_of(halls), {"act": "give"}))
    found = re.search(r"http://testserver(/feed/[\w-]{22}/)", answer)
    assert found is not None
    assert "<svg" in answer
    assert found[1] not in text(desk.get(page_of(halls)))
    assert Client().get(found[1]).json()["format"] == "duplicate-feed"
    assert Client().get(f"/feed/{halls.token}/").status_code == 404
    desk.post(page_of(halls), {"act": "take-back"})
    assert Client().get(found[1]).status_code == 404


def test_a_file_that_is_brought_in_twice_counts_once(desk: Client, halls: Halls) -> None:
    halls.play(9)
    feed = halls.feed()
    texts = in_another_hall(lambda: play_outpost(outpost(halls, feed)))
    first = desk.post(page_of(halls), {"act": "bring", "file": file_of(texts[-1])}, follow=True)
    assert "Turns that are here now: 4" in text(first)
    assert "Every slip got here what it got there." in text(first)
    again = desk.post(page_of(halls), {"act": "bring", "file": file_of(texts[-1])}, follow=True)
    assert "4; 0 new slips." in text(again)
    assert turns_shown(halls.night.refresh()) == 4


def test_a_file_that_does_not_fit_is_refused_with_a_sentence(desk: Client, halls: Halls) -> None:
    answer = desk.post(page_of(halls), {"act": "bring", "file": file_of('{"format": "x"}')}, follow=True)
    assert "not what a room hands in" in text(answer)
    assert "Choose the file" in text(desk.post(page_of(halls), {"act": "bring"}, follow=True))


def test_the_page_says_whether_the_line_is_there(desk: Client, halls: Halls) -> None:
    assert "has not asked yet" in text(desk.get(page_of(halls)))
    Client().get(f"/feed/{halls.token}/")
    assert "The line is there." in text(desk.get(page_of(halls)))
    FeedLink.objects.update(heard_at=halls.night.now, lexicon_sha256="0" * 64)
    page = text(desk.get(page_of(halls)))
    assert "Not heard since" in page
    assert "another word list" in page


def test_a_room_takes_part_by_a_link_and_a_file(desk: Client, halls: Halls) -> None:
    halls.play(1)
    posted = {"link": halls.address, "file": SimpleUploadedFile("feed.json", halls.feed().encode())}
    answer = desk.post("/desk/outpost/", posted)
    game = Game.objects.latest("pk")
    assert answer["Location"] == f"/desk/{game.event.code}/players/"
    assert (game.feed is not None, game.event.rooms.get().name) == (True, "Elsewhere")
    console = text(desk.get(f"/desk/{game.event.code}/"))
    assert "No line to the drawing room yet." in console
    assert "1 turn is in store" in console
    assert "Line" in console


@pytest.mark.parametrize(
    ("link", "sentence"),
    [("http://x/feed/short/", "22 signs"), ("ftp://x/feed/AAAAAAAAAAAAAAAAAAAAAA/", "22 signs"), ("", "required")],
)
def test_a_wrong_link_gets_a_sentence(desk: Client, judge: User, link: str, sentence: str) -> None:
    answer = desk.post("/desk/outpost/", {"link": link})
    assert answer.status_code == 422
    assert sentence in text(answer)
    assert not Event.objects.exists()


def test_the_desk_of_the_room_tells_of_its_line_and_gives_its_file(desk: Client, halls: Halls) -> None:
    halls.play(2)
    night = outpost(halls)
    address = f"/desk/{night.event.code}/line/"
    assert "The line is there." in text(desk.get(address))
    tell(night, None)
    page = text(desk.get(address))
    assert "No line to the drawing room since" in page
    assert "2 turns are in store" in page
    play_outpost(night, 1)
    file = desk.get(f"/desk/{night.event.code}/hand-in.json")
    assert file.json()["archive"]["turns"][0]["slips"]
    desk.post(address, {"act": "end"})
    assert "plays no further" in text(desk.get(address))


def test_on_another_computer_the_link_is_pasted_again(desk: Client, halls: Halls, settings: Any) -> None:
    halls.play(1)
    night = outpost(halls)
    settings.SECRET_KEY = "of another computer"
    with pytest.raises(Refused, match="ask for the link again"):
        night.draw()
    line.ask_all(lambda: night.later(5))
    address = f"/desk/{night.event.code}/line/"
    client = Client()
    client.force_login(night.judge, backend="django.contrib.auth.backends.ModelBackend")
    FollowedFeed.objects.update(asked_at=night.later(60))
    assert "paste it again" in text(client.get(address))
    client.post(address, {"act": "link", "link": halls.address})
    assert night.draw() is not None


def test_what_was_refused_stands_at_the_desk(desk: Client, halls: Halls) -> None:
    night = outpost(halls)
    followed = night.game.feed
    assert followed is not None
    outposts.not_handed_in(line=followed, why="Another move than here", now=night.later())
    assert "Not handed in: Another move than here" in text(desk.get(f"/desk/{night.event.code}/"))
