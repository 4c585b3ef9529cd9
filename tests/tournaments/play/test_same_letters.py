"""Nobody is correct although there is a move: the same letters again. Source: Romanian federation."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth.models import User

from engine.archive.replay import verify
from engine.archive.schema import check_archive
from referee.views.desk import get_desk_view
from tests.tournaments.club_game import ClubGame, create_club_game
from tournaments.errors import Refused
from tournaments.lexicons import word_lists
from tournaments.models import Turn
from tournaments.play.queries.phases import Phase
from tournaments.play.services import draw_rack, game_end
from tournaments.results.queries.archive import export_game


def club_game_of(judge: User, **settings: Any) -> ClubGame:
    return create_club_game(judge, **{"switches": {"nobody_correct": "same_rack"}, **settings})


def fail(club_game: ClubGame) -> None:
    """A turn in which every slip is a zero."""
    club_game.announce()
    club_game.phone(1, "ZZZ", "8H", 10)
    club_game.close()


def differences(club_game: ClubGame) -> list[tuple[str, object, object]]:
    archive = check_archive(json.loads(json.dumps(export_game(club_game.refresh()))))
    found = verify(archive, word_lists.graph_of(word_lists.word_list_of_game(club_game.game)))
    return [(one.where, one.stored, one.derived) for one in found]


def test_the_next_turn_has_the_same_letters_and_nothing_is_drawn(judge: User) -> None:
    club_game = club_game_of(judge)
    first = club_game.draw()
    assert first is not None
    fail(club_game)
    assert get_desk_view(club_game.game, club_game.room, club_game.now).again
    placed = club_game.place()
    assert (placed.master_word, placed.master_score) == ("", None)
    view = get_desk_view(club_game.game, club_game.room, club_game.now)
    assert (view.hall.phase, view.again, view.kept) == (Phase.PLACED, True, first.rack)
    second = club_game.draw()
    assert second is not None
    assert (second.number, second.kept, second.rack, second.rejected, second.board, second.top) == (
        2,
        first.rack,
        first.rack,
        [],
        first.board,
        first.top,
    )
    assert not get_desk_view(club_game.game, club_game.room, club_game.now).again


def test_an_archive_with_the_same_letters_again_is_verified(judge: User) -> None:
    club_game = club_game_of(judge)
    club_game.draw()
    fail(club_game)
    club_game.place()
    again = club_game.draw()
    assert again is not None
    assert again.tops
    club_game.announce()
    club_game.phone(2, again.tops[0]["word"], again.tops[0]["ref"], again.tops[0]["score"])
    club_game.close()
    club_game.place()
    game_end.end_game(game=club_game.game, why="judge", by=judge, now=club_game.later())
    assert differences(club_game) == []
    Turn.objects.filter(number=2).update(rack=again.rack[1:])
    assert differences(club_game)[0][0] == "turn 2, rack"


def test_all_goes_back_every_turn_but_not_the_letters_that_are_played_again(judge: User) -> None:
    """Also where the profile puts the leftover back each turn, as the Dutch do."""
    club_game = club_game_of(judge, switches={"nobody_correct": "same_rack", "put_back": "always"})
    first = club_game.draw()
    fail(club_game)
    club_game.place()
    second = club_game.draw()
    assert first is not None
    assert second is not None
    assert second.rack == first.rack


def test_a_correct_slip_ends_it_and_so_does_the_judges_own_move(judge: User) -> None:
    club_game = club_game_of(judge)
    club_game.begin_turn("ACEIRST")
    club_game.phone(1, "CARTE", "8H", 18)
    club_game.close()
    assert not get_desk_view(club_game.game, club_game.room, club_game.now).again
    assert club_game.place().master_word == "CARTE"
    other = club_game_of(judge)
    other.begin_turn("ACEIRST")
    other.phone(1, "ZZZ", "8H", 18)
    other.close()
    assert other.place(word="CARTE", ref="8H", why="time is short").master_word == "CARTE"
    following = other.draw()
    assert following is not None
    assert following.kept == "IS"


def test_elsewhere_the_engine_goes_on(judge: User) -> None:
    club_game = create_club_game(judge)
    club_game.draw()
    fail(club_game)
    assert club_game.place().master_chosen_by == "engine"


def test_typed_letters_are_not_typed_again(judge: User) -> None:
    club_game = club_game_of(judge, draw_mode="typed")
    draw_rack.type_rack(game=club_game.game, text="ACEIRST", now=club_game.later(), by=judge)
    fail(club_game)
    club_game.place()
    with pytest.raises(Refused, match="the same letters are played again"):
        draw_rack.type_rack(game=club_game.refresh(), text="ACEIRST", now=club_game.later(), by=judge)
    again = club_game.draw()
    assert again is not None
    assert again.rack == "ACEIRST"


def test_a_repeated_turn_can_be_taken_back(judge: User) -> None:
    club_game = club_game_of(judge)
    club_game.draw()
    fail(club_game)
    club_game.place()
    club_game.draw()
    assert club_game.undo().number == 1
    club_game.paper("2 8H CARTE 18")
    assert Turn.objects.count() == 1


def test_nobody_at_all_is_not_nobody_correct(judge: User) -> None:
    """Without players the game goes on, or it would never end."""
    club_game = club_game_of(judge, players=())
    club_game.draw()
    club_game.announce()
    club_game.close()
    assert club_game.place().master_chosen_by == "engine"
