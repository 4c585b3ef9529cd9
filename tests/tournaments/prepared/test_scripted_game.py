"""A game of an event that follows a script: exactly its racks and moves, in any number of rooms, and verified."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User

from engine.archive.replay import verify
from engine.archive.schema import read_archive
from engine.variants.variant import variant_codes
from referee.views.desk import get_desk_view
from referee.views.hall import get_public_view
from tests.examples import one_in, representative
from tests.leaks import leaked
from tests.tournaments.club_game import START_TIME, ClubGame, create_club_game
from tests.tournaments.prepared.sample_game import (
    archive_text,
    create_prepared_game,
    find_other_move,
    follow_script,
    game_facts,
    play_to_end,
    script_facts,
)
from tournaments.enums import DrawMode, Ruling
from tournaments.errors import AlreadyDone, Refused
from tournaments.events.services import events, rule_changes
from tournaments.lexicons import word_lists
from tournaments.models import Game, PreparedGame, Turn
from tournaments.play.services import draw_rack, game_end
from tournaments.prepared.scripts import script_of
from tournaments.prepared.services import prepared_games
from tournaments.results.queries.archive import export_game

pytestmark = pytest.mark.django_db


def differences(club_game: ClubGame) -> list[str]:
    archive = read_archive(json.dumps(export_game(club_game.refresh())))
    lexicon = word_lists.graph_of(word_lists.word_list_of_game(club_game.game))
    return [f"{one.where}: {one.stored} / {one.derived}" for one in verify(archive, lexicon)]


@pytest.mark.parametrize("code", one_in(4, variant_codes()))
def test_a_prepared_game_gives_exactly_its_script_in_every_variant(judge: User, code: str) -> None:
    prepared = create_prepared_game(judge, variant=code)
    club_game = follow_script(create_club_game(judge), prepared)
    play_to_end(club_game)
    assert game_facts(club_game) == script_facts(prepared)
    assert (club_game.game.state, club_game.game.end_why) == ("finished", script_of(prepared)["end"]["why"])
    assert club_game.game.commitment == script_of(prepared)["draw"]["commitment"]
    assert differences(club_game) == []


@pytest.mark.endurance
def test_a_whole_game_to_its_end_by_the_rule(judge: User) -> None:
    prepared = create_prepared_game(judge, switches={})
    club_game = follow_script(create_club_game(judge), prepared)
    play_to_end(club_game)
    assert len(game_facts(club_game)) > 8
    assert game_facts(club_game) == script_facts(prepared)
    end = script_of(prepared)["end"]
    assert (club_game.game.end_why, club_game.game.end_kept, club_game.game.end_bag) == (
        end["why"],
        end["kept"],
        end["bag"],
    )
    assert differences(club_game) == []


@pytest.mark.endurance
def test_several_events_play_the_same_game_whatever_their_players_write(judge: User) -> None:
    prepared = create_prepared_game(judge)
    club_games = [follow_script(create_club_game(judge), prepared) for _ in range(2)]
    for number, club_game in enumerate(club_games):
        play_to_end(club_game, seed=number)
    assert game_facts(club_games[0]) == game_facts(club_games[1]) == script_facts(prepared)
    slips = [[turn["slips"] for turn in export_game(club_game.game)["turns"]] for club_game in club_games]
    assert slips[0] != slips[1]


def test_the_judges_moves_are_placed_as_his_and_verified(judge: User) -> None:
    prepared = create_prepared_game(judge)
    word, ref = find_other_move(prepared, 2)
    prepared = prepared_games.choose_master_move(
        prepared=prepared, turn=2, word=word, ref=ref, why="for the hall", by=judge, now=START_TIME
    )
    club_game = follow_script(create_club_game(judge), prepared)
    play_to_end(club_game)
    assert game_facts(club_game) == script_facts(prepared)
    second = Turn.objects.get(game=club_game.game, number=2)
    assert (second.master_chosen_by, second.master_why) == ("judge", "This is the move in the script of the game.")
    assert differences(club_game) == []


def test_the_desk_sees_the_move_of_the_script_only_after_the_close(judge: User) -> None:
    prepared = create_prepared_game(judge)
    word, ref = find_other_move(prepared, 1)
    prepared = prepared_games.choose_master_move(
        prepared=prepared, turn=1, word=word, ref=ref, why="", by=judge, now=START_TIME
    )
    club_game = follow_script(create_club_game(judge), prepared)
    club_game.draw()
    club_game.announce()
    assert get_desk_view(club_game.game, club_game.room, club_game.now).master is None
    club_game.close()
    shown = get_desk_view(club_game.game, club_game.room, club_game.now).master
    assert shown is not None
    assert (shown.word, shown.ref, shown.chosen_by) == (word, ref, "judge")


def test_another_move_of_the_judge_or_a_struck_word_takes_the_game_off_its_script(judge: User) -> None:
    prepared = create_prepared_game(judge)
    club_game = follow_script(create_club_game(judge), prepared)
    first = script_of(prepared)["turns"][0]["master"]
    assert first is not None
    club_game.draw()
    club_game.announce()
    club_game.rule(first["word"].upper(), Ruling.STRUCK)
    club_game.close()
    placed = club_game.place()
    assert placed.master_word != first["word"]
    assert club_game.draw() is not None
    play_through_rest(club_game)
    assert game_facts(club_game)[1:] != script_facts(prepared)[1:]
    assert differences(club_game) == []


def play_through_rest(club_game: ClubGame) -> None:
    while True:
        club_game.announce()
        club_game.close()
        club_game.place()
        if club_game.draw() is None:
            return


def test_a_script_that_was_tampered_with_is_not_played(judge: User) -> None:
    prepared = create_prepared_game(judge)
    club_game = follow_script(create_club_game(judge), prepared)
    script = json.loads(json.dumps(prepared.script))
    script["turns"][0]["rack"] = "AAAAAAA"
    PreparedGame.objects.filter(pk=prepared.pk).update(script=script)
    with pytest.raises(Refused, match="was changed"):
        club_game.draw()


def test_racks_hang_on_the_seed_alone_so_no_hall_word_and_no_other_rules(judge: User) -> None:
    club_game = follow_script(create_club_game(judge), create_prepared_game(judge))
    with pytest.raises(Refused, match="prepared"):
        events.set_hall_word(game=club_game.game, word="sole", by=judge, now=START_TIME)
    with pytest.raises(Refused, match="prepared"):
        rule_changes.change_rules(game=club_game.game, profile="fisf", switches={}, by=judge, now=START_TIME)
    assert not rule_changes.may_change_rules(club_game.game)


def test_a_game_that_has_begun_is_not_replaced_and_the_next_one_follows(judge: User) -> None:
    prepared, club_game = create_prepared_game(judge), create_club_game(judge)
    club_game.draw()
    with pytest.raises(Refused, match="End game 1"):
        follow_script(club_game, prepared)
    game_end.end_game(game=club_game.game, by=judge, now=club_game.later())
    follow_script(club_game, prepared)
    assert (club_game.game.number, club_game.game.prepared_id, club_game.game.entries.count()) == (2, prepared.pk, 4)
    with pytest.raises(AlreadyDone):
        follow_script(club_game, prepared)
    play_to_end(club_game)
    assert game_facts(club_game) == script_facts(prepared)
    after = events.add_game(event=club_game.event, by=judge, now=club_game.later(), seed=b"n" * 32)
    assert (after.prepared_id, after.draw_mode) == (None, DrawMode.SEEDED)


def test_nothing_of_the_script_is_in_what_phones_wall_and_archive_are_told(judge: User) -> None:
    prepared = create_prepared_game(judge)
    club_game = follow_script(create_club_game(judge), prepared)
    script = script_of(prepared)
    masters = [turn["master"]["word"] for turn in script["turns"] if turn["master"]]
    secrets = [turn["rack"] for turn in script["turns"]]
    secrets += [str(script["draw"]["seed"]), *(f'"word": "{word}"' for word in masters)]

    def told() -> str:
        now = club_game.later()
        views: list[Any] = [get_public_view(club_game.refresh(), club_game.room, now), export_game(club_game.game)]
        return json.dumps(views, default=str) + str(get_desk_view(club_game.game, club_game.room, now))

    assert leaked(told(), secrets) == []
    club_game.draw()
    club_game.announce()
    assert secrets[0] in told()
    # The archive, which is the judge's, has the tops of the turn that is being played.
    later = [secret for secret in secrets[1:] if secret not in json.dumps(script["turns"][0]["tops"])]
    assert len(later) > len(script["turns"])
    assert leaked(told(), later) == []


def replayed(judge: User, club_game: ClubGame) -> PreparedGame:
    return prepared_games.import_game(
        text=archive_text(club_game), title="Again", lexicon=None, by=judge, now=START_TIME
    )


@pytest.mark.endurance
@pytest.mark.parametrize("profile", representative(["club", "it-box", "fisf"]))
def test_a_game_that_was_played_is_met_again_and_verified(judge: User, profile: str) -> None:
    original = create_club_game(judge, profile=profile)
    play_to_end(original, seed=3)
    again = replayed(judge, original)
    club_game = follow_script(create_club_game(judge), again)
    assert (club_game.game.draw_mode, get_desk_view(club_game.game, club_game.room, club_game.now).draw_mode) == (
        "typed",
        "seeded",
    )
    with pytest.raises(Refused, match="script"):
        draw_rack.type_rack(game=club_game.game, text="ACEIRST", now=club_game.later(), by=judge)
    play_to_end(club_game, seed=4)
    racks_and_moves = [(turn[3], turn[4], turn[-1][:3]) for turn in game_facts(original)]
    assert [(turn[3], turn[4], turn[-1][:3]) for turn in game_facts(club_game)] == racks_and_moves
    assert (club_game.game.end_why, club_game.game.end_bag) == (original.game.end_why, original.game.end_bag)
    assert differences(club_game) == []


def test_a_replay_that_the_judge_ended_ends_there_again(judge: User) -> None:
    original = create_club_game(judge, profile="club")
    for _ in range(3):
        original.draw()
        original.announce()
        original.phone(1, "ZZZ", "8H", 1)
        original.close()
        original.place()
    game_end.end_game(game=original.game, by=judge, now=original.later(timedelta(minutes=1).total_seconds()))
    club_game = follow_script(create_club_game(judge), replayed(judge, original))
    play_to_end(club_game)
    assert (len(game_facts(club_game)), club_game.game.end_why) == (3, "judge")
    assert Game.objects.get(pk=club_game.game.pk).state == "finished"
    assert differences(club_game) == []


def test_off_its_script_a_replay_is_drawn_from_a_bag(judge: User) -> None:
    original = create_club_game(judge, profile="club", switches={"max_turns": 3})
    play_to_end(original)
    club_game = follow_script(create_club_game(judge), replayed(judge, original))
    assert club_game.game.prepared is not None
    word, ref = find_other_move(club_game.game.prepared, 1)
    club_game.draw()
    club_game.announce()
    club_game.close()
    club_game.place(word=word, ref=ref)
    assert get_desk_view(club_game.refresh(), club_game.room, club_game.now).draw_mode == "typed"
    with pytest.raises(Refused, match="from a bag"):
        club_game.draw()
