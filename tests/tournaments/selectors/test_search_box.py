"""The judge's search box: where a word could go, what a rack could do, who played it, and what nobody is told yet."""

from __future__ import annotations

from tests.tournaments.night import Night
from tournaments.models import Entry, Event, Membership, Room, TurnClock
from tournaments.position import edition_of, position_of, profile_of, rack_of
from tournaments.selectors.on_board import word_on_board
from tournaments.selectors.search_box import Answer, Question, answer


def ask(night: Night, line: str, room: Room | None = None) -> Answer:
    return answer(night.refresh(), room or night.room, night.judge, line, night.now)


def test_a_line_is_read_as_a_judge_would_type_it() -> None:
    assert Question.read(" carte ") == Question("", "carte", None)
    assert Question.read("@ carte #12") == Question("@", "carte", 12)
    assert Question.read("#3 -?") == Question("-", "?", 3)
    assert Question.read("-") == Question("-", "", None)
    assert Question.read("=AEIRST?") == Question("=", "AEIRST?", None)
    assert Question.read("") == Question("", "", None)


def test_a_word_is_told_every_place_of_the_rack_best_first(night: Night) -> None:
    night.begin_turn("ACEIRST")
    found = ask(night, "carte")
    assert found.places is not None
    assert not found.places.supposed
    lines = found.places.with_rack.lines
    # Over the centre in both directions: five places each.
    assert {line.ref for line in lines} == {"8D", "8E", "8F", "8G", "8H", "H4", "H5", "H6", "H7", "H8"}
    assert [line.score for line in lines] == sorted((line.score for line in lines), reverse=True)
    assert found.places.without_rack.total == 0
    assert [face for _row, _col, face in lines[0].ghosts] == list("CARTE")


def test_the_letters_that_are_lacking_are_named_with_each_place(night: Night) -> None:
    night.begin_turn("ACEIRST")
    night.close()
    night.place()
    night.begin_turn("CAE?OOO")
    found = ask(night, "carte").places
    assert found is not None
    assert found.blanks == rack_of(night.turn).blanks == 1
    assert found.without_rack.total > 0
    rack = {"C", "A", "E"}
    for line in found.without_rack.lines:
        laid = [face for _row, _col, face in line.ghosts]
        assert sorted(line.lacking) == sorted(face for face in laid if face not in rack)
        assert len(line.lacking) > 1, "one of them could be the blank"
    here = {line.ref for line in found.with_rack.lines}
    assert here.isdisjoint(line.ref for line in found.without_rack.lines)


def test_places_and_points_are_those_of_the_search(night: Night) -> None:
    """Every word among the moves that the search finds is found at the same places for the same points."""
    from tournaments import lexicons

    night.begin_turn("ACEIRST")
    night.close()
    night.place()
    night.begin_turn("AEIRT?O")
    turn, edition = night.turn, edition_of(night.game)
    position, notation = position_of(turn), profile_of(night.game).notation
    best: dict[tuple[str, str], int] = {}
    for move in lexicons.solver_for(turn.game, turn.number).ranked(position.board, position.rack):
        if len(move.word) > 3:
            key = edition.word_text(move.word).upper(), move.reference_text(notation)
            best[key] = max(best.get(key, 0), move.score)
    words = sorted({word for word, _ref in best})[:25]
    assert words
    for word in words:
        found = word_on_board(turn, word)
        assert found is not None
        expected = {ref: score for (text, ref), score in best.items() if text == word}
        shown = {line.ref: line.score for line in found.with_rack.lines}
        assert found.with_rack.total == len(expected), word
        assert shown.items() <= expected.items(), word


def test_a_word_that_is_in_no_list_is_told_as_if_it_were(night: Night) -> None:
    night.begin_turn("ACEIRST")
    found = ask(night, "creasti")
    assert found.words is not None
    assert found.words.valid is False
    assert found.places is not None
    assert found.places.supposed
    assert found.places.with_rack.total == 14


def test_the_best_moves_without_the_blank_and_with_any_rack(night: Night) -> None:
    night.begin_turn("ACEIRT?")
    whole, without = ask(night, "-"), ask(night, "-?")
    assert whole.rack is not None
    assert without.rack is not None
    assert (whole.rack.top, without.rack.rack) == (night.turn.top, "ACEIRT")
    assert without.rack.top <= whole.rack.top
    typed = ask(night, "=acirt e")
    assert typed.rack == without.rack
    lengths = [len(line.word) for line in whole.rack.by_length]
    assert lengths == sorted(lengths, reverse=True)
    assert all(len(line.ghosts) >= 7 for line in whole.rack.bingos.lines)
    assert ask(night, "-??").remark == "The rack ?ACEIRT has no ?."
    assert ask(night, "-Z").remark == "The rack ?ACEIRT has no Z."
    assert ask(night, "=").remark.startswith("A rack is two to nine tiles")


def test_letters_with_blanks_and_letters_that_are_no_word_are_taken_for_a_rack(night: Night) -> None:
    night.begin_turn("ACEIRST")
    assert ask(night, "-?").remark == "The rack ACEIRST has no blank."
    assert ask(night, "CART?").rack is not None
    assert ask(night, "TRECA").rack is not None
    assert ask(night, "CARTE").rack is None
    assert ask(night, "C.RTE").rack is None
    assert ask(night, "<b>").rack is None


def test_an_earlier_turn_has_its_own_board_and_rack(night: Night) -> None:
    night.begin_turn("ACEIRST")
    night.close()
    night.place()
    night.begin_turn("ABCDEOO")
    before = ask(night, "carte #1")
    assert before.turn is not None
    assert before.turn.number == 1
    assert before.places is not None
    assert before.places.with_rack.total == 10
    assert ask(night, "carte #9").remark == "There is no turn 9 yet."
    assert ask(night, "carte").turn == night.turn


def test_before_the_first_rack_words_are_answered_and_boards_are_not(night: Night) -> None:
    found = ask(night, "carte")
    assert found.words is not None
    assert (found.turn, found.places, found.remark) == (None, None, "")
    assert ask(night, "-?").remark == "Before the first rack is drawn there is no board to answer for."


def test_who_played_a_word_is_told_when_the_clock_has_closed(night: Night) -> None:
    night.begin_turn("ACEIRST")
    night.phone(1, "CARTE", "8D", 18)
    night.phone(2, "carte", "8D", 18)
    night.phone(3, "TRIC", "8E", 10)
    night.phone(17, "CARTE", "8H", None)
    found = ask(night, "carte").played
    assert found is not None
    assert found.lines == []
    night.close()
    found = ask(night, "Càrte").played
    assert found is not None
    assert sum(line.count for line in found.lines) == 3
    assert {name for line in found.lines for name in line.people} == {
        "1 Anna Rossi",
        "2 Bruno Verdi",
        "17 Dario Bianchi",
    }
    assert all(line.turn == 1 for line in found.lines)
    assert found.masters == []
    turn = night.place()
    after = ask(night, turn.master_word).played
    assert after is not None
    assert [(each.turn, each.ref, each.score) for each in after.masters] == [(1, turn.master_ref, turn.master_score)]


def test_while_slips_are_judged_without_names_nobody_is_named(night: Night) -> None:
    Event.objects.update(anonymous_judging=True)
    night.begin_turn("ACEIRST")
    night.phone(1, "CARTE", "8D", 18)
    night.close()
    found = ask(night, "carte").played
    assert found is not None
    assert [(line.count, line.people) for line in found.lines] == [(1, [])]
    night.place()
    found = ask(night, "carte").played
    assert found is not None
    assert [line.people for line in found.lines] == [["1 Anna Rossi"]]


def test_a_room_that_follows_is_told_no_move_before_its_own_clock_has_closed(night: Night) -> None:
    second = Room.objects.create(event=night.event, number=2, name="B")
    night.begin_turn("ACEIRST")
    Entry.objects.filter(game=night.game, player__table=17).update(room=second)
    TurnClock.objects.update_or_create(
        turn=night.turn,
        room=second,
        defaults={"started_at": night.now, "deadline": night.now, "state": "paused", "paused_at": night.now},
    )
    night.phone(1, "CARTE", "8D", 18)
    night.close()
    found = ask(night, "carte", second)
    assert (found.turn, found.places) == (None, None)
    assert "when the clock of this turn has closed" in found.remark
    assert found.played is not None
    assert found.played.lines == []
    assert ask(night, "-", second).rack is None
    TurnClock.objects.filter(room=second).update(state="closed", closed_at=night.now)
    assert ask(night, "carte", second).places is not None


def test_a_judge_who_plays_along_is_told_no_move_of_his_turn_and_all_of_the_earlier_ones(night: Night) -> None:
    night.begin_turn("ACEIRST")
    night.close()
    night.place()
    Membership.objects.filter(event=night.event, user=night.judge).update(plays_as=night.player(1))
    night.begin_turn("ABCDEOO")
    assert ask(night, "carte").places is None
    assert ask(night, "-").rack is None
    assert ask(night, "carte #1").places is not None
    night.close()
    assert ask(night, "carte").places is not None
