"""Games of every variant through the services: drawn, judged, placed, taken back, exported, verified."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth.models import User

from engine.archive.replay import verify
from engine.archive.schema import Archive, read_archive
from engine.tiles.edition import load_edition
from engine.tiles.tiles import Tiles
from engine.variants.variant import load_variant, variant_codes
from referee.views.desk import get_desk_view
from referee.views.hall import get_public_view
from tests.examples import one_in
from tests.tournaments.club_game import START_TIME, ClubGame, create_club_game, play_turn, seeded_random
from tournaments.enums import DrawMode
from tournaments.errors import Refused
from tournaments.events.services import events
from tournaments.lexicons import word_lists
from tournaments.models import Turn
from tournaments.play.position import get_draw_position
from tournaments.play.services import draw_rack, game_end
from tournaments.play.simulation import play_game
from tournaments.results.queries.archive import export_game

IT = load_edition("it")
every_variant = pytest.mark.parametrize("code", one_in(4, variant_codes()))


def archive_of(club_game: ClubGame) -> Archive:
    return read_archive(json.dumps(export_game(club_game.refresh())))


def differences(club_game: ClubGame) -> list[str]:
    lexicon = word_lists.graph_of(word_lists.word_list_of_game(club_game.game))
    return [str(difference) for difference in verify(archive_of(club_game), lexicon)]


@every_variant
def test_a_simulated_game_has_no_difference(judge: User, code: str) -> None:
    club_game = create_club_game(judge, variant=code, turn_seconds=60, switches={"max_turns": 4})
    game = play_game(
        game=club_game.game,
        room=club_game.room,
        by=judge,
        rng=seeded_random(7),
        start=START_TIME,
        progress=lambda turn: None,
    )
    archive = archive_of(club_game)
    assert (archive["formula"], archive["rhythm_s"], len(archive["turns"]), game.end_why) == (code, 60, 4, "turns")
    assert differences(club_game) == []
    assert {slip["verdict"]["result"] for turn in archive["turns"] for slip in turn["slips"]} >= {"valid"}


@every_variant
def test_undo_and_the_same_again_give_the_same_bytes(judge: User, code: str) -> None:
    club_game, rng = create_club_game(judge, variant=code), seeded_random(5)
    play_turn(club_game, rng)
    play_turn(club_game, rng)
    club_game.draw()
    before = _turns(club_game)
    club_game.undo()
    club_game.place()
    club_game.draw()
    assert _turns(club_game) == before


def _turns(club_game: ClubGame) -> str:
    return json.dumps(archive_of(club_game)["turns"])


@pytest.mark.parametrize("code", [code for code in variant_codes() if load_variant(code).joker])
def test_the_hall_sees_the_joker_and_then_the_letter_that_took_its_place(judge: User, code: str) -> None:
    club_game = create_club_game(judge, variant=code)
    club_game.draw()
    club_game.force_rack("?CASBDF")
    club_game.announce()
    club_game.phone(1, "CASa", "8H", 12)
    club_game.close()
    placed = club_game.place(word="CASa", ref="8H")
    view = get_public_view(club_game.refresh(), club_game.room, club_game.later())
    assert view.board[7] == ".......CASA...."
    assert view.new == [[7, col] for col in range(7, 11)]
    assert view.last is not None
    assert view.last.word == placed.master_word == "CASa"
    left = get_draw_position(club_game.game)
    assert (left.board.rows[7], left.kept.text, left.bag.blanks) == (".......CASA....", "BDF", 2)
    desk = get_desk_view(club_game.game, club_game.room, club_game.later())
    assert (desk.kept, desk.bag) == (left.kept.text, left.bag.text)
    following = club_game.draw()
    assert following is not None
    assert following.rack.count("?") == 1
    assert following.board[7] == ".......CASA...."


def test_a_completive_slip_takes_its_seventh_tile_out_of_the_stock(judge: User) -> None:
    club_game = create_club_game(judge, variant="completive", profile="club")
    club_game.draw()
    club_game.force_rack("CASBDF")
    assert any(len(top["word"]) > 6 or set(top["word"]) - set("CASBDF") for top in club_game.turn.tops or ())
    assert get_public_view(club_game.game, club_game.room, club_game.later()).stock is None, (
        "it would give the rack away"
    )
    club_game.announce()
    stock = get_public_view(club_game.game, club_game.room, club_game.later()).stock
    assert stock == (Tiles.full_bag(IT) - Tiles.parse(IT, "CASBDF")).text
    club_game.phone(1, "CASE", "8H", None)
    club_game.phone(2, "CASETE", "8H", None)
    club_game.close()
    assert (club_game.verdict(1).result, club_game.verdict(2).reason) == ("valid", "letters_not_in_rack")
    club_game.place(word="CASE", ref="8H")
    assert get_public_view(club_game.game, club_game.room, club_game.later()).stock is None
    left = get_draw_position(club_game.game)
    assert left.kept.text == "BDF"
    assert left.bag.text.count("E") == 10


def test_racks_of_a_joker_game_may_be_typed(judge: User) -> None:
    club_game = create_club_game(judge, variant="joker", draw_mode=DrawMode.TYPED)

    def typed(text: str) -> Turn | None:
        return draw_rack.type_rack(game=club_game.refresh(), text=text, now=club_game.later(), by=judge)

    with pytest.raises(Refused, match="exactly one blank"):
        typed("ACEIRST")
    turn = typed("?CEIRST")
    assert turn is not None
    club_game.announce()
    club_game.phone(1, "CESTI", "8H", 20)
    club_game.close()
    club_game.place()
    assert differences(club_game) == []


def test_an_explosive_game_cannot_be_typed(judge: User) -> None:
    with pytest.raises(Refused, match="let it draw the racks"):
        create_club_game(judge, variant="explosive", draw_mode=DrawMode.TYPED)


# ---------------------------------------------------------------------------------------------------------------
# What an event is begun with.


def test_variant_and_rhythm_are_fixed_with_the_game(judge: User) -> None:
    game = create_club_game(judge, variant="7and8-joker", turn_seconds=90).game
    assert (game.variant, game.turn_seconds) == ("7and8-joker", 90)
    assert {switch: game.switches[switch] for switch in ("rack_size", "bonuses", "clock_s", "calls_s")} == {
        "rack_size": 8,
        "bonuses": {"7": 50, "8": 75},
        "clock_s": 90,
        "calls_s": [20, 5],
    }


def test_calls_that_the_organiser_has_set_stay_at_any_time_control(judge: User) -> None:
    game = create_club_game(judge, turn_seconds=90, switches={"calls_s": [45, 10]}).game
    assert game.switches["calls_s"] == [45, 10]


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [({"variant": "chess"}, "There is no variant “chess”."), ({"turn_seconds": 0}, "The rules cannot be set so")],
)
def test_what_there_is_not_is_refused(judge: User, wrong: dict[str, Any], sentence: str) -> None:
    with pytest.raises(Refused, match=sentence):
        create_club_game(judge, **wrong)


def test_the_next_game_may_have_another_variant_and_rhythm(judge: User) -> None:
    club_game = create_club_game(judge, variant="7of8", turn_seconds=90)

    def following(**changes: Any) -> dict[str, Any]:
        if club_game.draw():
            club_game.announce()
            club_game.close()
            club_game.place()
        game_end.end_game(game=club_game.refresh(), by=judge, now=club_game.later())
        club_game.game = events.add_game(
            event=club_game.event, by=judge, now=club_game.later(), seed=bytes(32), **changes
        )
        switches = club_game.game.switches
        return {"formula": club_game.game.variant, "rhythm_s": club_game.game.turn_seconds} | {
            name: switches[name] for name in ("rack_size", "bonuses", "calls_s")
        }

    same = {"formula": "7of8", "rhythm_s": 90, "rack_size": 8, "bonuses": {"7": 50}, "calls_s": [20, 5]}
    assert following() == same
    assert following(variant="joker") == same | {"formula": "joker", "rack_size": 7}
    assert following(variant="six", turn_seconds=180) == {
        "formula": "six",
        "rhythm_s": 180,
        "rack_size": 6,
        "bonuses": {"6": 50},
        "calls_s": [60, 30, 5],
    }
    assert following(variant="normal")["bonuses"] == {"7": 50}


@pytest.mark.endurance
def test_the_leftover_may_go_back_every_turn_in_a_whole_game(judge: User) -> None:
    """The Dutch and Flemish rule: seven new tiles every turn."""
    rules = {"put_back": "always", "end_rule": "ntsv", "min_early": 0, "min_late": 0}
    club_game, rng = create_club_game(judge, switches=rules), seeded_random(11)
    while play_turn(club_game, rng):
        assert get_draw_position(club_game.game).kept.total == 0
    assert differences(club_game) == []
    assert {turn.kept for turn in Turn.objects.filter(game=club_game.game)} == {""}
    assert all(len(turn.rack) == 7 for turn in Turn.objects.filter(game=club_game.game))


def test_a_recycled_blank_comes_back_to_the_rack(judge: User) -> None:
    club_game = create_club_game(judge, switches={"recycle_blanks": True})
    club_game.draw()
    club_game.force_rack("?CASBAF")
    club_game.announce()
    club_game.close()
    club_game.place(word="CASa", ref="8H")
    left = get_draw_position(club_game.game)
    assert (left.board.rows[7], left.kept.text) == (".......CASA....", "?BF")
