"""Racks: the reproducible draw, and racks typed from a physical bag."""

from __future__ import annotations

import hashlib
import hmac

import pytest
from django.contrib.auth.models import User

from engine.tiles.edition import load_edition
from engine.tiles.tiles import Tiles
from referee.views.desk import get_desk_view
from tests.tournaments.club_game import SEED, ClubGame, create_club_game
from tournaments.enums import ClockState, DrawMode, GameState
from tournaments.errors import AlreadyDone, Refused
from tournaments.events.services import events
from tournaments.models import LedgerEntry, Turn, TurnClock
from tournaments.play.services import draw_rack

BAG = "??" + "".join(kind.face * kind.count for kind in load_edition("it").kinds[1:])


@pytest.fixture
def bag_game(judge: User) -> ClubGame:
    return create_club_game(judge, draw_mode=DrawMode.TYPED)


def type_rack(club_game: ClubGame, text: str, **options: int) -> Turn | None:
    return draw_rack.type_rack(
        game=club_game.refresh(), text=text, now=club_game.later(), by=club_game.judge, **options
    )


def attempt_by_hand(key: bytes, turn: int, attempt: int) -> str:
    """A first rack, or one after all tiles went back, by the ten lines of the formats."""
    message = b"draw" + turn.to_bytes(4, "big") + attempt.to_bytes(4, "big")
    stream = b"".join(hmac.digest(key, message + block.to_bytes(4, "big"), "sha256") for block in range(4))
    numbers = iter(int.from_bytes(stream[at : at + 4], "big") for at in range(0, len(stream), 4))
    bag, taken = list(BAG), []
    for _ in range(7):
        fair = len(bag) * (2**32 // len(bag))
        taken.append(bag.pop(next(number for number in numbers if number < fair) % len(bag)))
    return "".join(sorted(taken, key=BAG.index))


def test_the_first_rack_is_the_one_that_anybody_can_draw(club_game: ClubGame) -> None:
    turn = club_game.draw()
    assert turn is not None
    racks = [attempt_by_hand(SEED, 1, attempt) for attempt in range(len(turn.rejected) + 1)]
    assert [*turn.rejected, turn.rack] == racks


def test_the_hall_word_is_mixed_in_as_published(club_game: ClubGame) -> None:
    events.set_hall_word(game=club_game.game, word="zucca", by=club_game.judge, now=club_game.later())
    turn = club_game.draw()
    assert turn is not None
    key = hashlib.sha256(SEED + b"zucca").digest()
    assert turn.rack == attempt_by_hand(key, 1, len(turn.rejected))


def test_a_drawn_turn_has_its_tops_a_clock_and_an_entry_in_the_ledger(club_game: ClubGame) -> None:
    turn = club_game.draw()
    assert turn is not None
    assert turn.tops is not None
    assert turn.top == turn.tops[0]["score"] > 0
    assert [clock.state for clock in TurnClock.objects.filter(turn=turn)] == [ClockState.READY]
    entry = LedgerEntry.objects.get(kind="draw")
    assert entry.data == {"turn": 1, "kept": "", "rejected": turn.rejected, "rack": turn.rack}


def test_the_second_click_draws_nothing(club_game: ClubGame) -> None:
    first = club_game.draw()
    with pytest.raises(AlreadyDone, match="turn 1 is drawn already"):
        club_game.draw()
    assert Turn.objects.get() == first


def test_what_is_not_laid_stays_on_the_rack(club_game: ClubGame) -> None:
    club_game.begin_turn("ACEIRST")
    club_game.phone(1, "CARTE", "8H", 18)
    club_game.close()
    club_game.place()
    turn = club_game.draw()
    assert turn is not None
    assert turn.kept == "IS"
    edition = load_edition("it")
    if not turn.rejected:
        assert Tiles.parse(edition, turn.rack).holds(Tiles.parse(edition, "IS"))


def test_the_agreed_number_of_turns_ends_the_game(judge: User) -> None:
    club_game = create_club_game(judge, switches={"max_turns": 1})
    club_game.begin_turn()
    club_game.close()
    club_game.place()
    assert club_game.draw() is None
    assert (club_game.refresh().state, club_game.game.end_why) == (GameState.FINISHED, "turns")
    with pytest.raises(AlreadyDone, match="The game is over"):
        club_game.draw()


def test_a_typed_rack_may_have_any_order_and_gaps(bag_game: ClubGame) -> None:
    turn = type_rack(bag_game, "t s r i e c a")
    assert turn is not None
    assert (turn.rack, turn.rejected, turn.top) == ("ACEIRST", [], turn.tops[0]["score"] if turn.tops else None)


def test_only_the_new_letters_need_to_be_typed(bag_game: ClubGame) -> None:
    type_rack(bag_game, "ACEIRST")
    bag_game.announce()
    bag_game.phone(1, "CARTE", "8H", 18)
    bag_game.close()
    bag_game.place()
    turn = type_rack(bag_game, "AEORT")
    assert turn is not None
    assert (turn.kept, turn.rack) == ("IS", "AEIORST")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("ACEIRSX", "There is no tile X in this edition; type letters of the tiles, and ? for a blank."),
        ("ACEIR", "The rack has 7 tiles, but 5 were typed."),
        ("QQCEIRS", "These tiles are not in the bag any more: Q. Check the letters and type them again."),
    ],
)
def test_a_rack_that_cannot_be_is_refused_and_leaves_nothing(bag_game: ClubGame, text: str, sentence: str) -> None:
    with pytest.raises(Refused) as refused:
        type_rack(bag_game, text)
    assert refused.value.sentence == sentence
    assert (bag_game.refresh().typed_rejected, Turn.objects.count()) == ([], 0)


def test_a_rack_that_breaks_the_rule_goes_back_whole_and_stays_in_the_log(bag_game: ClubGame) -> None:
    with pytest.raises(Refused) as refused:
        type_rack(bag_game, "AAEEIOU")
    assert refused.value.sentence == (
        "The rack AAEEIOU has too few consonants: all its tiles go back and a new rack is drawn."
    )
    assert bag_game.refresh().typed_rejected == ["AAEEIOU"]
    assert get_desk_view(bag_game.game, bag_game.room, bag_game.now).rejected == ["AAEEIOU"]
    turn = type_rack(bag_game, "ACEIRST")
    assert turn is not None
    assert (turn.rejected, bag_game.refresh().typed_rejected) == (["AAEEIOU"], [])
    assert [entry.data for entry in LedgerEntry.objects.filter(kind="rejected")] == [{"turn": 1, "rack": "AAEEIOU"}]


def test_a_double_click_rejects_a_rack_once(bag_game: ClubGame) -> None:
    for kind in (Refused, AlreadyDone):
        with pytest.raises(kind):
            type_rack(bag_game, "AAEEIOU", attempt=0)
    assert bag_game.refresh().typed_rejected == ["AAEEIOU"]


def test_after_a_rejected_rack_all_seven_come_from_the_bag(bag_game: ClubGame) -> None:
    type_rack(bag_game, "ACEIRST")
    bag_game.announce()
    bag_game.phone(1, "CARTE", "8H", 18)
    bag_game.close()
    bag_game.place()
    with pytest.raises(Refused, match="go back"):
        type_rack(bag_game, "SSSTT")
    with pytest.raises(Refused, match="The rack has 7 tiles, but 5 were typed"):
        type_rack(bag_game, "AEORT")
    turn = type_rack(bag_game, "AEORTLN")
    assert turn is not None
    assert (turn.kept, turn.rejected, turn.rack) == ("IS", ["ISSSSTT"], "AELNORT")


def test_a_rack_without_a_move_goes_back(bag_game: ClubGame) -> None:
    with pytest.raises(Refused) as refused:
        type_rack(bag_game, "UUUUQGG")
    assert refused.value.sentence == ("No move is possible with GGQUUUU: put all its tiles back and draw a new rack.")
    assert bag_game.refresh().typed_rejected == ["GGQUUUU"]


def test_a_rack_typed_wrongly_can_be_taken_back(bag_game: ClubGame) -> None:
    with pytest.raises(Refused, match="no rack to take back"):
        draw_rack.take_back_rack(game=bag_game.game, now=bag_game.later(), by=bag_game.judge)
    for text in ("AAEEIOU", "AAEEIII"):
        with pytest.raises(Refused):
            type_rack(bag_game, text)
    draw_rack.take_back_rack(game=bag_game.game, now=bag_game.later(), by=bag_game.judge)
    type_rack(bag_game, "ACEIRST")
    draw_rack.take_back_rack(game=bag_game.game, now=bag_game.later(), by=bag_game.judge)
    assert bag_game.refresh().typed_rejected == ["AAEEIOU"]
    turn = type_rack(bag_game, "ACEIRSO")
    assert turn is not None
    bag_game.announce()
    with pytest.raises(Refused, match="announced already"):
        draw_rack.take_back_rack(game=bag_game.game, now=bag_game.later(), by=bag_game.judge)


def test_each_mode_refuses_the_act_of_the_other(club_game: ClubGame, bag_game: ClubGame) -> None:
    with pytest.raises(Refused, match="type the letters"):
        bag_game.draw()
    with pytest.raises(Refused, match="The program draws"):
        type_rack(club_game, "ACEIRST")
    with pytest.raises(Refused, match="would draw the same one"):
        draw_rack.take_back_rack(game=club_game.game, now=club_game.later(), by=club_game.judge)
    assert not Turn.objects.exists()
