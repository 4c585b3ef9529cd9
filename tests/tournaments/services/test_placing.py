"""The master move goes on the board once, and can be taken back while nobody has seen the next rack."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.tournaments.night import NEXT_SEED, Night, begin
from tournaments.enums import DrawMode, GameState, Ruling
from tournaments.errors import AlreadyDone, Refused
from tournaments.models import LedgerEntry, Turn
from tournaments.position import what_is_left
from tournaments.services import drawing, ending, placing


@pytest.fixture
def closed(night: Night) -> Night:
    night.begin_turn("ACEIRST")
    night.phone(1, "CARTE", "8H", 18)
    night.phone(2, "RESTI", "8H", 18)
    night.close()
    return night


def test_of_equal_slips_the_profile_chooses_and_says_why(closed: Night) -> None:
    master = placing.choose(turn=closed.turn)
    assert master is not None
    placed = closed.place()
    assert placed.master_chosen_by == "slip"
    assert placed.master_score == 18
    assert placed.master_why != ""


def test_the_second_click_places_nothing(closed: Night) -> None:
    closed.place()
    board = what_is_left(closed.game).board
    with pytest.raises(AlreadyDone, match="on the board already"):
        closed.place()
    with pytest.raises(AlreadyDone):
        closed.place(word="CASTEI", ref="8H")
    assert what_is_left(closed.game).board == board
    assert LedgerEntry.objects.filter(kind="place").count() == 1


def test_nothing_is_placed_before_the_clock_has_closed(night: Night) -> None:
    night.draw()
    with pytest.raises(Refused, match="close it first"):
        night.place()
    night.announce()
    with pytest.raises(Refused, match="close it first"):
        night.place()


def test_when_nobody_scored_the_engine_chooses(night: Night) -> None:
    night.begin_turn("ACEIRST")
    night.close()
    placed = night.place()
    assert (placed.master_chosen_by, placed.master_score) == ("engine", placed.top)
    assert placed.master_why == "No player scored, so the best move of the engine is played."


def test_in_a_top_profile_the_engine_chooses_always(judge: User) -> None:
    night = begin(judge, profile="club")
    night.begin_turn("ACEIRST")
    night.phone(1, "CARTE", "8H", 18)
    night.close()
    assert night.place().master_chosen_by == "engine"


def test_the_judge_may_choose_another_legal_move(closed: Night) -> None:
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
def test_a_choice_that_is_not_legal_is_refused(closed: Night, choice: dict[str, Any], sentence: str | None) -> None:
    with pytest.raises(Refused) as refused:
        closed.place(**choice)
    if sentence is not None:
        assert refused.value.sentence == sentence
    assert closed.turn.placed_at is None


def test_a_turn_without_any_move_is_placed_with_nothing(night: Night) -> None:
    night.begin_turn("GGQUUUU")
    assert (night.turn.top, night.turn.tops) == (0, [])
    night.close()
    placed = night.place()
    assert (placed.master_word, placed.master_score, placed.master_chosen_by) == ("", None, "")
    assert placed.placed_at is not None
    assert what_is_left(night.game).kept.text == "GGQUUUU"
    following = night.draw()
    assert following is not None
    assert (following.kept, following.rejected[0]) == ("GGQUUUU", "GGQUUUU")


def test_where_nobody_was_correct_the_same_rack_may_come_again(judge: User) -> None:
    night = begin(judge, switches={"nobody_correct": "same_rack"})
    night.begin_turn("ACEIRST")
    night.close()
    assert night.place().master_word == ""
    again = night.draw()
    assert again is not None
    assert again.rack == "ACEIRST"


def test_undo_goes_back_one_placement_only(closed: Night) -> None:
    with pytest.raises(Refused, match="Nothing is placed yet"):
        closed.undo()
    closed.place()
    assert closed.undo().number == 1
    assert (closed.turn.master_word, closed.turn.master_score, closed.turn.placed_at) == ("", None, None)
    with pytest.raises(Refused, match="Nothing is placed yet"):
        closed.undo()


def test_undo_discards_a_rack_that_nobody_has_seen(closed: Night) -> None:
    closed.place()
    drawn = closed.draw()
    assert drawn is not None
    closed.undo()
    assert Turn.objects.count() == 1
    told = {"turn": 1, "ended": "", "put_back": 2, "rack": drawn.rack}
    assert LedgerEntry.objects.filter(kind="undo").get().data == told


def test_nothing_is_undone_once_the_next_rack_is_announced(closed: Night) -> None:
    closed.place()
    closed.begin_turn()
    for _ in ("running", "closed"):
        with pytest.raises(Refused, match="rack of turn 2 is announced already"):
            closed.undo()
        if closed.clock.closed_at is None:
            closed.close()
    assert Turn.objects.count() == 2


def test_after_an_undo_slips_and_words_can_be_judged_anew(closed: Night) -> None:
    closed.place()
    closed.undo()
    closed.rule("CARTE", Ruling.STRUCK)
    closed.paper("3 8H SERA 12")
    placed = closed.place()
    assert placed.master_word == "RESTI"
    assert closed.verdict(3).result == "valid"


def test_undo_reopens_a_game_that_ended_by_the_rule(judge: User) -> None:
    night = begin(judge, switches={"max_turns": 1})
    night.begin_turn("ACEIRST")
    night.close()
    night.place()
    night.draw()
    assert night.refresh().state == GameState.FINISHED
    undone = night.undo()
    assert (undone.number, undone.placed_at) == (1, None)
    game = night.refresh()
    assert (game.state, game.end_why, game.end_bag, game.finished_at) == (GameState.RUNNING, "", "", None)
    with pytest.raises(Refused):
        night.undo()


def test_a_double_click_on_the_undo_of_an_end_takes_back_the_end_only(closed: Night) -> None:
    closed.place()
    ending.end_game(game=closed.refresh(), by=closed.judge, now=closed.later())

    def click() -> None:
        placing.undo(game=closed.game, by=closed.judge, now=closed.later(), seed=NEXT_SEED, seen_finished=True)

    click()
    with pytest.raises(AlreadyDone):
        click()
    assert closed.turn.placed_at is not None


def test_the_judge_ends_a_game_between_two_turns(closed: Night) -> None:
    with pytest.raises(Refused, match="play this turn to its end"):
        ending.end_game(game=closed.refresh(), by=closed.judge, now=closed.later())
    closed.place()
    closed.draw()
    game = ending.end_game(game=closed.refresh(), by=closed.judge, now=closed.later())
    assert (game.state, game.end_why, game.end_kept, Turn.objects.count()) == (GameState.FINISHED, "judge", "IS", 1)
    with pytest.raises(AlreadyDone):
        ending.end_game(game=game, by=closed.judge, now=closed.later())


def test_a_game_without_a_turn_cannot_end(night: Night) -> None:
    with pytest.raises(Refused, match="draw the first rack"):
        ending.end_game(game=night.game, by=night.judge, now=night.later())


def test_undo_forgets_racks_typed_for_the_next_turn(judge: User) -> None:
    night = begin(judge, draw_mode=DrawMode.TYPED)
    drawing.type_rack(game=night.game, text="ACEIRST", now=night.later(), by=judge)
    night.announce()
    night.close()
    night.place()
    new = "SSTTNRL"[: 7 - what_is_left(night.game).kept.total]
    with pytest.raises(Refused):
        drawing.type_rack(game=night.refresh(), text=new, now=night.later(), by=judge)
    assert night.refresh().typed_rejected != []
    night.undo()
    assert night.refresh().typed_rejected == []
