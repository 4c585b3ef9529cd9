"""Prepared games: made as ordered, kept sealed, opened with a note, changed move by move, saved and brought back."""

from __future__ import annotations

import json

import pytest
from django.contrib.auth.models import User

from engine.draw import commitment
from engine.prepare import Wishes
from tests.tournaments.night import EVENING, begin
from tests.tournaments.prepared import (
    SECRET,
    another_move,
    archive_text,
    order,
    play_on,
    play_through,
    prepared_game,
    written,
)
from tournaments import making
from tournaments.errors import Refused
from tournaments.models import LedgerEntry, PreparedGame
from tournaments.scripts import script_of
from tournaments.services import preparing

pytestmark = pytest.mark.django_db


def test_a_game_is_made_as_it_was_ordered(judge: User) -> None:
    prepared = prepared_game(judge, wishes=Wishes(least_total=60, most_total=200))
    assert (prepared.state, prepared.kind, prepared.progress, prepared.order) == ("ready", "prepared", 100, {})
    script = script_of(prepared)
    assert len(script["turns"]) == 5
    assert 60 <= sum(turn["top"] for turn in script["turns"]) <= 200
    assert script["end"]["why"] == "turns"
    assert script["draw"]["commitment"] == commitment(bytes.fromhex(script["draw"]["seed"] or ""))


def test_the_same_order_and_secret_give_the_same_game(judge: User) -> None:
    first, second = prepared_game(judge), prepared_game(judge)
    assert first.pk != second.pk
    assert first.script == second.script


def test_the_engines_top_goes_on_the_board_whatever_the_rules_say(judge: User) -> None:
    prepared = prepared_game(judge, profile="ro")
    profile = script_of(prepared)["profile"]
    assert (profile["board_takes"], profile["nobody_correct"]) == ("top", "continue")


def test_what_cannot_be_found_is_told_in_one_sentence(judge: User) -> None:
    prepared = prepared_game(judge, wishes=Wishes(most_total=1))
    assert (prepared.state, prepared.script) == ("failed", None)
    assert "ask for less" in prepared.error
    with pytest.raises(Refused, match="not ready"):
        preparing.opened(prepared=prepared, act="opened", by=judge, now=EVENING)


def test_the_search_ends_when_its_time_is_up_and_tells_how_far_it_is(judge: User) -> None:
    ordered = order(wishes=Wishes(most_total=1))
    prepared = preparing.ask(title="x", order=ordered, by=judge, now=EVENING, secret=SECRET)
    times = iter([0.0, 1.0, 30.0, 100.0])
    seen: list[int] = []

    def clock() -> float:
        seen.append(PreparedGame.objects.get(pk=prepared.pk).progress)
        return next(times)

    making.make_game(prepared.pk, clock=clock)
    prepared.refresh_from_db()
    assert seen == [0, 0, 1, 50]
    assert prepared.state == "failed"


def test_what_a_dead_process_was_making_has_failed(judge: User) -> None:
    preparing.ask(title="x", order=order(), by=judge, now=EVENING, secret=SECRET)
    ready = prepared_game(judge)
    assert preparing.give_up_unfinished() == 1
    ready.refresh_from_db()
    assert ready.state == "ready"


@pytest.mark.parametrize(
    ("title", "wishes", "why"),
    [
        (" ", Wishes(), "title"),
        ("x", Wishes(bingo_turns=21), "bingo"),
        ("x", Wishes(single_tops=101), "percent"),
        ("x", Wishes(least_total=900, most_total=800), "between"),
        ("x", Wishes(most_total=0), "between"),
    ],
)
def test_impossible_orders_are_refused(judge: User, title: str, wishes: Wishes, why: str) -> None:
    with pytest.raises(Refused, match=why):
        preparing.ask(title=title, order=order(wishes=wishes), by=judge, now=EVENING, secret=SECRET)
    assert not PreparedGame.objects.exists()


def test_whoever_looks_behind_the_seal_is_noted_in_every_ledger_that_follows_it(judge: User) -> None:
    prepared = prepared_game(judge)
    preparing.opened(prepared=prepared, act="opened", by=judge, now=EVENING)
    night = play_on(begin(judge), prepared)
    preparing.opened(prepared=prepared, act="printed", by=judge, now=EVENING)
    prepared.refresh_from_db()
    assert [act["kind"] for act in prepared.acts] == ["made", "opened", "printed"]
    entries = {entry.kind: entry.data for entry in LedgerEntry.objects.filter(game=night.game)}
    prepared_entry = entries["prepared"]
    assert [act["kind"] for act in prepared_entry["acts"]] == ["made", "opened"]
    assert prepared_entry["commitment"] == script_of(prepared)["draw"]["commitment"]
    assert entries["script_opened"] == {"title": "Winter cup", "act": "printed"}
    assert str(script_of(prepared)["draw"]["seed"]) not in json.dumps(entries)


def test_a_chosen_move_draws_the_rest_anew_and_can_be_taken_back(judge: User) -> None:
    prepared = prepared_game(judge)
    before = written(prepared)
    turn = script_of(prepared)["turns"][1]
    word, ref = another_move(prepared, 2)
    changed = preparing.choose_master(
        prepared=prepared, turn=2, word=word, ref=ref, why="for the hall", by=judge, now=EVENING
    )
    after = written(changed)
    assert after[0] == before[0]
    assert after[1][:-1] == before[1][:-1]
    assert after[1][-1][:2] == (word, ref)
    assert after[1][-1][3] == "judge"
    assert after[2:] != before[2:]
    assert script_of(changed)["turns"][1]["rack"] == turn["rack"]
    back = preparing.choose_master(prepared=changed, turn=2, word="", ref="", why="", by=judge, now=EVENING)
    assert written(back) == before


@pytest.mark.parametrize(
    ("turn", "word", "ref", "why"),
    [(1, "ZZZZ", "8H", "tiles"), (1, "A", "??", "reference"), (1, "1", "8H", "No tile"), (99, "CASA", "8H", "no turn")],
)
def test_a_chosen_move_must_be_legal(judge: User, turn: int, word: str, ref: str, why: str) -> None:
    prepared = prepared_game(judge)
    before = written(prepared)
    with pytest.raises(Refused):
        preparing.choose_master(prepared=prepared, turn=turn, word=word, ref=ref, why="", by=judge, now=EVENING)
    prepared.refresh_from_db()
    assert written(prepared) == before


def test_a_script_that_is_followed_neither_changes_nor_goes(judge: User) -> None:
    prepared = prepared_game(judge)
    play_on(begin(judge), prepared)
    with pytest.raises(Refused, match="follows"):
        preparing.choose_master(prepared=prepared, turn=1, word="", ref="", why="", by=judge, now=EVENING)
    with pytest.raises(Refused, match="played"):
        preparing.throw_away(prepared=prepared)
    unused = prepared_game(judge)
    preparing.throw_away(prepared=unused)
    assert PreparedGame.objects.get() == prepared


def test_a_saved_game_is_brought_back_as_it_was(judge: User) -> None:
    prepared = prepared_game(judge)
    text = json.dumps(prepared.script)
    brought = preparing.bring(text=text, title="", lexicon=None, by=judge, now=EVENING)
    assert (brought.title, brought.kind, brought.script) == ("Winter cup", "prepared", prepared.script)
    spoilt = text.replace(script_of(prepared)["turns"][2]["rack"], "AAAAAAA")
    with pytest.raises(Refused, match="was changed"):
        preparing.bring(text=spoilt, title="", lexicon=None, by=judge, now=EVENING)
    elsewhere = text.replace(script_of(prepared)["lexicon"]["sha256"], "0" * 64)
    with pytest.raises(Refused, match="not installed"):
        preparing.bring(text=elsewhere, title="", lexicon=None, by=judge, now=EVENING)
    with pytest.raises(Refused, match="JSON"):
        preparing.bring(text="no", title="", lexicon=None, by=judge, now=EVENING)


def test_an_archive_with_another_list_needs_one_to_be_chosen(judge: User) -> None:
    night = begin(judge, profile="club", switches={"max_turns": 3})
    play_through(night)
    text = archive_text(night).replace(night.game.lexicon_sha256, "0" * 64)
    with pytest.raises(Refused, match="choose another"):
        preparing.bring(text=text, title="", lexicon=None, by=judge, now=EVENING)
    brought = preparing.bring(text=text, title="Again", lexicon="it", by=judge, now=EVENING)
    assert (brought.kind, script_of(brought)["lexicon"]["sha256"]) == ("replay", night.game.lexicon_sha256)
    with pytest.raises(Refused, match="played before"):
        preparing.choose_master(prepared=brought, turn=1, word="", ref="", why="", by=judge, now=EVENING)
