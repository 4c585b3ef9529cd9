"""Prepared games: made as ordered, kept sealed, opened with a note, changed move by move, saved and brought back."""

from __future__ import annotations

import json

import pytest
from django.contrib.auth.models import User

from engine.draw.reproducible import commitment
from engine.prepared.prepare_game import GameCriteria
from tests.tournaments.club_game import START_TIME, create_club_game
from tests.tournaments.prepared.sample_game import (
    SECRET,
    archive_text,
    create_prepared_game,
    find_other_move,
    follow_script,
    make_order,
    play_to_end,
    script_facts,
)
from tournaments.errors import Refused
from tournaments.models import LedgerEntry, PreparedGame
from tournaments.prepared import make_game as prepared_make_game
from tournaments.prepared.scripts import script_of
from tournaments.prepared.services import prepared_games

pytestmark = pytest.mark.django_db


def test_a_game_is_made_as_it_was_ordered(judge: User) -> None:
    prepared = create_prepared_game(judge, wishes=GameCriteria(least_total=60, most_total=200))
    assert (prepared.state, prepared.kind, prepared.progress, prepared.order) == ("ready", "prepared", 100, {})
    script = script_of(prepared)
    assert len(script["turns"]) == 5
    assert 60 <= sum(turn["top"] for turn in script["turns"]) <= 200
    assert script["end"]["why"] == "turns"
    assert script["draw"]["commitment"] == commitment(bytes.fromhex(script["draw"]["seed"] or ""))


def test_the_same_order_and_secret_give_the_same_game(judge: User) -> None:
    first, second = create_prepared_game(judge), create_prepared_game(judge)
    assert first.pk != second.pk
    assert first.script == second.script


def test_the_engines_top_goes_on_the_board_whatever_the_rules_say(judge: User) -> None:
    prepared = create_prepared_game(judge, profile="ro")
    profile = script_of(prepared)["profile"]
    assert (profile["board_takes"], profile["nobody_correct"]) == ("top", "continue")


def test_what_cannot_be_found_is_told_in_one_sentence(judge: User) -> None:
    prepared = create_prepared_game(judge, wishes=GameCriteria(most_total=1))
    assert (prepared.state, prepared.script) == ("failed", None)
    assert "ask for less" in prepared.error
    with pytest.raises(Refused, match="not ready"):
        prepared_games.record_access(prepared=prepared, act="opened", by=judge, now=START_TIME)


def test_the_search_ends_when_its_time_is_up_and_tells_how_far_it_is(judge: User) -> None:
    ordered = make_order(wishes=GameCriteria(most_total=1))
    prepared = prepared_games.order_game(title="x", order=ordered, by=judge, now=START_TIME, secret=SECRET)
    times = iter([0.0, 1.0, 30.0, 100.0])
    seen: list[int] = []

    def clock() -> float:
        seen.append(PreparedGame.objects.get(pk=prepared.pk).progress)
        return next(times)

    prepared_make_game.make_game(prepared.pk, clock=clock)
    prepared.refresh_from_db()
    assert seen == [0, 0, 1, 50]
    assert prepared.state == "failed"


def test_what_a_dead_process_was_making_has_failed(judge: User) -> None:
    prepared_games.order_game(title="x", order=make_order(), by=judge, now=START_TIME, secret=SECRET)
    ready = create_prepared_game(judge)
    assert prepared_games.fail_unfinished() == 1
    ready.refresh_from_db()
    assert ready.state == "ready"


@pytest.mark.parametrize(
    ("title", "wishes", "why"),
    [
        (" ", GameCriteria(), "title"),
        ("x", GameCriteria(bingo_turns=21), "bingo"),
        ("x", GameCriteria(single_tops=101), "percent"),
        ("x", GameCriteria(least_total=900, most_total=800), "between"),
        ("x", GameCriteria(most_total=0), "between"),
    ],
)
def test_impossible_orders_are_refused(judge: User, title: str, wishes: GameCriteria, why: str) -> None:
    with pytest.raises(Refused, match=why):
        prepared_games.order_game(title=title, order=make_order(wishes=wishes), by=judge, now=START_TIME, secret=SECRET)
    assert not PreparedGame.objects.exists()


def test_whoever_looks_behind_the_seal_is_noted_in_every_ledger_that_follows_it(judge: User) -> None:
    prepared = create_prepared_game(judge)
    prepared_games.record_access(prepared=prepared, act="opened", by=judge, now=START_TIME)
    club_game = follow_script(create_club_game(judge), prepared)
    prepared_games.record_access(prepared=prepared, act="printed", by=judge, now=START_TIME)
    prepared.refresh_from_db()
    assert [act["kind"] for act in prepared.acts] == ["made", "opened", "printed"]
    entries = {entry.kind: entry.data for entry in LedgerEntry.objects.filter(game=club_game.game)}
    prepared_entry = entries["prepared"]
    assert [act["kind"] for act in prepared_entry["acts"]] == ["made", "opened"]
    assert prepared_entry["commitment"] == script_of(prepared)["draw"]["commitment"]
    assert entries["script_opened"] == {"title": "Winter cup", "act": "printed"}
    assert str(script_of(prepared)["draw"]["seed"]) not in json.dumps(entries)


def test_a_chosen_move_draws_the_rest_anew_and_can_be_taken_back(judge: User) -> None:
    prepared = create_prepared_game(judge)
    before = script_facts(prepared)
    turn = script_of(prepared)["turns"][1]
    word, ref = find_other_move(prepared, 2)
    changed = prepared_games.choose_master_move(
        prepared=prepared, turn=2, word=word, ref=ref, why="for the hall", by=judge, now=START_TIME
    )
    after = script_facts(changed)
    assert after[0] == before[0]
    assert after[1][:-1] == before[1][:-1]
    assert after[1][-1][:2] == (word, ref)
    assert after[1][-1][3] == "judge"
    assert after[2:] != before[2:]
    assert script_of(changed)["turns"][1]["rack"] == turn["rack"]
    back = prepared_games.choose_master_move(
        prepared=changed, turn=2, word="", ref="", why="", by=judge, now=START_TIME
    )
    assert script_facts(back) == before


@pytest.mark.parametrize(
    ("turn", "word", "ref", "why"),
    [(1, "ZZZZ", "8H", "tiles"), (1, "A", "??", "reference"), (1, "1", "8H", "No tile"), (99, "CASA", "8H", "no turn")],
)
def test_a_chosen_move_must_be_legal(judge: User, turn: int, word: str, ref: str, why: str) -> None:
    prepared = create_prepared_game(judge)
    before = script_facts(prepared)
    with pytest.raises(Refused):
        prepared_games.choose_master_move(
            prepared=prepared, turn=turn, word=word, ref=ref, why="", by=judge, now=START_TIME
        )
    prepared.refresh_from_db()
    assert script_facts(prepared) == before


def test_a_script_that_is_followed_neither_changes_nor_goes(judge: User) -> None:
    prepared = create_prepared_game(judge)
    follow_script(create_club_game(judge), prepared)
    with pytest.raises(Refused, match="follows"):
        prepared_games.choose_master_move(prepared=prepared, turn=1, word="", ref="", why="", by=judge, now=START_TIME)
    with pytest.raises(Refused, match="played"):
        prepared_games.delete_game(prepared=prepared)
    unused = create_prepared_game(judge)
    prepared_games.delete_game(prepared=unused)
    assert PreparedGame.objects.get() == prepared


def test_a_saved_game_is_brought_back_as_it_was(judge: User) -> None:
    prepared = create_prepared_game(judge)
    text = json.dumps(prepared.script)
    brought = prepared_games.import_game(text=text, title="", lexicon=None, by=judge, now=START_TIME)
    assert (brought.title, brought.kind, brought.script) == ("Winter cup", "prepared", prepared.script)
    spoilt = text.replace(script_of(prepared)["turns"][2]["rack"], "AAAAAAA")
    with pytest.raises(Refused, match="was changed"):
        prepared_games.import_game(text=spoilt, title="", lexicon=None, by=judge, now=START_TIME)
    elsewhere = text.replace(script_of(prepared)["lexicon"]["sha256"], "0" * 64)
    with pytest.raises(Refused, match="not installed"):
        prepared_games.import_game(text=elsewhere, title="", lexicon=None, by=judge, now=START_TIME)
    with pytest.raises(Refused, match="JSON"):
        prepared_games.import_game(text="no", title="", lexicon=None, by=judge, now=START_TIME)


def test_an_archive_with_another_list_needs_one_to_be_chosen(judge: User) -> None:
    club_game = create_club_game(judge, profile="club", switches={"max_turns": 3})
    play_to_end(club_game)
    text = archive_text(club_game).replace(club_game.game.lexicon_sha256, "0" * 64)
    with pytest.raises(Refused, match="choose another"):
        prepared_games.import_game(text=text, title="", lexicon=None, by=judge, now=START_TIME)
    brought = prepared_games.import_game(text=text, title="Again", lexicon="it", by=judge, now=START_TIME)
    assert (brought.kind, script_of(brought)["lexicon"]["sha256"]) == ("replay", club_game.game.lexicon_sha256)
    with pytest.raises(Refused, match="played before"):
        prepared_games.choose_master_move(prepared=brought, turn=1, word="", ref="", why="", by=judge, now=START_TIME)
