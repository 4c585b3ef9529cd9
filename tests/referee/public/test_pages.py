"""The public pages: what they show and when, their addresses, and that a reader costs nothing."""

from __future__ import annotations

import re

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from referee.public import views
from referee.public.addresses import (
    public_address_of,
    public_addresses_of,
    replay_address_of,
    sheet_path,
)
from referee.public.page_cache import PageCache
from tests.leaks import leaked
from tests.tournaments.club_game import ClubGame, create_club_game
from tests.tournaments.prepared.sample_game import create_prepared_game, follow_script
from tests.tournaments.rooms_game import RoomsGame, create_three_rooms
from tests.tournaments.word_list import WORDS
from tournaments.events.services import events
from tournaments.models import Player, PublicPage, Turn
from tournaments.players.services import anonymise, players
from tournaments.players.services.players import NewPlayer
from tournaments.prepared.services import solo_practice
from tournaments.results.services import public_page
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.django_db

FOREIGN_WORD = "PLANTEDWORD"
RACK = "CORNOAT"
HALL = "https://club.example"


class Clock:
    """Nothing is kept longer than from one look to the next."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        self.seconds += 2
        return self.seconds


@pytest.fixture(autouse=True)
def _looks_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "cached_pages", PageCache(Clock()))


@pytest.fixture
def club_game() -> ClubGame:
    return create_club_game(
        first_judge(), players=[NewPlayer(1, "Anna Rossi"), NewPlayer(2, "Bruno Verdi", nickname="Bru")]
    )


def switch_on(club_game: ClubGame, *, delay: int = 0, own_sheets: bool = False, found: bool = False) -> PublicPage:
    return public_page.set_page(
        event=club_game.event,
        is_on=True,
        delay=delay,
        own_sheets=own_sheets,
        may_be_found=found,
        by=club_game.judge,
        now=club_game.later(),
    )


def read(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, path
    return answer.content.decode()


def everything(client: Client, page: PublicPage, games: int = 1, turns: int = 8) -> str:
    """All that somebody with the address can read, tried through."""
    base = f"/p/{page.token}/"
    paths = [base, f"{base}standings/", *(f"{base}game/{game}/" for game in range(1, games + 1))]
    paths += [f"{base}game/{game}/turn/{turn}/" for game in range(1, games + 1) for turn in range(1, turns + 1)]
    answers = [client.get(path) for path in paths]
    assert {answer.status_code for answer in answers} <= {200, 404}
    return "\n".join(answer.content.decode() for answer in answers if answer.status_code == 200)


def test_there_is_no_page_before_the_director_switches_it_on(client: Client, club_game: ClubGame) -> None:
    club_game.play(RACK, (1, "CORNO", "8D", 22))
    for address in (club_game.event.code, club_game.event.wall_token, "x"):
        assert client.get(f"/p/{address}/").status_code == 404
    page = switch_on(club_game)
    assert "CORNO" in read(client, f"/p/{page.token}/")
    public_page.set_page(
        event=club_game.event,
        is_on=False,
        delay=0,
        own_sheets=False,
        may_be_found=False,
        by=club_game.judge,
        now=club_game.later(),
    )
    assert client.get(f"/p/{page.token}/").status_code == 404
    assert client.get(f"/p/{page.token}/game/1/turn/1/").status_code == 404


def test_nothing_is_shown_before_the_hall_knows_it(client: Client, club_game: ClubGame) -> None:
    page = switch_on(club_game, own_sheets=True)
    club_game.draw()
    club_game.force_rack(RACK)
    tops = [top["word"] for top in club_game.turn.tops or ()]
    assert len(tops) > 1
    stored = club_game.turn.rack
    assert stored not in everything(client, page)
    club_game.announce()
    assert stored in everything(client, page)
    club_game.phone(1, FOREIGN_WORD, "H8", 864)
    club_game.phone(2, tops[0], "8D", 22)
    assert leaked(everything(client, page), (*tops, FOREIGN_WORD, "864")) == []
    club_game.close()
    assert leaked(everything(client, page), (*tops, FOREIGN_WORD, "864")) == []
    club_game.place()
    text = everything(client, page)
    assert tops[0] in text
    assert leaked(text, (FOREIGN_WORD, "864")) == []


def test_a_page_that_is_a_turn_behind_shows_neither_the_rack_in_play_nor_the_last_turn(
    client: Client, club_game: ClubGame
) -> None:
    page = switch_on(club_game, delay=1)
    club_game.play(RACK, (1, "CORNO", "8D", 22))
    first = club_game.turn
    text = everything(client, page)
    assert first.rack not in text
    assert first.master_word not in text
    assert "Anna Rossi" not in text
    club_game.play("AEIRSTE", (1, "RETE", "8D", 8))
    second = Turn.objects.get(game=club_game.game, number=2)
    text = everything(client, page)
    assert first.rack in text
    assert f"<b>{first.master_word} {first.master_ref}</b>" in text
    assert second.rack not in text
    club_game.begin_turn()
    assert club_game.turn.rack not in everything(client, page)
    club_game.close()
    club_game.place()
    club_game.end()
    text = everything(client, page)
    assert second.rack in text
    assert club_game.turn.rack in text
    assert "Final standings" in text


def test_standings_of_a_delayed_page_are_those_of_its_last_turn(client: Client, club_game: ClubGame) -> None:
    page = switch_on(club_game, delay=1)
    club_game.play(RACK, (2, "CORNO", "8D", 22))
    club_game.play("AEIRSTE", (1, top_of_club_game(club_game), "1A", 1))
    text = read(client, f"/p/{page.token}/standings/?game=1")
    assert text.index("Bru") < text.index("Anna Rossi")
    assert "Bruno Verdi" not in text


def test_the_page_has_the_standings_of_the_event_as_far_as_it_may_know_them(
    client: Client, club_game: ClubGame
) -> None:
    page = switch_on(club_game, delay=1)
    club_game.play(RACK, (2, "CORNO", "8D", 22))
    club_game.end()
    add_next_game(club_game)
    club_game.play(RACK, (1, "CORNO", "8D", 22))
    base = f"/p/{page.token}/"
    assert "Standings of the event" not in read(client, base)  # the only turn of game 2 is not public yet
    club_game.play("AEIRSTE", (1, top_of_club_game(club_game), "1A", 1))
    for address in (base, f"{base}game/1/", f"{base}standings/?game=event"):
        text = read(client, address)
        table = text[text.index("Standings of the event · provisional") :]
        assert re.findall(r"<td><b>(\d+)</b></td>", table)[:3] == ["22", "22"], address
    assert "Standings · after turn 1" in read(client, f"{base}game/2/")
    club_game.end()
    assert "Final standings of all games" in read(client, f"{base}game/1/")


def add_next_game(club_game: ClubGame) -> None:
    club_game.game = events.add_game(event=club_game.event, by=club_game.judge, now=club_game.later(), seed=bytes(32))


def top_of_club_game(club_game: ClubGame) -> str:
    return sorted(WORDS.split())[0]


def test_a_room_that_is_behind_holds_the_page_back(client: Client) -> None:
    live_game: RoomsGame = create_three_rooms(first_judge())
    club_game = live_game.club_game
    page = switch_on(club_game)
    club_game.begin_turn(RACK)
    stored = club_game.turn.rack
    assert stored not in everything(client, page)
    club_game.close()
    club_game.place()
    for name in ("B", "C"):
        assert stored not in everything(client, page), name
        live_game.play(name)
    assert stored in everything(client, page)


def test_a_game_that_another_event_still_plays_by_the_same_script_is_not_told(client: Client) -> None:
    judge = first_judge()
    prepared = create_prepared_game(judge)
    here, there = (follow_script(create_club_game(judge), prepared) for _ in range(2))
    page = switch_on(here)
    here.begin_turn()
    rack = here.turn.rack
    assert rack not in everything(client, page)
    here.close()
    here.place()
    here.end()
    assert rack not in everything(client, page)
    there.begin_turn()
    assert rack not in everything(client, page)
    there.close()
    there.place()
    assert rack in everything(client, page)


def test_the_code_of_the_event_is_nowhere(client: Client, club_game: ClubGame) -> None:
    page = switch_on(club_game)
    club_game.play(RACK, (1, "CORNO", "8D", 22))
    text = everything(client, page)
    assert club_game.event.code not in text
    assert club_game.event.wall_token not in text


def test_a_thousand_readers_cost_no_query(client: Client, club_game: ClubGame, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "cached_pages", PageCache(lambda: 100.0))
    page = switch_on(club_game)
    club_game.play(RACK, (1, "CORNO", "8D", 22))
    first = client.get(f"/p/{page.token}/")
    with CaptureQueriesContext(connection) as queries:
        for _ in range(20):
            again = client.get(f"/p/{page.token}/", headers={"If-None-Match": first["ETag"]})
            assert (again.status_code, again.content) == (304, b"")
        assert client.get(f"/p/{page.token}/").content == first.content
    assert len(queries) == 0
    assert first["Cache-Control"] == "public, max-age=5"
    assert not first.cookies


def test_readers_see_what_is_new(client: Client, club_game: ClubGame) -> None:
    page = switch_on(club_game)
    before = client.get(f"/p/{page.token}/")
    club_game.play(RACK, (1, "CORNO", "8D", 22))
    after = client.get(f"/p/{page.token}/", headers={"If-None-Match": before["ETag"]})
    assert after.status_code == 200
    players.rename_player(
        club_game.player(1), players.PlayerDetails(name="Anna Bianchi"), now=club_game.later(), by=club_game.judge
    )
    assert "Anna Bianchi" in read(client, f"/p/{page.token}/")


def test_search_engines_are_kept_away_unless_the_director_wants_them(client: Client, club_game: ClubGame) -> None:
    page = switch_on(club_game)
    answer = client.get(f"/p/{page.token}/")
    assert answer["X-Robots-Tag"] == "noindex, nofollow"
    assert 'name="robots" content="noindex' in answer.content.decode()
    switch_on(club_game, found=True)
    answer = client.get(f"/p/{page.token}/")
    assert "X-Robots-Tag" not in answer
    assert "robots" not in answer.content.decode()


def test_a_players_own_page_opens_by_its_link_alone(client: Client, club_game: ClubGame) -> None:
    page = switch_on(club_game, own_sheets=True)
    club_game.play(RACK, (1, FOREIGN_WORD, "H8", 864), (2, "CORNO", "8D", 22))
    anna, bruno = (sheet_path(page, club_game.player(table)) for table in (1, 2))
    assert FOREIGN_WORD in read(client, anna)
    assert "864" in read(client, anna)
    assert FOREIGN_WORD not in read(client, bruno)
    assert "Bruno Verdi" not in read(client, bruno)
    assert client.get(anna)["X-Robots-Tag"] == "noindex, nofollow"
    key = anna.rstrip("/").rpartition("/")[2]
    assert client.get(bruno.replace(bruno.rstrip("/").rpartition("/")[2], key)).status_code == 404
    switch_on(club_game, own_sheets=False)
    assert client.get(anna).status_code == 404


def test_a_players_own_page_is_as_far_behind_as_the_other_pages(client: Client, club_game: ClubGame) -> None:
    page = switch_on(club_game, delay=1, own_sheets=True)
    club_game.play(RACK, (1, FOREIGN_WORD, "H8", 864))
    anna = sheet_path(page, club_game.player(1))
    assert FOREIGN_WORD not in read(client, anna)
    assert club_game.turn.rack not in read(client, anna)
    club_game.play("AEIRSTE")
    assert FOREIGN_WORD in read(client, anna)


def test_another_address_closes_the_old_ones(client: Client, club_game: ClubGame) -> None:
    page = switch_on(club_game, own_sheets=True)
    old = [f"/p/{page.token}/", sheet_path(page, club_game.player(1))]
    assert [client.get(path).status_code for path in old] == [200, 200]
    public_page.change_address(event=club_game.event, by=club_game.judge, now=club_game.later())
    assert [client.get(path).status_code for path in old] == [404, 404]


def test_a_forgotten_event_shows_pseudonyms_and_no_sheets(client: Client, club_game: ClubGame) -> None:
    page = switch_on(club_game, own_sheets=True)
    club_game.play(RACK, (1, "CORNO", "8D", 22))
    club_game.end()
    own = sheet_path(page, club_game.player(1))
    assert "Anna" in read(client, own)
    anonymise.anonymise_event(event=club_game.event, by=club_game.judge, now=club_game.later())
    text = everything(client, page).replace(page.token, "")  # of random letters
    assert "Player 1" in text
    assert "Anna" not in text
    assert "Bru" not in text
    assert client.get(own).status_code == 404


def test_names_are_text(client: Client, club_game: ClubGame) -> None:
    page = switch_on(club_game, own_sheets=True)
    players.rename_player(
        club_game.player(1), players.PlayerDetails(name="<b>Anna</b>&'"), now=club_game.later(), by=club_game.judge
    )
    club_game.play(RACK, (1, "<i>x</i>", "H8", 864))
    for text in (everything(client, page), read(client, sheet_path(page, club_game.player(1)))):
        assert "&lt;b&gt;Anna&lt;/b&gt;&amp;&#x27;" in text
        assert "<b>Anna" not in text
        assert "<i>x" not in text


def test_a_game_that_is_over_can_be_played_alone_once_the_judge_allows_it(client: Client, club_game: ClubGame) -> None:
    page = switch_on(club_game)
    club_game.play(RACK, (1, "CORNO", "8D", 22))
    club_game.end()
    assert "/practice/" not in everything(client, page)
    link = solo_practice.link_for_game(game=club_game.refresh(), by=club_game.judge, now=club_game.later())
    assert f"/practice/{link.token}/" in read(client, f"/p/{page.token}/game/1/")
    solo_practice.close_link(link=link, now=club_game.later())
    assert "/practice/" not in everything(client, page)


def test_sheets_and_phones_are_told_whole_addresses_while_there_are_pages(
    club_game: ClubGame, settings: Settings
) -> None:
    settings.PUBLIC_URL = HALL
    player: Player = club_game.player(1)
    assert public_address_of(player, HALL) == ""
    assert replay_address_of(club_game.game) == ""
    page = switch_on(club_game)
    assert replay_address_of(club_game.game) == f"{HALL}/p/{page.token}/game/1/"
    assert public_address_of(player, HALL) == ""
    switch_on(club_game, own_sheets=True)
    assert public_address_of(player, HALL) == f"{HALL}{sheet_path(page, player)}"
    assert public_addresses_of(club_game.event) == {
        table: public_address_of(club_game.player(table), HALL) for table in (1, 2)
    }
    settings.PUBLIC_URL = ""
    assert public_addresses_of(club_game.event) == {}


def test_every_turn_can_be_gone_through(client: Client, club_game: ClubGame) -> None:
    page = switch_on(club_game)
    for _ in range(2):
        club_game.begin_turn()
        club_game.close()
        club_game.place()
    one, two = (read(client, f"/p/{page.token}/game/1/turn/{turn}/") for turn in (1, 2))
    assert f"/p/{page.token}/game/1/turn/2/" in one
    assert f"/p/{page.token}/game/1/turn/1/" in two
    assert "<details" in one
    assert client.get(f"/p/{page.token}/game/1/turn/3/").status_code == 404
    assert client.get(f"/p/{page.token}/game/2/").status_code == 404


def test_no_page_has_a_style_or_script_of_its_own(client: Client, club_game: ClubGame) -> None:
    page = switch_on(club_game, own_sheets=True)
    club_game.play(RACK, (1, "CORNO", "8D", 22))
    for text in (everything(client, page), read(client, sheet_path(page, club_game.player(1)))):
        assert " style=" not in text
        assert "<style" not in text
        assert "http://" not in text.replace("http://www.w3.org/2000/svg", "")
        assert settings.STATIC_URL in text
