"""Games of every formula through the services: drawn, judged, placed, taken back, exported, verified."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth.models import User

from engine.archive import Archive, read_archive
from engine.edition import load_edition
from engine.formulas import formula_codes, load_formula
from engine.replay import verify
from engine.tiles import Tiles
from tests.tournaments.night import EVENING, Night, begin, chance, play_turn
from tournaments import lexicons
from tournaments.enums import DrawMode
from tournaments.errors import Refused
from tournaments.models import Turn
from tournaments.position import what_is_left
from tournaments.selectors.archive import export_game
from tournaments.selectors.desk import desk_view
from tournaments.selectors.hall import hall_view
from tournaments.services import drawing, ending, events
from tournaments.simulation import play_game

IT = load_edition("it")
every_formula = pytest.mark.parametrize("code", formula_codes())


def archive_of(night: Night) -> Archive:
    return read_archive(json.dumps(export_game(night.refresh())))


def differences(night: Night) -> list[str]:
    lexicon = lexicons.graph_of(lexicons.of_game(night.game))
    return [str(difference) for difference in verify(archive_of(night), lexicon)]


@every_formula
def test_a_simulated_game_has_no_difference(judge: User, code: str) -> None:
    night = begin(judge, formula=code, rhythm_s=60, switches={"max_turns": 4})
    game = play_game(
        game=night.game, room=night.room, by=judge, rng=chance(7), start=EVENING, progress=lambda turn: None
    )
    archive = archive_of(night)
    assert (archive["formula"], archive["rhythm_s"], len(archive["turns"]), game.end_why) == (code, 60, 4, "turns")
    assert differences(night) == []
    assert {slip["verdict"]["result"] for turn in archive["turns"] for slip in turn["slips"]} >= {"valid"}


@every_formula
def test_undo_and_the_same_again_give_the_same_bytes(judge: User, code: str) -> None:
    night, rng = begin(judge, formula=code), chance(5)
    play_turn(night, rng)
    play_turn(night, rng)
    night.draw()
    before = _turns(night)
    night.undo()
    night.place()
    night.draw()
    assert _turns(night) == before


def _turns(night: Night) -> str:
    return json.dumps(archive_of(night)["turns"])


@pytest.mark.parametrize("code", [code for code in formula_codes() if load_formula(code).joker])
def test_the_hall_sees_the_joker_and_then_the_letter_that_took_its_place(judge: User, code: str) -> None:
    night = begin(judge, formula=code)
    night.draw()
    night.force_rack("?CASBDF")
    night.announce()
    night.phone(1, "CASa", "8H", 12)
    night.close()
    placed = night.place(word="CASa", ref="8H")
    view = hall_view(night.refresh(), night.room, night.later())
    assert view.board[7] == ".......CASA...."
    assert view.new == [[7, col] for col in range(7, 11)]
    assert view.last is not None
    assert view.last.word == placed.master_word == "CASa"
    left = what_is_left(night.game)
    assert (left.board.rows[7], left.kept.text, left.bag.blanks) == (".......CASA....", "BDF", 2)
    desk = desk_view(night.game, night.room, night.later())
    assert (desk.kept, desk.bag) == (left.kept.text, left.bag.text)
    following = night.draw()
    assert following is not None
    assert following.rack.count("?") == 1
    assert following.board[7] == ".......CASA...."


def test_a_completive_slip_takes_its_seventh_tile_out_of_the_stock(judge: User) -> None:
    night = begin(judge, formula="completive", profile="club")
    night.draw()
    night.force_rack("CASBDF")
    assert any(len(top["word"]) > 6 or set(top["word"]) - set("CASBDF") for top in night.turn.tops or ())
    assert hall_view(night.game, night.room, night.later()).stock is None, "it would give the rack away"
    night.announce()
    stock = hall_view(night.game, night.room, night.later()).stock
    assert stock == (Tiles.full_bag(IT) - Tiles.parse(IT, "CASBDF")).text
    night.phone(1, "CASE", "8H", None)
    night.phone(2, "CASETE", "8H", None)
    night.close()
    assert (night.verdict(1).result, night.verdict(2).reason) == ("valid", "letters_not_in_rack")
    night.place(word="CASE", ref="8H")
    assert hall_view(night.game, night.room, night.later()).stock is None
    left = what_is_left(night.game)
    assert left.kept.text == "BDF"
    assert left.bag.text.count("E") == 10


def test_racks_of_a_joker_game_may_be_typed(judge: User) -> None:
    night = begin(judge, formula="joker", draw_mode=DrawMode.TYPED)

    def typed(text: str) -> Turn | None:
        return drawing.type_rack(game=night.refresh(), text=text, now=night.later(), by=judge)

    with pytest.raises(Refused, match="exactly one blank"):
        typed("ACEIRST")
    turn = typed("?CEIRST")
    assert turn is not None
    night.announce()
    night.phone(1, "CESTI", "8H", 20)
    night.close()
    night.place()
    assert differences(night) == []


def test_an_explosive_game_cannot_be_typed(judge: User) -> None:
    with pytest.raises(Refused, match="let it draw the racks"):
        begin(judge, formula="explosive", draw_mode=DrawMode.TYPED)


# ---------------------------------------------------------------------------------------------------------------
# What an event is begun with.


def test_formula_and_rhythm_are_fixed_with_the_game(judge: User) -> None:
    game = begin(judge, formula="7and8-joker", rhythm_s=90).game
    assert (game.formula, game.rhythm_s) == ("7and8-joker", 90)
    assert {switch: game.switches[switch] for switch in ("rack_size", "bonuses", "clock_s", "calls_s")} == {
        "rack_size": 8,
        "bonuses": {"7": 50, "8": 75},
        "clock_s": 90,
        "calls_s": [20, 5],
    }


def test_calls_that_the_organiser_has_set_stay_at_any_rhythm(judge: User) -> None:
    game = begin(judge, rhythm_s=90, switches={"calls_s": [45, 10]}).game
    assert game.switches["calls_s"] == [45, 10]


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [({"formula": "chess"}, "There is no formula “chess”."), ({"rhythm_s": 0}, "The rules cannot be set so")],
)
def test_what_there_is_not_is_refused(judge: User, wrong: dict[str, Any], sentence: str) -> None:
    with pytest.raises(Refused, match=sentence):
        begin(judge, **wrong)


def test_the_next_game_may_have_another_formula_and_rhythm(judge: User) -> None:
    night = begin(judge, formula="7of8", rhythm_s=90)

    def following(**changes: Any) -> dict[str, Any]:
        if night.draw():
            night.announce()
            night.close()
            night.place()
        ending.end_game(game=night.refresh(), by=judge, now=night.later())
        night.game = events.add_game(event=night.event, by=judge, now=night.later(), seed=bytes(32), **changes)
        switches = night.game.switches
        return {"formula": night.game.formula, "rhythm_s": night.game.rhythm_s} | {
            name: switches[name] for name in ("rack_size", "bonuses", "calls_s")
        }

    same = {"formula": "7of8", "rhythm_s": 90, "rack_size": 8, "bonuses": {"7": 50}, "calls_s": [20, 5]}
    assert following() == same
    assert following(formula="joker") == same | {"formula": "joker", "rack_size": 7}
    assert following(formula="six", rhythm_s=180) == {
        "formula": "six",
        "rhythm_s": 180,
        "rack_size": 6,
        "bonuses": {"6": 50},
        "calls_s": [60, 30, 5],
    }
    assert following(formula="normal")["bonuses"] == {"7": 50}


def test_the_leftover_may_go_back_every_turn_in_a_whole_game(judge: User) -> None:
    """The Dutch and Flemish rule: seven new tiles every turn."""
    rules = {"put_back": "always", "end_rule": "ntsv", "min_early": 0, "min_late": 0}
    night, rng = begin(judge, switches=rules), chance(11)
    while play_turn(night, rng):
        assert what_is_left(night.game).kept.total == 0
    assert differences(night) == []
    assert {turn.kept for turn in Turn.objects.filter(game=night.game)} == {""}
    assert all(len(turn.rack) == 7 for turn in Turn.objects.filter(game=night.game))


def test_a_recycled_blank_comes_back_to_the_rack(judge: User) -> None:
    night = begin(judge, switches={"recycle_blanks": True})
    night.draw()
    night.force_rack("?CASBAF")
    night.announce()
    night.close()
    night.place(word="CASa", ref="8H")
    left = what_is_left(night.game)
    assert (left.board.rows[7], left.kept.text) == (".......CASA....", "?BF")
