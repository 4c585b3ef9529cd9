"""The judge's search box: places of words, moves of racks, who played a word, and hidden results."""

from __future__ import annotations

from tests.tournaments.club_game import ClubGame
from tournaments.models import Entry, Event, Membership, Room, TurnClock
from tournaments.play.position import edition_of, position_of, profile_of, rack_of
from tournaments.play.queries.placements import word_on_board
from tournaments.search_box.search_box import SearchAnswer, SearchLine, answer_line


def ask(club_game: ClubGame, line: str, room: Room | None = None) -> SearchAnswer:
    return answer_line(club_game.refresh(), room or club_game.room, club_game.judge, line, club_game.now)


def test_a_line_is_read_as_a_judge_would_type_it() -> None:
    assert SearchLine.read(" carte ") == SearchLine("", "carte", None)
    assert SearchLine.read("@ carte #12") == SearchLine("@", "carte", 12)
    assert SearchLine.read("#3 -?") == SearchLine("-", "?", 3)
    assert SearchLine.read("-") == SearchLine("-", "", None)
    assert SearchLine.read("=AEIRST?") == SearchLine("=", "AEIRST?", None)
    assert SearchLine.read("") == SearchLine("", "", None)


def test_places_of_a_word_with_the_rack_are_listed_best_first(club_game: ClubGame) -> None:
    club_game.begin_turn("ACEIRST")
    found = ask(club_game, "carte")
    assert found.places is not None
    assert not found.places.supposed
    lines = found.places.with_rack.lines
    # Over the centre in both directions: five places each.
    assert {line.ref for line in lines} == {"8D", "8E", "8F", "8G", "8H", "H4", "H5", "H6", "H7", "H8"}
    assert [line.score for line in lines] == sorted((line.score for line in lines), reverse=True)
    assert found.places.without_rack.total == 0
    assert [face for _row, _col, face in lines[0].ghosts] == list("CARTE")


def test_the_letters_that_are_lacking_are_named_with_each_place(club_game: ClubGame) -> None:
    club_game.begin_turn("ACEIRST")
    club_game.close()
    club_game.place()
    club_game.begin_turn("CAE?OOO")
    found = ask(club_game, "carte").places
    assert found is not None
    assert found.blanks == rack_of(club_game.turn).blanks == 1
    assert found.without_rack.total > 0
    rack = {"C", "A", "E"}
    for line in found.without_rack.lines:
        laid = [face for _row, _col, face in line.ghosts]
        assert sorted(line.lacking) == sorted(face for face in laid if face not in rack)
        assert len(line.lacking) > 1, "one of them could be the blank"
    here = {line.ref for line in found.with_rack.lines}
    assert here.isdisjoint(line.ref for line in found.without_rack.lines)


def test_places_and_points_are_those_of_the_search(club_game: ClubGame) -> None:
    """Every word among the moves that the search finds is found at the same places for the same points."""
    from tournaments.lexicons import word_lists

    club_game.begin_turn("ACEIRST")
    club_game.close()
    club_game.place()
    club_game.begin_turn("AEIRT?O")
    turn, edition = club_game.turn, edition_of(club_game.game)
    position, notation = position_of(turn), profile_of(club_game.game).notation
    best: dict[tuple[str, str], int] = {}
    for move in word_lists.get_solver(turn.game, turn.number).ranked(position.board, position.rack):
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


def test_places_of_an_invalid_word_are_listed_too(club_game: ClubGame) -> None:
    club_game.begin_turn("ACEIRST")
    found = ask(club_game, "creasti")
    assert found.words is not None
    assert found.words.valid is False
    assert found.places is not None
    assert found.places.supposed
    assert found.places.with_rack.total == 14


def test_the_best_moves_without_the_blank_and_with_any_rack(club_game: ClubGame) -> None:
    club_game.begin_turn("ACEIRT?")
    whole, without = ask(club_game, "-"), ask(club_game, "-?")
    assert whole.rack is not None
    assert without.rack is not None
    assert (whole.rack.top, without.rack.rack) == (club_game.turn.top, "ACEIRT")
    assert without.rack.top <= whole.rack.top
    typed = ask(club_game, "=acirt e")
    assert typed.rack == without.rack
    lengths = [len(line.word) for line in whole.rack.by_length]
    assert lengths == sorted(lengths, reverse=True)
    assert all(len(line.ghosts) >= 7 for line in whole.rack.bingos.lines)
    assert ask(club_game, "-??").remark == "The rack ?ACEIRT has no ?."
    assert ask(club_game, "-Z").remark == "The rack ?ACEIRT has no Z."
    assert ask(club_game, "=").remark.startswith("A rack is two to nine tiles")


def test_letters_with_blanks_and_letters_that_are_no_word_are_taken_for_a_rack(club_game: ClubGame) -> None:
    club_game.begin_turn("ACEIRST")
    assert ask(club_game, "-?").remark == "The rack ACEIRST has no blank."
    assert ask(club_game, "CART?").rack is not None
    assert ask(club_game, "TRECA").rack is not None
    assert ask(club_game, "CARTE").rack is None
    assert ask(club_game, "C.RTE").rack is None
    assert ask(club_game, "<b>").rack is None


def test_an_earlier_turn_has_its_own_board_and_rack(club_game: ClubGame) -> None:
    club_game.begin_turn("ACEIRST")
    club_game.close()
    club_game.place()
    club_game.begin_turn("ABCDEOO")
    before = ask(club_game, "carte #1")
    assert before.turn is not None
    assert before.turn.number == 1
    assert before.places is not None
    assert before.places.with_rack.total == 10
    assert ask(club_game, "carte #9").remark == "There is no turn 9 yet."
    assert ask(club_game, "carte").turn == club_game.turn


def test_before_the_first_rack_words_are_answered_and_boards_are_not(club_game: ClubGame) -> None:
    found = ask(club_game, "carte")
    assert found.words is not None
    assert (found.turn, found.places, found.remark) == (None, None, "")
    assert ask(club_game, "-?").remark == "There is no board before the first rack is drawn."


def test_who_played_a_word_is_told_when_the_clock_has_closed(club_game: ClubGame) -> None:
    club_game.begin_turn("ACEIRST")
    club_game.phone(1, "CARTE", "8D", 18)
    club_game.phone(2, "carte", "8D", 18)
    club_game.phone(3, "TRIC", "8E", 10)
    club_game.phone(17, "CARTE", "8H", None)
    found = ask(club_game, "carte").played
    assert found is not None
    assert found.lines == []
    club_game.close()
    found = ask(club_game, "Càrte").played
    assert found is not None
    assert sum(line.count for line in found.lines) == 3
    assert {name for line in found.lines for name in line.people} == {
        "1 Anna Rossi",
        "2 Bruno Verdi",
        "17 Dario Bianchi",
    }
    assert all(line.turn == 1 for line in found.lines)
    assert found.masters == []
    turn = club_game.place()
    after = ask(club_game, turn.master_word).played
    assert after is not None
    assert [(each.turn, each.ref, each.score) for each in after.masters] == [(1, turn.master_ref, turn.master_score)]


def test_while_slips_are_judged_without_names_nobody_is_named(club_game: ClubGame) -> None:
    Event.objects.update(anonymous_judging=True)
    club_game.begin_turn("ACEIRST")
    club_game.phone(1, "CARTE", "8D", 18)
    club_game.close()
    found = ask(club_game, "carte").played
    assert found is not None
    assert [(line.count, line.people) for line in found.lines] == [(1, [])]
    club_game.place()
    found = ask(club_game, "carte").played
    assert found is not None
    assert [line.people for line in found.lines] == [["1 Anna Rossi"]]


def test_a_room_that_follows_is_told_no_move_before_its_own_clock_has_closed(club_game: ClubGame) -> None:
    second = Room.objects.create(event=club_game.event, number=2, name="B")
    club_game.begin_turn("ACEIRST")
    Entry.objects.filter(game=club_game.game, player__table=17).update(room=second)
    TurnClock.objects.update_or_create(
        turn=club_game.turn,
        room=second,
        defaults={
            "started_at": club_game.now,
            "deadline": club_game.now,
            "state": "paused",
            "paused_at": club_game.now,
        },
    )
    club_game.phone(1, "CARTE", "8D", 18)
    club_game.close()
    found = ask(club_game, "carte", second)
    assert (found.turn, found.places) == (None, None)
    assert "when the clock of this turn has closed" in found.remark
    assert found.played is not None
    assert found.played.lines == []
    assert ask(club_game, "-", second).rack is None
    TurnClock.objects.filter(room=second).update(state="closed", closed_at=club_game.now)
    assert ask(club_game, "carte", second).places is not None


def test_a_judge_who_plays_along_is_told_no_move_of_his_turn_and_all_of_the_earlier_ones(club_game: ClubGame) -> None:
    club_game.begin_turn("ACEIRST")
    club_game.close()
    club_game.place()
    Membership.objects.filter(event=club_game.event, user=club_game.judge).update(plays_as=club_game.player(1))
    club_game.begin_turn("ABCDEOO")
    assert ask(club_game, "carte").places is None
    assert ask(club_game, "-").rack is None
    assert ask(club_game, "carte #1").places is not None
    club_game.close()
    assert ask(club_game, "carte").places is not None
