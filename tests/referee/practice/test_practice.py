"""A whole game alone: racks one at a time, verdicts with their reason, late slips, reloads, the field at the end."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.utils.html import escape

from referee.practice import views
from tests.leaks import leaked
from tests.tournaments.club_game import START_TIME, create_club_game
from tests.tournaments.hiersac import archive_of, install_some_words
from tests.tournaments.prepared.sample_game import create_prepared_game, follow_script, play_to_end
from tournaments.errors import Refused
from tournaments.models import Practice, PracticeLink, PreparedGame
from tournaments.play.services import game_end
from tournaments.prepared.scripts import script_of
from tournaments.prepared.services import prepared_games, solo_practice
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.django_db


class Hands:
    """The time of the pages, moved by hand."""

    now: datetime = START_TIME

    def __call__(self) -> datetime:
        self.now += timedelta(milliseconds=10)
        return self.now


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Hands:
    hands = Hands()
    monkeypatch.setattr(views, "utc_now", hands)
    return hands


@pytest.fixture
def judge() -> User:
    return first_judge()


@pytest.fixture
def prepared(judge: User) -> PreparedGame:
    return create_prepared_game(judge)


@pytest.fixture
def link(judge: User, prepared: PreparedGame) -> PracticeLink:
    return solo_practice.make_link(prepared=prepared, by=judge, now=START_TIME)


def address(link: PracticeLink, action: str = "") -> str:
    return f"/practice/{link.token}/{action}"


def start(client: Client, link: PracticeLink, name: str = "Piero") -> None:
    assert client.post(address(link, "begin/"), {"name": name}).status_code == 302


def page(client: Client, link: PracticeLink) -> str:
    answer = client.get(address(link))
    assert (answer.status_code, answer["Cache-Control"]) == (200, "private, no-store")
    return answer.content.decode()


def draw(client: Client, link: PracticeLink, turn: int) -> str:
    client.post(address(link, "next/"), {"turn": turn - 1})
    return page(client, link)


def hand_in(client: Client, link: PracticeLink, turn: int, word: str, ref: str, declared: object = "") -> str:
    fields = {"turn": turn, "word": word, "ref": ref, "declared": str(declared)}
    answer = client.post(address(link, "slip/"), fields, follow=True)
    return answer.content.decode()


def rack_on(text: str) -> str:
    """The rack as it is read out."""
    found = re.search(r'class="rack" aria-label="[^:]*: ([^"]*)"', text)
    return found[1] if found else ""


@pytest.mark.endurance
def test_a_whole_game_from_the_first_rack_to_the_field(client: Client, time: Hands, judge: User) -> None:
    install_some_words(Path(settings.DATA_DIR))
    name = "hiersac-2019-11-22"
    replay = prepared_games.import_game(text=archive_of(name), title="Hiersac", lexicon="fr", by=judge, now=START_TIME)
    link = solo_practice.make_link(prepared=replay, by=judge, now=START_TIME)
    assert "the 3 players who have played this game" in page(client, link)
    start(client, link)
    turns = script_of(replay)["turns"]
    total = 0
    for turn in turns:
        master = turn["master"]
        assert master is not None
        assert rack_on(draw(client, link, turn["number"])) == turn["rack"]
        time.now += timedelta(seconds=100)
        after = hand_in(client, link, turn["number"], master["word"], master["ref"], master["score"])
        total += master["score"]
        assert f"{total} of {total} points" in after
    end = page(client, link)
    assert "The game is over" in end
    assert re.search(r'class="me">\s*<td>1</td>\s*<td class="text">\s*Piero\s*</td>\s*<td>958</td>', end)
    assert re.findall(r"(\w+)\s+<span class=\"hint\">2019</span>\s*</td>\s*<td>(\d+)", end)[0] == ("Alain", "958")
    assert "100.0 %" in end


def test_nothing_of_a_rack_or_top_is_on_a_page_before_its_time(client: Client, time: Hands, link: PracticeLink) -> None:
    script = script_of(link.prepared)
    start(client, link)
    for turn in script["turns"]:
        hidden = [later["rack"] for later in script["turns"][turn["number"] :]] + [str(script["draw"]["seed"])]
        waiting = page(client, link)
        assert leaked(waiting, [turn["rack"], *hidden]) == []
        running = draw(client, link, turn["number"])
        tops = [f"{top['word']} {top['ref']}" for top in turn["tops"]]
        assert rack_on(running) == turn["rack"]
        assert leaked(running, [*hidden, *tops, f"best {turn['top']}"]) == []
        over = hand_in(client, link, turn["number"], "ZZZ", "8H")
        assert f"best {turn['top']} points" in over
        assert escape(Practice.objects.get().results[-1]["text"]) in over


def test_a_reload_shows_the_same_rack_and_the_time_goes_on(client: Client, time: Hands, link: PracticeLink) -> None:
    start(client, link)
    first = draw(client, link, 1)
    time.now += timedelta(seconds=60)
    again = page(client, link)
    assert rack_on(again) == rack_on(first) != ""
    lefts = [int(re.search(r'data-left="(\d+)"', text)[1]) for text in (first, again)]  # type: ignore[index]
    assert 60_000 <= lefts[0] - lefts[1] < 61_000
    assert draw(client, link, 1) != ""
    assert Practice.objects.get().turn == 1


def test_a_slip_in_the_grace_counts_and_one_after_it_is_late(client: Client, time: Hands, link: PracticeLink) -> None:
    script = script_of(link.prepared)
    start(client, link)
    for turn, (delay, reason) in enumerate([(180.9, None), (181.5, "late")], 1):
        master = script["turns"][turn - 1]["master"]
        assert master is not None
        draw(client, link, turn)
        deadline = Practice.objects.get().deadline
        assert deadline is not None
        time.now = deadline + timedelta(seconds=delay - 180)
        hand_in(client, link, turn, master["word"], master["ref"], master["score"])
        result = Practice.objects.get().results[-1]
        assert (result["reason"], result["points"]) == (reason, 0 if reason else master["score"])


def test_whoever_lets_the_time_pass_gets_nothing_and_goes_on(client: Client, time: Hands, link: PracticeLink) -> None:
    start(client, link)
    draw(client, link, 1)
    time.now += timedelta(seconds=200)
    over = page(client, link)
    assert rack_on(over) == ""
    assert Practice.objects.get().results[0]["reason"] == "no_slip"
    master = script_of(link.prepared)["turns"][0]["master"]
    assert master is not None
    hand_in(client, link, 1, master["word"], master["ref"], master["score"])
    assert [result["points"] for result in Practice.objects.get().results] == [0]
    assert rack_on(draw(client, link, 2)) == script_of(link.prepared)["turns"][1]["rack"]


def test_a_second_click_changes_nothing(client: Client, time: Hands, link: PracticeLink) -> None:
    start(client, link)
    draw(client, link, 1)
    client.post(address(link, "next/"), {"turn": 0})
    client.post(address(link, "next/"), {"turn": 1})
    assert Practice.objects.get().turn == 1
    for _ in range(2):
        hand_in(client, link, 1, "ZZZ", "8H", 1)
    assert len(Practice.objects.get().results) == 1


def test_what_no_slip_can_be_is_refused_and_what_was_written_stays(
    client: Client, time: Hands, link: PracticeLink
) -> None:
    start(client, link)
    draw(client, link, 1)
    for fields in ({"declared": "ten"}, {"word": "A" * 61}, {"declared": "-1"}, {"declared": "10000"}):
        answer = client.post(address(link, "slip/"), {"turn": 1, "word": "CASA", "ref": "8H", **fields})
        assert answer.status_code == 422
        assert 'role="alert"' in answer.content.decode()
        assert fields.get("word", "CASA") in answer.content.decode()
    assert Practice.objects.get().results == []


def test_small_letters_are_read_as_typed_for_ease(client: Client, time: Hands, link: PracticeLink) -> None:
    master = script_of(link.prepared)["turns"][0]["master"]
    assert master is not None
    assert master["word"].isupper()
    start(client, link)
    draw(client, link, 1)
    hand_in(client, link, 1, master["word"].lower(), master["ref"].lower(), master["score"])
    assert Practice.objects.get().results[0]["points"] == master["score"]


def test_two_browsers_play_each_for_itself(client: Client, time: Hands, link: PracticeLink) -> None:
    other = Client()
    start(client, link)
    start(other, link, "Anna")
    draw(client, link, 1)
    assert rack_on(page(client, link)) != ""
    assert rack_on(page(other, link)) == ""
    stranger = Client()
    assert stranger.post(address(link, "next/"), {"turn": 0}).status_code == 302
    assert Practice.objects.count() == 2
    assert stranger.get("/practice/unknown/").status_code == 404


def test_what_a_player_calls_himself_is_shown_as_text(client: Client, time: Hands, judge: User) -> None:
    club_game = create_club_game(judge, profile="club", switches={"max_turns": 1})
    play_to_end(club_game)
    link = solo_practice.link_for_game(game=club_game.game, by=judge, now=START_TIME)
    start(client, link, "<b>x</b>")
    draw(client, link, 1)
    text = hand_in(client, link, 1, "<script>", "8H")
    assert "<script>" not in text.replace("<script type", "").replace("<script src", "")
    assert "&lt;b&gt;x" in text


def test_while_a_game_follows_the_script_nobody_practises_it(
    client: Client, time: Hands, judge: User, link: PracticeLink
) -> None:
    start(client, link)
    draw(client, link, 1)
    club_game = follow_script(create_club_game(judge), link.prepared)
    closed = page(client, link)
    assert "not open for practice" in closed
    assert rack_on(closed) == ""
    client.post(address(link, "next/"), {"turn": 1})
    client.post(address(link, "begin/"), {"name": "x"})
    assert Practice.objects.get().turn == 1
    with pytest.raises(Refused, match="not over"):
        solo_practice.make_link(prepared=link.prepared, by=judge, now=START_TIME)
    club_game.draw()
    game_end.end_game(game=club_game.game, by=judge, now=club_game.later())
    assert rack_on(page(client, link)) == script_of(link.prepared)["turns"][0]["rack"]


def test_a_game_that_is_over_is_played_alone_against_those_who_played_it(
    client: Client, time: Hands, judge: User
) -> None:
    club_game = create_club_game(judge, profile="it-box", switches={"max_turns": 2})
    with pytest.raises(Refused, match="not over"):
        solo_practice.link_for_game(game=club_game.game, by=judge, now=START_TIME)
    play_to_end(club_game)
    link = solo_practice.link_for_game(game=club_game.game, by=judge, now=START_TIME)
    assert solo_practice.link_for_game(game=club_game.game, by=judge, now=START_TIME) == link
    start(client, link)
    for turn in (1, 2):
        draw(client, link, turn)
        hand_in(client, link, turn, "", "")
    end = page(client, link)
    assert {"Anna Rossi", "Dario Bianchi", "Piero"} <= set(re.findall(r"[A-Z]\w+ [A-Z]\w+|Piero", end))


def test_a_closed_link_is_closed(client: Client, time: Hands, link: PracticeLink) -> None:
    solo_practice.close_link(link=link, now=START_TIME)
    assert "not open for practice" in page(client, link)
    start(client, link)
    assert not Practice.objects.exists()
