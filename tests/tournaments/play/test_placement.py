"""The master move goes on the board once, and can be taken back while nobody has seen the next rack."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.tournaments.club_game import NEXT_SEED, ClubGame, create_club_game
from tournaments.enums import DrawMode, GameState, Ruling
from tournaments.errors import AlreadyDone, Refused
from tournaments.models import LedgerEntry, Turn
from tournaments.play.position import get_draw_position
from tournaments.play.services import draw_rack, game_end, placement


@pytest.fixture
def closed(club_game: ClubGame) -> ClubGame:
    club_game.begin_turn("ACEIRST")
    club_game.phone(1, "CARTE", "8H", 18)
    club_game.phone(2, "RESTI", "8H", 18)
    club_game.close()
    return club_game


def test_of_equal_slips_the_profile_chooses_and_says_why(closed: ClubGame) -> None:
    master = placement.choose_master_move(turn=closed.turn)
    assert master is not None
    placed = closed.place()
    assert placed.master_chosen_by == "slip"
    assert placed.master_score == 18
    assert placed.master_why != ""


def test_the_second_click_places_nothing(closed: ClubGame) -> None:
    closed.place()
    board = get_draw_position(closed.game).board
    with pytest.raises(AlreadyDone, match="on the board already"):
        closed.place()
    with pytest.raises(AlreadyDone):
        closed.place(word="CASTEI", ref="8H")
    assert get_draw_position(closed.game).board == board
    assert LedgerEntry.objects.filter(kind="place").count() == 1


def test_nothing_is_placed_before_the_clock_has_closed(club_game: ClubGame) -> None:
    club_game.draw()
    with pytest.raises(Refused, match="close it first"):
        club_game.place()
    club_game.announce()
    with pytest.raises(Refused, match="close it first"):
        club_game.place()


def test_when_nobody_scored_the_engine_chooses(club_game: ClubGame) -> None:
    club_game.begin_turn("ACEIRST")
    club_game.close()
    placed = club_game.place()
    assert (placed.master_chosen_by, placed.master_score) == ("engine", placed.top)
    assert placed.master_why == "No player scored, so the best move of the engine is played."


def test_in_a_top_profile_the_engine_chooses_always(judge: User) -> None:
    club_game = create_club_game(judge, profile="club")
    club_game.begin_turn("ACEIRST")
    club_game.phone(1, "CARTE", "8H", 18)
    club_game.close()
    assert club_game.place().master_chosen_by == "engine"


def test_the_judge_may_choose_another_legal_move(closed: ClubGame) -> None:
    placed = closed.place(word="SERA", ref="8h", why="opens the board")
    assert (placed.master_word, placed.master_ref, placed.master_chosen_by, placed.master_why) == (
        "SERA",
        "8H",
        "judge",
        "opens the board",
    )


@pytest.mark.parametrize(
    ("choice", "sentence"),
    [
        ({"word": "SERA", "ref": "Z99"}, "“Z99” is no reference such as 8H or H8."),
        ({"word": "SERA", "ref": None}, "“” is no reference such as 8H or H8."),
        ({"word": "", "ref": "8H"}, "Type the whole word, letters that lie on the board included."),
        ({"word": "SERA", "ref": "1A"}, "The first word must cover the centre square."),
        ({"word": "RESTI", "ref": "8L"}, "The word does not fit at the written place."),
        ({"word": "TRISCEA", "ref": "8H"}, "TRISCEA is not in the word list."),
        ({"word": "PIZZA", "ref": "8H"}, None),
        ({"word": "S🂡", "ref": "8H"}, "No tile of this edition shows 🂡."),
    ],
)
def test_a_choice_that_is_not_legal_is_refused(closed: ClubGame, choice: dict[str, Any], sentence: str | None) -> None:
    with pytest.raises(Refused) as refused:
        closed.place(**choice)
    if sentence is not None:
        assert refused.value.sentence == sentence
    assert closed.turn.placed_at is None


def test_a_turn_without_any_move_is_placed_with_nothing(club_game: ClubGame) -> None:
    club_game.begin_turn("GGQUUUU")
    assert (club_game.turn.top, club_game.turn.tops) == (0, [])
    club_game.close()
    placed = club_game.place()
    assert (placed.master_word, placed.master_score, placed.master_chosen_by) == ("", None, "")
    assert placed.placed_at is not None
    assert get_draw_position(club_game.game).kept.text == "GGQUUUU"
    following = club_game.draw()
    assert following is not None
    assert (following.kept, following.rejected[0]) == ("GGQUUUU", "GGQUUUU")


def test_where_nobody_was_correct_the_same_rack_may_come_again(judge: User) -> None:
    club_game = create_club_game(judge, switches={"nobody_correct": "same_rack"})
    club_game.begin_turn("ACEIRST")
    club_game.close()
    assert club_game.place().master_word == ""
    again = club_game.draw()
    assert again is not None
    assert again.rack == "ACEIRST"


def test_undo_goes_back_one_placement_only(closed: ClubGame) -> None:
    with pytest.raises(Refused, match="Nothing is placed yet"):
        closed.undo()
    closed.place()
    assert closed.undo().number == 1
    assert (closed.turn.master_word, closed.turn.master_score, closed.turn.placed_at) == ("", None, None)
    with pytest.raises(Refused, match="Nothing is placed yet"):
        closed.undo()


def test_undo_discards_a_rack_that_nobody_has_seen(closed: ClubGame) -> None:
    closed.place()
    drawn = closed.draw()
    assert drawn is not None
    closed.undo()
    assert Turn.objects.count() == 1
    told = {"turn": 1, "ended": "", "put_back": 2, "rack": drawn.rack}
    assert LedgerEntry.objects.filter(kind="undo").get().data == told


def test_nothing_is_undone_once_the_next_rack_is_announced(closed: ClubGame) -> None:
    closed.place()
    closed.begin_turn()
    for _ in ("running", "closed"):
        with pytest.raises(Refused, match="rack of turn 2 is announced already"):
            closed.undo()
        if closed.clock.closed_at is None:
            closed.close()
    assert Turn.objects.count() == 2


def test_after_an_undo_slips_and_words_can_be_judged_anew(closed: ClubGame) -> None:
    closed.place()
    closed.undo()
    closed.rule("CARTE", Ruling.STRUCK)
    closed.paper("3 8H SERA 12")
    placed = closed.place()
    assert placed.master_word == "RESTI"
    assert closed.verdict(3).result == "valid"


def test_undo_reopens_a_game_that_ended_by_the_rule(judge: User) -> None:
    club_game = create_club_game(judge, switches={"max_turns": 1})
    club_game.begin_turn("ACEIRST")
    club_game.close()
    club_game.place()
    club_game.draw()
    assert club_game.refresh().state == GameState.FINISHED
    undone = club_game.undo()
    assert (undone.number, undone.placed_at) == (1, None)
    game = club_game.refresh()
    assert (game.state, game.end_why, game.end_bag, game.finished_at) == (GameState.RUNNING, "", "", None)
    with pytest.raises(Refused):
        club_game.undo()


def test_a_double_click_on_the_undo_of_an_end_takes_back_the_end_only(closed: ClubGame) -> None:
    closed.place()
    game_end.end_game(game=closed.refresh(), by=closed.judge, now=closed.later())

    def click() -> None:
        placement.undo_placement(
            game=closed.game, by=closed.judge, now=closed.later(), seed=NEXT_SEED, seen_finished=True
        )

    click()
    with pytest.raises(AlreadyDone):
        click()
    assert closed.turn.placed_at is not None


def test_the_judge_ends_a_game_between_two_turns(closed: ClubGame) -> None:
    with pytest.raises(Refused, match="play this turn to its end"):
        game_end.end_game(game=closed.refresh(), by=closed.judge, now=closed.later())
    closed.place()
    closed.draw()
    game = game_end.end_game(game=closed.refresh(), by=closed.judge, now=closed.later())
    assert (game.state, game.end_why, game.end_kept, Turn.objects.count()) == (GameState.FINISHED, "judge", "IS", 1)
    with pytest.raises(AlreadyDone):
        game_end.end_game(game=game, by=closed.judge, now=closed.later())


def test_a_game_without_a_turn_cannot_end(club_game: ClubGame) -> None:
    with pytest.raises(Refused, match="draw the first rack"):
        game_end.end_game(game=club_game.game, by=club_game.judge, now=club_game.later())


def test_undo_forgets_racks_typed_for_the_next_turn(judge: User) -> None:
    club_game = create_club_game(judge, draw_mode=DrawMode.TYPED)
    draw_rack.type_rack(game=club_game.game, text="ACEIRST", now=club_game.later(), by=judge)
    club_game.announce()
    club_game.close()
    club_game.place()
    new = "SSTTNRL"[: 7 - get_draw_position(club_game.game).kept.total]
    with pytest.raises(Refused):
        draw_rack.type_rack(game=club_game.refresh(), text=new, now=club_game.later(), by=judge)
    assert club_game.refresh().typed_rejected != []
    club_game.undo()
    assert club_game.refresh().typed_rejected == []
