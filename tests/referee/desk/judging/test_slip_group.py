"""The queue of slips on the desk: cards, boards on demand, concurrent decisions, hidden names, questions."""

from __future__ import annotations

import html
import json
import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils.formats import date_format
from django.utils.timezone import localtime

from tests.referee.live.live_game import NAMES, LiveGame, make_live_game
from tournaments.enums import Role
from tournaments.events.services import options
from tournaments.models import GroupLook, LedgerEntry, Membership, SlipRuling
from tournaments.now import utc_now
from tournaments.play.services import slips

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}
BINGO = "COTORNA"  # no word of the list, and all seven tiles of the rack


@pytest.fixture
def live_game() -> LiveGame:
    """Two slips with a word of no list, one with a word at a wrong place, one valid."""
    live_game = make_live_game(joined=False)
    live_game.draw("CORNOAT")
    live_game.announce()
    for line in (f"1 8D {BINGO} 78", f"2 8C {BINGO} 70", "3 1A CORNO 18", "4 8D CORNO 22"):
        slips.submit_paper_line(game=live_game.game, line=line, now=utc_now(), by=live_game.judge)
    live_game.close()
    return live_game


@pytest.fixture
def director(live_game: LiveGame) -> Client:
    client = Client()
    client.force_login(live_game.judge)
    return client


@pytest.fixture
def colleague(live_game: LiveGame) -> Client:
    """Another judge of the event."""
    user = User.objects.create(username="berto", first_name="Berto")
    Membership.objects.create(event=live_game.event, user=user, role=Role.JUDGE)
    client = Client()
    client.force_login(user)
    return client


def page(client: Client, live_game: LiveGame, path: str = "main/") -> str:
    answer = client.get(f"/desk/{live_game.event.code}/{path}", headers=HTMX)
    assert answer.status_code == 200
    text: str = answer.content.decode()
    return text


def card(text: str, word: str) -> str:
    """Return the card of a questioned word."""
    cards = re.findall(r'<li class="slip group question.*?</li>\s*(?=<li class="slip|</ol>)', text, re.DOTALL)
    return str(next(each for each in cards if f'<b class="word">{word}</b>' in each))


def fields(text: str) -> dict[str, Any]:
    """Return the fields that a card posts to confirm the verdict."""
    form = re.search(r"do/accept-group/.*?</form>", text, re.DOTALL)
    assert form is not None
    found = re.findall(r'name="(group|version|failed)" value="([^"]*)"', form[0])
    return {name: [value for each, value in found if each == name] for name, _value in found}


def press(client: Client, live_game: LiveGame, path: str, posted: dict[str, Any]) -> tuple[str, str]:
    """Return (part of the page, notices) after a button."""
    answer = client.post(f"/desk/{live_game.event.code}/{path}/", posted, headers=HTMX)
    assert answer.status_code == 200
    told = json.loads(answer.headers.get("HX-Trigger", "{}")).get("notices", {"notices": []})
    return answer.content.decode(), " ".join(notice["text"] for notice in told["notices"])


def test_the_same_word_at_two_places_is_one_card_with_what_is_at_stake(director: Client, live_game: LiveGame) -> None:
    shown = card(page(director, live_game), BINGO)
    assert len(fields(shown)["group"]) == 2
    assert "2 slips · 1, 2" in " ".join(shown.split())
    assert re.search(r"At stake for each of 2 players: \d+; in all: \d+\.", shown)
    assert shown.index("8D") < shown.index("8C")


def test_the_board_of_a_card_is_drawn_when_it_is_asked_for(director: Client, live_game: LiveGame) -> None:
    desk = page(director, live_game)
    assert "data-asked" not in desk
    source = re.search(r'data-source="/desk/[^/]+/(group/[^"]+)"', card(desk, BINGO))
    assert source is not None
    board = page(director, live_game, source[1])
    asked = json.loads(html.unescape(re.findall('data-asked="(.*?)"', board)[0]))
    assert [(column, face) for row, column, face, marks in asked if "new" in marks.split()] == list(enumerate(BINGO, 3))
    assert {row for row, *_rest in asked} == {7}
    whole = director.get(f"/desk/{live_game.event.code}/{source[1]}").content.decode()
    assert "Back to the desk" in whole
    assert f"Accept {BINGO}" in whole


def test_a_group_in_no_doubt_brings_its_board_its_rule_and_what_may_be_decided(
    director: Client, live_game: LiveGame
) -> None:
    key = re.findall(r'data-opens-group="([^"]+)"', page(director, live_game))[0]
    opened = page(director, live_game, f"group/{key}/")
    assert "data-asked" in opened
    assert "Strike CORNO, because" in opened
    assert director.get(f"/desk/{live_game.event.code}/group/nothing/").status_code == 404
    gone = director.get(f"/desk/{live_game.event.code}/group/nothing/", headers=HTMX)
    assert (gone.status_code, gone.content) == (204, b"")


def test_a_decision_that_did_not_see_the_colleagues_is_refused_by_name(
    director: Client, colleague: Client, live_game: LiveGame
) -> None:
    shown = card(page(director, live_game), BINGO)
    press(colleague, live_game, "do/accept-group", fields(card(page(colleague, live_game), BINGO)))
    at = date_format(localtime(GroupLook.objects.latest("at").at), "TIME_FORMAT")
    told = f"Berto accepted the verdict of the rules at {at}."
    assert press(director, live_game, "do/accept-group", fields(shown))[1] == told
    posted = fields(shown) | {"points": "20", "reason": "agreed"}
    assert press(director, live_game, "do/decide", posted)[1] == told
    assert press(director, live_game, "preview/decide", posted)[1] == told
    ruled = fields(shown) | {"word": BINGO, "ruling": "accepted", "reason": "in the book"}
    assert press(director, live_game, "do/rule-word", ruled)[1] == told
    assert press(director, live_game, "preview/rule-word", ruled)[1] == told
    assert (GroupLook.objects.count(), SlipRuling.objects.count()) == (2, 0)
    assert "Berto kept the verdict." in page(director, live_game)


def test_points_for_a_card_go_to_all_its_groups_after_one_look(director: Client, live_game: LiveGame) -> None:
    posted = fields(card(page(director, live_game), BINGO)) | {"points": "20", "reason": "agreed"}
    preview, _told = press(director, live_game, "preview/decide", posted)
    assert preview.count('name="group"') == 2
    assert preview.count("+20") == 2
    seen = re.search(r'name="seen" value="(\w+)"', preview)
    assert seen is not None
    shown, _told = press(director, live_game, "do/decide", posted | {"seen": seen[1]})
    assert shown.count("Decided by the judge: agreed") == 2


def test_placing_asks_as_long_as_something_waits_and_not_in_a_clear_turn(director: Client, live_game: LiveGame) -> None:
    desk = page(director, live_game)
    assert "2 questions wait for a judge. The move will be placed all the same." in desk
    for word in (BINGO, "CORNO"):
        desk, _told = press(director, live_game, "do/accept-group", fields(card(page(director, live_game), word)))
    assert "The move will be placed all the same." not in desk
    options.set_judging(event=live_game.event, anonymous=False, spot_check=100, by=live_game.judge, now=utc_now())
    assert "1 slip waits for the spot check. The move will be placed all the same." in page(director, live_game)


def test_anonymous_judging_writes_neither_names_nor_tables_beside_slips(director: Client, live_game: LiveGame) -> None:
    press(director, live_game, "do/set-judging", {"anonymous": "yes", "spot_check": "0"})
    desk = page(director, live_game)
    assert "2 slips" in card(desk, BINGO)
    assert "· 1" not in card(desk, BINGO)
    posted = fields(card(desk, BINGO)) | {"points": "20", "reason": "agreed"}
    preview, _told = press(director, live_game, "preview/decide", posted)
    assert "2 players, each: +20." in preview
    for shown in (desk, preview, page(director, live_game, "clear/")):
        assert not [name for name in NAMES if name in shown]
    assert "Anna Ferri" in press(director, live_game, "do/place", {})[0]
    assert LedgerEntry.objects.filter(kind="options").count() == 1


def test_the_list_of_slips_without_doubt_has_those_of_the_queue(director: Client, live_game: LiveGame) -> None:
    assert re.findall(r'<b class="word">(\w+)</b>', page(director, live_game, "clear/")) == ["CORNO"]


def test_only_the_director_sets_how_judges_work(director: Client, colleague: Client, live_game: LiveGame) -> None:
    assert "Settings for the judges" in director.get(f"/desk/{live_game.event.code}/rules/").content.decode()
    assert "Settings for the judges" not in colleague.get(f"/desk/{live_game.event.code}/rules/").content.decode()
    address = f"/desk/{live_game.event.code}/do/set-judging/"
    assert colleague.post(address, {"spot_check": "5"}).status_code == 403
    _part, told = press(director, live_game, "do/set-judging", {"spot_check": "500"})
    assert "from 0 to 100 percent" in told


def test_a_spot_slip_of_paper_stands_with_its_line_and_is_looked_at_once(director: Client, live_game: LiveGame) -> None:
    press(director, live_game, "do/set-judging", {"spot_check": "100"})
    desk = page(director, live_game)
    assert 'data-line="4 8D CORNO 22"' in desk
    slip = re.search(r'name="slip" value="(\d+)"', desk)
    assert slip is not None
    assert "data-line" not in press(director, live_game, "do/check-slip", {"slip": slip[1]})[0]
    assert "any more" in press(director, live_game, "do/check-slip", {"slip": slip[1]})[1]
    assert "any more" in press(director, live_game, "do/check-slip", {"slip": "x"})[1]


def test_a_typists_desk_has_no_queue_and_none_of_its_buttons_works(live_game: LiveGame) -> None:
    user = User.objects.create(username="tina")
    Membership.objects.create(event=live_game.event, user=user, role=Role.TYPIST)
    client = Client()
    client.force_login(user)
    desk = page(client, live_game)
    assert BINGO not in desk
    assert "data-question" not in desk
    for path in ("do/accept-group", "do/accept-clear", "do/check-slip", "do/set-judging", "preview/decide"):
        assert client.post(f"/desk/{live_game.event.code}/{path}/").status_code == 403
    for path in ("group/any/", "clear/"):
        assert client.get(f"/desk/{live_game.event.code}/{path}").status_code == 403
    assert GroupLook.objects.count() == 0
