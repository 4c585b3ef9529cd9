"""A game of an event that follows a script: exactly its racks and moves, in any number of rooms, and verified."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User

from engine.archive import read_archive
from engine.formulas import formula_codes
from engine.replay import verify
from tests.leaks import leaked
from tests.tournaments.night import EVENING, Night, begin
from tests.tournaments.prepared import (
    another_move,
    archive_text,
    play_on,
    play_through,
    played,
    prepared_game,
    written,
)
from tournaments import lexicons
from tournaments.enums import DrawMode, Ruling
from tournaments.errors import AlreadyDone, Refused
from tournaments.models import Game, PreparedGame, Turn
from tournaments.scripts import script_of
from tournaments.selectors.archive import export_game
from tournaments.selectors.desk import desk_view
from tournaments.selectors.hall import hall_view
from tournaments.services import drawing, ending, events, preparing, rules

pytestmark = pytest.mark.django_db


def differences(night: Night) -> list[str]:
    archive = read_archive(json.dumps(export_game(night.refresh())))
    lexicon = lexicons.graph_of(lexicons.of_game(night.game))
    return [f"{one.where}: {one.stored} / {one.derived}" for one in verify(archive, lexicon)]


@pytest.mark.parametrize("code", formula_codes())
def test_a_prepared_game_gives_exactly_its_script_in_every_formula(judge: User, code: str) -> None:
    prepared = prepared_game(judge, formula=code)
    night = play_on(begin(judge), prepared)
    play_through(night)
    assert played(night) == written(prepared)
    assert (night.game.state, night.game.end_why) == ("finished", script_of(prepared)["end"]["why"])
    assert night.game.commitment == script_of(prepared)["draw"]["commitment"]
    assert differences(night) == []


def test_a_whole_game_to_its_end_by_the_rule(judge: User) -> None:
    prepared = prepared_game(judge, switches={})
    night = play_on(begin(judge), prepared)
    play_through(night)
    assert len(played(night)) > 8
    assert played(night) == written(prepared)
    end = script_of(prepared)["end"]
    assert (night.game.end_why, night.game.end_kept, night.game.end_bag) == (end["why"], end["kept"], end["bag"])
    assert differences(night) == []


def test_several_events_play_the_same_game_whatever_their_players_write(judge: User) -> None:
    prepared = prepared_game(judge)
    nights = [play_on(begin(judge), prepared) for _ in range(2)]
    for number, night in enumerate(nights):
        play_through(night, seed=number)
    assert played(nights[0]) == played(nights[1]) == written(prepared)
    slips = [[turn["slips"] for turn in export_game(night.game)["turns"]] for night in nights]
    assert slips[0] != slips[1]


def test_the_judges_moves_are_placed_as_his_and_verified(judge: User) -> None:
    prepared = prepared_game(judge)
    word, ref = another_move(prepared, 2)
    prepared = preparing.choose_master(
        prepared=prepared, turn=2, word=word, ref=ref, why="for the hall", by=judge, now=EVENING
    )
    night = play_on(begin(judge), prepared)
    play_through(night)
    assert played(night) == written(prepared)
    second = Turn.objects.get(game=night.game, number=2)
    assert (second.master_chosen_by, second.master_why) == ("judge", "This is the move in the script of the game.")
    assert differences(night) == []


def test_the_desk_sees_the_move_of_the_script_only_after_the_close(judge: User) -> None:
    prepared = prepared_game(judge)
    word, ref = another_move(prepared, 1)
    prepared = preparing.choose_master(prepared=prepared, turn=1, word=word, ref=ref, why="", by=judge, now=EVENING)
    night = play_on(begin(judge), prepared)
    night.draw()
    night.announce()
    assert desk_view(night.game, night.room, night.now).master is None
    night.close()
    shown = desk_view(night.game, night.room, night.now).master
    assert shown is not None
    assert (shown.word, shown.ref, shown.chosen_by) == (word, ref, "judge")


def test_another_move_of_the_judge_or_a_struck_word_takes_the_game_off_its_script(judge: User) -> None:
    prepared = prepared_game(judge)
    night = play_on(begin(judge), prepared)
    first = script_of(prepared)["turns"][0]["master"]
    assert first is not None
    night.draw()
    night.announce()
    night.rule(first["word"].upper(), Ruling.STRUCK)
    night.close()
    placed = night.place()
    assert placed.master_word != first["word"]
    assert night.draw() is not None
    play_through_rest(night)
    assert played(night)[1:] != written(prepared)[1:]
    assert differences(night) == []


def play_through_rest(night: Night) -> None:
    while True:
        night.announce()
        night.close()
        night.place()
        if night.draw() is None:
            return


def test_a_script_that_was_tampered_with_is_not_played(judge: User) -> None:
    prepared = prepared_game(judge)
    night = play_on(begin(judge), prepared)
    script = json.loads(json.dumps(prepared.script))
    script["turns"][0]["rack"] = "AAAAAAA"
    PreparedGame.objects.filter(pk=prepared.pk).update(script=script)
    with pytest.raises(Refused, match="was changed"):
        night.draw()


def test_racks_hang_on_the_seed_alone_so_no_hall_word_and_no_other_rules(judge: User) -> None:
    night = play_on(begin(judge), prepared_game(judge))
    with pytest.raises(Refused, match="prepared"):
        events.set_hall_word(game=night.game, word="sole", by=judge, now=EVENING)
    with pytest.raises(Refused, match="prepared"):
        rules.change_rules(game=night.game, profile="fisf", switches={}, by=judge, now=EVENING)
    assert not rules.may_change_rules(night.game)


def test_a_game_that_has_begun_is_not_replaced_and_the_next_one_follows(judge: User) -> None:
    prepared, night = prepared_game(judge), begin(judge)
    night.draw()
    with pytest.raises(Refused, match="End game 1"):
        play_on(night, prepared)
    ending.end_game(game=night.game, by=judge, now=night.later())
    play_on(night, prepared)
    assert (night.game.number, night.game.prepared_id, night.game.entries.count()) == (2, prepared.pk, 4)
    with pytest.raises(AlreadyDone):
        play_on(night, prepared)
    play_through(night)
    assert played(night) == written(prepared)
    after = events.add_game(event=night.event, by=judge, now=night.later(), seed=b"n" * 32)
    assert (after.prepared_id, after.draw_mode) == (None, DrawMode.SEEDED)


def test_nothing_of_the_script_is_in_what_phones_wall_and_archive_are_told(judge: User) -> None:
    prepared = prepared_game(judge)
    night = play_on(begin(judge), prepared)
    script = script_of(prepared)
    masters = [turn["master"]["word"] for turn in script["turns"] if turn["master"]]
    secrets = [turn["rack"] for turn in script["turns"]]
    secrets += [str(script["draw"]["seed"]), *(f'"word": "{word}"' for word in masters)]

    def told() -> str:
        now = night.later()
        views: list[Any] = [hall_view(night.refresh(), night.room, now), export_game(night.game)]
        return json.dumps(views, default=str) + str(desk_view(night.game, night.room, now))

    assert leaked(told(), secrets) == []
    night.draw()
    night.announce()
    assert secrets[0] in told()
    # The archive, which is the judge's, has the tops of the turn that is being played.
    later = [secret for secret in secrets[1:] if secret not in json.dumps(script["turns"][0]["tops"])]
    assert len(later) > len(script["turns"])
    assert leaked(told(), later) == []


def replayed(judge: User, night: Night) -> PreparedGame:
    return preparing.bring(text=archive_text(night), title="Again", lexicon=None, by=judge, now=EVENING)


@pytest.mark.parametrize("profile", ["club", "it-box", "fisf"])
def test_a_game_that_was_played_is_met_again_and_verified(judge: User, profile: str) -> None:
    original = begin(judge, profile=profile)
    play_through(original, seed=3)
    again = replayed(judge, original)
    night = play_on(begin(judge), again)
    assert (night.game.draw_mode, desk_view(night.game, night.room, night.now).draw_mode) == ("typed", "seeded")
    with pytest.raises(Refused, match="script"):
        drawing.type_rack(game=night.game, text="ACEIRST", now=night.later(), by=judge)
    play_through(night, seed=4)
    racks_and_moves = [(turn[3], turn[4], turn[-1][:3]) for turn in played(original)]
    assert [(turn[3], turn[4], turn[-1][:3]) for turn in played(night)] == racks_and_moves
    assert (night.game.end_why, night.game.end_bag) == (original.game.end_why, original.game.end_bag)
    assert differences(night) == []


def test_a_replay_that_the_judge_ended_ends_there_again(judge: User) -> None:
    original = begin(judge, profile="club")
    for _ in range(3):
        original.draw()
        original.announce()
        original.phone(1, "ZZZ", "8H", 1)
        original.close()
        original.place()
    ending.end_game(game=original.game, by=judge, now=original.later(timedelta(minutes=1).total_seconds()))
    night = play_on(begin(judge), replayed(judge, original))
    play_through(night)
    assert (len(played(night)), night.game.end_why) == (3, "judge")
    assert Game.objects.get(pk=night.game.pk).state == "finished"
    assert differences(night) == []


def test_off_its_script_a_replay_is_drawn_from_a_bag(judge: User) -> None:
    original = begin(judge, profile="club", switches={"max_turns": 3})
    play_through(original)
    night = play_on(begin(judge), replayed(judge, original))
    assert night.game.prepared is not None
    word, ref = another_move(night.game.prepared, 1)
    night.draw()
    night.announce()
    night.close()
    night.place(word=word, ref=ref)
    assert desk_view(night.refresh(), night.room, night.now).draw_mode == "typed"
    with pytest.raises(Refused, match="from a bag"):
        night.draw()
