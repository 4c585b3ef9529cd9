from __future__ import annotations

from datetime import timedelta
from itertools import permutations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tournaments.lexicons.word_lists import get_solver, open_lexicon
from tournaments.models import Event, Slip, Turn
from tournaments.play.position import board_before, edition_of, profile_of, rack_of
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.django_db


@pytest.fixture
def judge(client: Client) -> Client:
    """A browser in which the judge is logged in."""
    client.force_login(first_judge(), backend="django.contrib.auth.backends.ModelBackend")
    return client


@pytest.fixture
def event(judge: Client) -> Event:
    """An event made with the defaults of the form and three players."""
    form = judge.get("/desk/new/").context["form"]
    wanted = {name: field.initial for name, field in form.fields.items() if field.initial is not None}
    wanted |= {name: form.initial[name] for name in form.initial}
    wanted |= {
        "preset": "it/it-box",
        "lexicon": "it",
        "lines": "1, Anna Rossi, Torino\n2, Bruno Neri\n3, Carla Blu, Ivrea",
    }
    answer = judge.post("/desk/new/", wanted)
    assert answer.status_code == 302, answer.context["form"].errors
    return Event.objects.get()


def act(judge: Client, event: Event, action: str, **fields: object) -> str:
    answer = judge.post(f"/desk/{event.code}/do/{action}/", fields, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    return answer.content.decode()


def close_turn(judge: Client, event: Event, *lines: str) -> str:
    """Draw, announce, type these paper slips and close; return the page of the judging."""
    act(judge, event, "draw")
    act(judge, event, "announce")
    for line in lines:
        act(judge, event, "paper", line=line)
    return act(judge, event, "close")


def no_word(turn: Turn) -> str:
    """Return four letters of the rack that make no word of the list."""
    lexicon = open_lexicon(turn.game, turn.number)
    tiles = (letter for letter in permutations(turn.rack.replace("?", ""), 4))
    return next("".join(each) for each in tiles if lexicon.edition.parse_word("".join(each)) not in lexicon)


def test_a_new_event_takes_two_clicks_and_starts_in_the_lobby(judge: Client, event: Event) -> None:
    page = judge.get(f"/desk/{event.code}/").content.decode()
    assert "Draw the first rack" in page
    assert event.games.get().commitment in page


def test_a_whole_turn_is_played_from_the_draw_to_the_next_draw(judge: Client, event: Event) -> None:
    assert "Announce and start the clock" in act(judge, event, "draw")
    assert "Close now" in act(judge, event, "announce")
    page = act(judge, event, "close")
    assert "Place " in page
    assert "Draw turn 2" in act(judge, event, "place")
    assert Turn.objects.get().master_word


def test_a_second_click_on_draw_draws_nothing_more(judge: Client, event: Event) -> None:
    act(judge, event, "draw")
    act(judge, event, "draw")
    assert Turn.objects.count() == 1


def test_every_second_click_leaves_the_game_as_it_is(judge: Client, event: Event) -> None:
    for action in ("draw", "announce", "close", "place", "undo"):
        once = act(judge, event, action)
        rows = Turn.objects.count(), Turn.objects.get().placed_at, event.games.get().ledger.count()
        twice = act(judge, event, action)
        assert (Turn.objects.count(), Turn.objects.get().placed_at, event.games.get().ledger.count()) == rows
        assert ("Traceback" in once, "Traceback" in twice) == (False, False)


def test_a_paper_slip_is_echoed_in_plain_words_before_it_counts(judge: Client, event: Event) -> None:
    act(judge, event, "draw")
    act(judge, event, "announce")
    echo = judge.get(f"/desk/{event.code}/echo/", {"line": "1 8H CORNO 22"}).json()
    assert echo["ok"]
    assert "Anna Rossi" in echo["sentence"]
    assert "across" in echo["sentence"]
    assert Slip.objects.count() == 0


def test_a_bad_paper_line_gets_one_clear_sentence(judge: Client, event: Event) -> None:
    act(judge, event, "draw")
    act(judge, event, "announce")
    for line in ("99 8H CORNO 22", "CORNO", "1 " + "A" * 10_000, "😀 8H CORNO"):
        answer = judge.post(
            f"/desk/{event.code}/do/paper/", {"line": line}, headers={"Accept": "application/json"}
        ).json()
        assert not answer["ok"], line
        assert answer["sentence"].endswith("."), answer["sentence"]
    assert Slip.objects.count() == 0


def test_a_word_that_is_not_in_the_list_can_be_accepted_and_taken_back(judge: Client, event: Event) -> None:
    close_turn(judge, event)
    letters = no_word(Turn.objects.get())
    page = act(judge, event, "paper", line=f"1 8H {letters} 10")
    assert f"Accept {letters}" in page
    page = act(judge, event, "rule-word", word=letters, ruling="accepted", reason="in the book")
    assert f"<b>{letters}</b> accepted" in " ".join(page.split())
    assert f"Accept {letters}" not in page
    assert f"Accept {letters}" in act(judge, event, "revoke-word", word=letters)


def test_the_judge_gives_other_points_with_a_reason(judge: Client, event: Event) -> None:
    page = close_turn(judge, event, "1 8H ZZZZ 10")
    key = page.split('data-question="')[1].split('"')[0]
    page = act(judge, event, "decide", group=key, points="12", reason="misread by the desk")
    assert "Decided by the judge: misread by the desk" in page
    assert '<b class="points">12</b>' in page


def test_the_tops_are_hidden_before_the_close_and_shown_on_the_key(judge: Client, event: Event) -> None:
    page = act(judge, event, "draw")
    word = (Turn.objects.get().tops or [])[0]["word"]
    assert word not in page
    assert word in judge.get(f"/desk/{event.code}/tops/").content.decode()


def test_the_desk_does_not_exist_for_anybody_else(event: Event) -> None:
    stranger = Client()
    assert stranger.get(f"/desk/{event.code}/").headers["Location"].startswith("/desk/locked/")
    user = User.objects.create(username="somebody")
    stranger.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    assert stranger.get(f"/desk/{event.code}/").status_code == 404
    assert stranger.post(f"/desk/{event.code}/do/draw/").status_code == 404
    assert Turn.objects.count() == 0


def test_a_player_twice_in_the_list_is_reported_by_line(judge: Client) -> None:
    wanted = {"name": "Night", "date": "2026-11-21", "edition": "it", "profile": "it-box", "lexicon": "it"}
    wanted |= {"draw_mode": "seeded", "language": "it", "lines": "1, Anna\n1, Bruno"}
    answer = judge.post("/desk/new/", wanted)
    assert "Line 2:" in answer.content.decode()
    assert Event.objects.count() == 0


@pytest.mark.parametrize("page", ["", "players/", "standings/", "log/", "documents/"])
def test_every_page_of_the_desk_opens_and_is_not_cached_by_the_browser(judge: Client, event: Event, page: str) -> None:
    answer = judge.get(f"/desk/{event.code}/{page}")
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "no-store"


def test_no_page_of_the_desk_carries_a_script_or_a_style_of_its_own(judge: Client, event: Event) -> None:
    for page in ("", "players/", "standings/", "log/", "documents/"):
        text = judge.get(f"/desk/{event.code}/{page}").content.decode()
        assert "style=" not in text
        assert "<style" not in text
        assert "<script>" not in text


def test_a_rack_from_a_real_bag_is_typed_and_a_rejected_one_stays_visible(judge: Client) -> None:
    wanted = {"name": "Night", "date": "2026-11-21", "edition": "it", "profile": "it-box", "lexicon": "it"}
    assert judge.post("/desk/new/", wanted | {"draw_mode": "typed", "language": "it"}).status_code == 302
    event = Event.objects.get()
    assert "AAEEIOU" in act(judge, event, "type-rack", rack="aaeeiou", attempt="0")
    act(judge, event, "type-rack", rack="aaeeiou", attempt="0")
    assert event.games.get().typed_rejected == ["AAEEIOU"]
    page = act(judge, event, "type-rack", rack="c o r n o a t", attempt="1")
    assert "Rejected: <b>AAEEIOU</b>" in page
    assert 'data-rack="ACNOORT"' in page
    assert Turn.objects.get().rack == "ACNOORT"


def test_the_clock_can_be_paused_and_given_more_time_and_a_double_click_gives_it_once(
    judge: Client, event: Event
) -> None:
    act(judge, event, "draw")
    act(judge, event, "announce")
    assert 'data-phase="paused"' in act(judge, event, "pause")
    page = act(judge, event, "resume")
    clock = Turn.objects.get().clocks.get()
    deadline = page.split('name="deadline" value="')[1].split('"')[0]
    for _ in range(2):
        act(judge, event, "more-time", deadline=deadline)
    assert clock.deadline is not None
    assert Turn.objects.get().clocks.get().deadline == clock.deadline + timedelta(seconds=30)


def test_the_judge_may_place_another_legal_move_but_no_other(judge: Client, event: Event) -> None:
    close_turn(judge, event)
    judge.get(f"/desk/{event.code}/")
    assert 'data-phase="closed"' in act(judge, event, "place", word="XXXXX", ref="8H", why="")
    turn = Turn.objects.get()
    moves = get_solver(turn.game, 1).ranked(board_before(turn), rack_of(turn))
    last = moves[len(moves) - 1]
    word, ref = last.word_text(edition_of(turn.game)), last.reference_text(profile_of(turn.game).notation)
    assert 'data-phase="placed"' in act(judge, event, "place", word=word, ref=ref, why="shorter")
    turn.refresh_from_db()
    assert (turn.master_word, turn.master_chosen_by, turn.master_why) == (word, "judge", "shorter")
