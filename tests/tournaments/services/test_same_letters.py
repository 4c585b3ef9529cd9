"""Nobody is correct although there is a move: the same letters again. Source: Romanian federation."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth.models import User

from engine.archive import check_archive
from engine.replay import verify
from tests.tournaments.night import Night, begin
from tournaments import lexicons
from tournaments.errors import Refused
from tournaments.models import Turn
from tournaments.selectors.archive import export_game
from tournaments.selectors.desk import desk_view
from tournaments.selectors.phases import Phase
from tournaments.services import drawing, ending


def night_of(judge: User, **settings: Any) -> Night:
    return begin(judge, **{"switches": {"nobody_correct": "same_rack"}, **settings})


def fail(night: Night) -> None:
    """A turn in which every slip is a zero."""
    night.announce()
    night.phone(1, "ZZZ", "8H", 10)
    night.close()


def differences(night: Night) -> list[tuple[str, object, object]]:
    archive = check_archive(json.loads(json.dumps(export_game(night.refresh()))))
    found = verify(archive, lexicons.graph_of(lexicons.of_game(night.game)))
    return [(one.where, one.stored, one.derived) for one in found]


def test_the_next_turn_has_the_same_letters_and_nothing_is_drawn(judge: User) -> None:
    night = night_of(judge)
    first = night.draw()
    assert first is not None
    fail(night)
    assert desk_view(night.game, night.room, night.now).again
    placed = night.place()
    assert (placed.master_word, placed.master_score) == ("", None)
    view = desk_view(night.game, night.room, night.now)
    assert (view.hall.phase, view.again, view.kept) == (Phase.PLACED, True, first.rack)
    second = night.draw()
    assert second is not None
    assert (second.number, second.kept, second.rack, second.rejected, second.board, second.top) == (
        2,
        first.rack,
        first.rack,
        [],
        first.board,
        first.top,
    )
    assert not desk_view(night.game, night.room, night.now).again


def test_an_archive_with_the_same_letters_again_is_verified(judge: User) -> None:
    night = night_of(judge)
    night.draw()
    fail(night)
    night.place()
    again = night.draw()
    assert again is not None
    assert again.tops
    night.announce()
    night.phone(2, again.tops[0]["word"], again.tops[0]["ref"], again.tops[0]["score"])
    night.close()
    night.place()
    ending.end_game(game=night.game, why="judge", by=judge, now=night.later())
    assert differences(night) == []
    Turn.objects.filter(number=2).update(rack=again.rack[1:])
    assert differences(night)[0][0] == "turn 2, rack"


def test_all_goes_back_every_turn_but_not_the_letters_that_are_played_again(judge: User) -> None:
    """Also where the profile puts the leftover back each turn, as the Dutch do."""
    night = night_of(judge, switches={"nobody_correct": "same_rack", "put_back": "always"})
    first = night.draw()
    fail(night)
    night.place()
    second = night.draw()
    assert first is not None
    assert second is not None
    assert second.rack == first.rack


def test_a_correct_slip_ends_it_and_so_does_the_judges_own_move(judge: User) -> None:
    night = night_of(judge)
    night.begin_turn("ACEIRST")
    night.phone(1, "CARTE", "8H", 18)
    night.close()
    assert not desk_view(night.game, night.room, night.now).again
    assert night.place().master_word == "CARTE"
    other = night_of(judge)
    other.begin_turn("ACEIRST")
    other.phone(1, "ZZZ", "8H", 18)
    other.close()
    assert other.place(word="CARTE", ref="8H", why="time is short").master_word == "CARTE"
    following = other.draw()
    assert following is not None
    assert following.kept == "IS"


def test_elsewhere_the_engine_goes_on(judge: User) -> None:
    night = begin(judge)
    night.draw()
    fail(night)
    assert night.place().master_chosen_by == "engine"


def test_typed_letters_are_not_typed_again(judge: User) -> None:
    night = night_of(judge, draw_mode="typed")
    drawing.type_rack(game=night.game, text="ACEIRST", now=night.later(), by=judge)
    fail(night)
    night.place()
    with pytest.raises(Refused, match="the same letters are played again"):
        drawing.type_rack(game=night.refresh(), text="ACEIRST", now=night.later(), by=judge)
    again = night.draw()
    assert again is not None
    assert again.rack == "ACEIRST"


def test_a_repeated_turn_can_be_taken_back(judge: User) -> None:
    night = night_of(judge)
    night.draw()
    fail(night)
    night.place()
    night.draw()
    assert night.undo().number == 1
    night.paper("2 8H CARTE 18")
    assert Turn.objects.count() == 1


def test_nobody_at_all_is_not_nobody_correct(judge: User) -> None:
    """Without players the game goes on, or it would never end."""
    night = night_of(judge, players=())
    night.draw()
    night.announce()
    night.close()
    assert night.place().master_chosen_by == "engine"
