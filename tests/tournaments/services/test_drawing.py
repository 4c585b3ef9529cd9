"""Racks: the reproducible draw, and racks typed from a physical bag."""

from __future__ import annotations

import hashlib
import hmac

import pytest
from django.contrib.auth.models import User

from engine.edition import load_edition
from engine.tiles import Tiles
from tests.tournaments.night import SEED, Night, begin
from tournaments.enums import ClockState, DrawMode, GameState
from tournaments.errors import AlreadyDone, Refused
from tournaments.models import LedgerEntry, Turn, TurnClock
from tournaments.selectors.desk import desk_view
from tournaments.services import drawing, events

BAG = "??" + "".join(kind.face * kind.count for kind in load_edition("it").kinds[1:])


@pytest.fixture
def bag_night(judge: User) -> Night:
    return begin(judge, draw_mode=DrawMode.TYPED)


def type_rack(night: Night, text: str, **options: int) -> Turn | None:
    return drawing.type_rack(game=night.refresh(), text=text, now=night.later(), by=night.judge, **options)


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


def test_the_first_rack_is_the_one_that_anybody_can_draw(night: Night) -> None:
    turn = night.draw()
    assert turn is not None
    racks = [attempt_by_hand(SEED, 1, attempt) for attempt in range(len(turn.rejected) + 1)]
    assert [*turn.rejected, turn.rack] == racks


def test_the_hall_word_is_mixed_in_as_published(night: Night) -> None:
    events.set_hall_word(game=night.game, word="zucca", by=night.judge, now=night.later())
    turn = night.draw()
    assert turn is not None
    key = hashlib.sha256(SEED + b"zucca").digest()
    assert turn.rack == attempt_by_hand(key, 1, len(turn.rejected))


def test_a_drawn_turn_has_its_tops_a_clock_and_an_entry_in_the_ledger(night: Night) -> None:
    turn = night.draw()
    assert turn is not None
    assert turn.tops is not None
    assert turn.top == turn.tops[0]["score"] > 0
    assert [clock.state for clock in TurnClock.objects.filter(turn=turn)] == [ClockState.READY]
    entry = LedgerEntry.objects.get(kind="draw")
    assert entry.data == {"turn": 1, "kept": "", "rejected": turn.rejected, "rack": turn.rack}


def test_the_second_click_draws_nothing(night: Night) -> None:
    first = night.draw()
    with pytest.raises(AlreadyDone, match="turn 1 is drawn already"):
        night.draw()
    assert Turn.objects.get() == first


def test_what_is_not_laid_stays_on_the_rack(night: Night) -> None:
    night.begin_turn("ACEIRST")
    night.phone(1, "CARTE", "8H", 18)
    night.close()
    night.place()
    turn = night.draw()
    assert turn is not None
    assert turn.kept == "IS"
    edition = load_edition("it")
    if not turn.rejected:
        assert Tiles.parse(edition, turn.rack).holds(Tiles.parse(edition, "IS"))


def test_the_agreed_number_of_turns_ends_the_game(judge: User) -> None:
    night = begin(judge, switches={"max_turns": 1})
    night.begin_turn()
    night.close()
    night.place()
    assert night.draw() is None
    assert (night.refresh().state, night.game.end_why) == (GameState.FINISHED, "turns")
    with pytest.raises(AlreadyDone, match="The game is over"):
        night.draw()


def test_a_typed_rack_may_have_any_order_and_gaps(bag_night: Night) -> None:
    turn = type_rack(bag_night, "t s r i e c a")
    assert turn is not None
    assert (turn.rack, turn.rejected, turn.top) == ("ACEIRST", [], turn.tops[0]["score"] if turn.tops else None)


def test_only_the_new_letters_need_to_be_typed(bag_night: Night) -> None:
    type_rack(bag_night, "ACEIRST")
    bag_night.announce()
    bag_night.phone(1, "CARTE", "8H", 18)
    bag_night.close()
    bag_night.place()
    turn = type_rack(bag_night, "AEORT")
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
def test_a_rack_that_cannot_be_is_refused_and_leaves_nothing(bag_night: Night, text: str, sentence: str) -> None:
    with pytest.raises(Refused) as refused:
        type_rack(bag_night, text)
    assert refused.value.sentence == sentence
    assert (bag_night.refresh().typed_rejected, Turn.objects.count()) == ([], 0)


def test_a_rack_that_breaks_the_rule_goes_back_whole_and_stays_in_the_log(bag_night: Night) -> None:
    with pytest.raises(Refused) as refused:
        type_rack(bag_night, "AAEEIOU")
    assert refused.value.sentence == (
        "The rack AAEEIOU has too few consonants: all its tiles go back and a new rack is drawn."
    )
    assert bag_night.refresh().typed_rejected == ["AAEEIOU"]
    assert desk_view(bag_night.game, bag_night.room, bag_night.now).rejected == ["AAEEIOU"]
    turn = type_rack(bag_night, "ACEIRST")
    assert turn is not None
    assert (turn.rejected, bag_night.refresh().typed_rejected) == (["AAEEIOU"], [])
    assert [entry.data for entry in LedgerEntry.objects.filter(kind="rejected")] == [{"turn": 1, "rack": "AAEEIOU"}]


def test_a_double_click_rejects_a_rack_once(bag_night: Night) -> None:
    for kind in (Refused, AlreadyDone):
        with pytest.raises(kind):
            type_rack(bag_night, "AAEEIOU", attempt=0)
    assert bag_night.refresh().typed_rejected == ["AAEEIOU"]


def test_after_a_rejected_rack_all_seven_come_from_the_bag(bag_night: Night) -> None:
    type_rack(bag_night, "ACEIRST")
    bag_night.announce()
    bag_night.phone(1, "CARTE", "8H", 18)
    bag_night.close()
    bag_night.place()
    with pytest.raises(Refused, match="go back"):
        type_rack(bag_night, "SSSTT")
    with pytest.raises(Refused, match="The rack has 7 tiles, but 5 were typed"):
        type_rack(bag_night, "AEORT")
    turn = type_rack(bag_night, "AEORTLN")
    assert turn is not None
    assert (turn.kept, turn.rejected, turn.rack) == ("IS", ["ISSSSTT"], "AELNORT")


def test_a_rack_without_a_move_goes_back(bag_night: Night) -> None:
    with pytest.raises(Refused) as refused:
        type_rack(bag_night, "UUUUQGG")
    assert refused.value.sentence == ("No move is possible with GGQUUUU: put all its tiles back and draw a new rack.")
    assert bag_night.refresh().typed_rejected == ["GGQUUUU"]


def test_a_rack_typed_wrongly_can_be_taken_back(bag_night: Night) -> None:
    with pytest.raises(Refused, match="no rack to take back"):
        drawing.take_back_rack(game=bag_night.game, now=bag_night.later(), by=bag_night.judge)
    for text in ("AAEEIOU", "AAEEIII"):
        with pytest.raises(Refused):
            type_rack(bag_night, text)
    drawing.take_back_rack(game=bag_night.game, now=bag_night.later(), by=bag_night.judge)
    type_rack(bag_night, "ACEIRST")
    drawing.take_back_rack(game=bag_night.game, now=bag_night.later(), by=bag_night.judge)
    assert bag_night.refresh().typed_rejected == ["AAEEIOU"]
    turn = type_rack(bag_night, "ACEIRSO")
    assert turn is not None
    bag_night.announce()
    with pytest.raises(Refused, match="announced already"):
        drawing.take_back_rack(game=bag_night.game, now=bag_night.later(), by=bag_night.judge)


def test_each_mode_refuses_the_act_of_the_other(night: Night, bag_night: Night) -> None:
    with pytest.raises(Refused, match="type the letters"):
        bag_night.draw()
    with pytest.raises(Refused, match="The program draws"):
        type_rack(night, "ACEIRST")
    with pytest.raises(Refused, match="would draw the same one"):
        drawing.take_back_rack(game=night.game, now=night.later(), by=night.judge)
    assert not Turn.objects.exists()
