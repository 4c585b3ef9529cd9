"""No road leads to another rack without an entry in the ledger and a sentence for the hall."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db.models import ProtectedError

from engine.archive import read_archive
from engine.draw import commitment
from engine.replay import verify
from tests.tournaments.night import NEXT_SEED, SEED, Night, begin, chance, play_turn
from tests.tournaments.prepared import play_on, prepared_game
from tournaments import lexicons
from tournaments.enums import DrawMode
from tournaments.errors import Refused
from tournaments.models import Game, LedgerEntry, Turn
from tournaments.selectors.archive import export_game
from tournaments.selectors.hall import HallView, hall_view
from tournaments.services import drawing, ending, events, placing, rules

pytestmark = pytest.mark.django_db


@pytest.fixture
def played(night: Night) -> Night:
    """Three turns on the board."""
    rng = chance(5)
    for _turn in range(3):
        assert play_turn(night, rng)
    return night


def hall(night: Night) -> HallView:
    return hall_view(night.refresh(), None, night.now)


def told(night: Night) -> list[tuple[str, int]]:
    """What the hall is told; each of it stands in the entry that is named."""
    acts = hall(night).draw_acts
    numbers = set(LedgerEntry.objects.filter(game=night.game).values_list("n", flat=True))
    assert {act.entry for act in acts} <= numbers
    return [(act.kind, act.turn) for act in acts]


def newest(night: Night) -> LedgerEntry:
    """The newest entry but the list of players that comes with each new game."""
    entry = LedgerEntry.objects.filter(game=night.game).exclude(kind="players").order_by("n").last()
    assert entry is not None
    return entry


def differences(night: Night, **changes: Any) -> list[str]:
    archive = json.loads(json.dumps(export_game(night.refresh())))
    archive["draw"] |= changes
    lexicon = lexicons.graph_of(lexicons.of_game(night.game))
    return [one.where for one in verify(read_archive(json.dumps(archive)), lexicon)]


def end(night: Night) -> Game:
    return ending.end_game(game=night.refresh(), by=night.judge, now=night.later())


def test_an_evening_without_such_acts_tells_of_none(played: Night) -> None:
    assert told(played) == []
    end(played)
    assert told(played) == []
    assert differences(played) == []


def test_a_move_that_is_taken_back_is_told(played: Night) -> None:
    played.undo()
    assert (newest(played).kind, newest(played).data) == ("undo", {"turn": 3, "ended": ""})
    assert told(played) == [("taken_back", 3)]


def test_a_rack_that_is_put_back_with_it_is_told_without_its_letters(played: Night) -> None:
    drawn = played.draw()
    assert drawn is not None
    played.undo()
    assert newest(played).data == {"turn": 3, "ended": "", "put_back": 4, "rack": drawn.rack}
    assert told(played) == [("taken_back", 3), ("put_back", 4)]
    assert drawn.rack not in str(hall(played).draw_acts)


def test_a_rack_put_back_by_the_end_is_told(played: Night) -> None:
    drawn = played.draw()
    assert drawn is not None
    end(played)
    assert {name: newest(played).data[name] for name in ("put_back", "rack")} == {"put_back": 4, "rack": drawn.rack}
    assert told(played) == [("put_back", 4)]


def test_other_rules_put_the_first_rack_back_and_the_hall_word_stays_as_it_was(night: Night) -> None:
    events.set_hall_word(game=night.game, word="zucca", by=night.judge, now=night.later())
    first = night.draw()
    assert first is not None
    rules.change_rules(
        game=night.refresh(), profile="it-box", switches={"min_early": 1}, by=night.judge, now=night.later()
    )
    assert (newest(night).kind, newest(night).data["put_back"], newest(night).data["rack"]) == ("rules", 1, first.rack)
    assert told(night) == [("put_back", 1)]
    with pytest.raises(Refused, match="cannot be changed any more"):
        events.set_hall_word(game=night.refresh(), word="mela", by=night.judge, now=night.later())
    assert night.refresh().hall_word == "zucca"


def test_a_hall_word_that_is_changed_before_the_first_rack_is_told(night: Night) -> None:
    for word in ("zucca", "mela"):
        events.set_hall_word(game=night.game, word=word, by=night.judge, now=night.later())
    assert told(night) == [("hall_word_changed", 0)]


def test_a_rack_typed_anew_is_told(judge: User) -> None:
    night = begin(judge, draw_mode=DrawMode.TYPED)
    drawing.type_rack(game=night.game, text="ACEIRST", now=night.later(), by=judge)
    drawing.take_back_rack(game=night.refresh(), now=night.later(), by=judge)
    assert newest(night).data == {"turn": 1, "rack": "ACEIRST"}
    assert told(night) == [("typed_anew", 1)]


def test_a_rack_typed_as_rejected_and_taken_back_is_told(judge: User) -> None:
    night = begin(judge, draw_mode=DrawMode.TYPED)
    with pytest.raises(Refused):
        drawing.type_rack(game=night.game, text="AAEEIOU", now=night.later(), by=judge)
    drawing.take_back_rack(game=night.refresh(), now=night.later(), by=judge)
    assert told(night) == [("typed_anew", 1)]


def test_the_program_draws_no_rack_twice(night: Night) -> None:
    night.draw()
    with pytest.raises(Refused, match="would draw the same one again"):
        drawing.take_back_rack(game=night.refresh(), now=night.later(), by=night.judge)
    assert told(night) == []


def test_a_prepared_game_in_the_place_of_the_one_on_the_wall_is_told(night: Night) -> None:
    before = hall(night).commitment
    play_on(night, prepared_game(night.judge))
    assert hall(night).commitment != before
    assert told(night) == [("other_seed", 0)]
    assert newest(night).data["commitment"] == hall(night).commitment


def test_a_game_begun_anew_names_the_one_that_was_given_up(night: Night) -> None:
    night.draw()
    end(night)
    assert told(night) == [("put_back", 1)]
    head = newest(night)
    night.game = events.add_game(event=night.event, by=night.judge, now=night.later(), seed=NEXT_SEED)
    assert told(night) == [("given_up", 0)]
    assert newest(night).data["after"] == {
        "number": 1,
        "turns": 0,
        "commitment": commitment(SEED),
        "n": head.n,
        "hash": head.hash,
    }


def test_the_next_game_after_a_whole_one_is_nothing_to_tell(played: Night) -> None:
    end(played)
    played.game = events.add_game(event=played.event, by=played.judge, now=played.later(), seed=NEXT_SEED)
    assert told(played) == []
    assert newest(played).data["after"]["turns"] == 3


def test_a_game_with_a_ledger_cannot_be_deleted(played: Night) -> None:
    for doomed in (played.game, played.event):
        with pytest.raises(ProtectedError):
            doomed.delete()
    assert Turn.objects.filter(game=played.game).count() == 3


# ---------------------------------------------------------------------------------------------------------------
# A game that goes on after its seed was shown.


def test_what_was_shown_at_the_end_says_nothing_of_the_racks_to_come(played: Night) -> None:
    """The same game, once ended and taken up again, once played on: other racks."""
    end(played)
    assert hall(played).seed == SEED.hex()
    played.undo()
    assert hall(played).seed is None
    drawn = played.draw()
    assert drawn is not None
    [entry] = LedgerEntry.objects.filter(game=played.game, kind="undo")
    assert entry.data == {"turn": 3, "ended": "judge", "from_turn": 4, "commitment": commitment(NEXT_SEED)}
    assert drawn.rack not in racks_by_the_seed_that_was_shown(played)


def racks_by_the_seed_that_was_shown(night: Night) -> set[str]:
    """What anybody could have worked out at the end."""
    Turn.objects.filter(game=night.game, number=4).delete()
    game = night.refresh()
    Game.objects.filter(pk=game.pk).update(seed=SEED, hall_word="")
    drawn = drawing.draw_turn(game=night.refresh(), now=night.later(), by=night.judge)
    assert drawn is not None
    return {drawn.rack, *drawn.rejected}


def test_the_new_commitment_is_on_the_wall_before_its_first_rack_and_the_old_seed_stays(played: Night) -> None:
    end(played)
    played.undo()
    seen = hall(played)
    assert seen.commitment == commitment(NEXT_SEED)
    assert seen.earlier_draws == [
        {"from_turn": 1, "commitment": commitment(SEED), "seed": SEED.hex(), "hall_word": None}
    ]
    assert told(played) == [("reopened", 3), ("new_seed", 4)]


def test_a_game_that_ended_by_the_rule_goes_on_by_a_new_seed_too(judge: User) -> None:
    night = begin(judge, switches={"max_turns": 2})
    rng = chance(3)
    while play_turn(night, rng):
        pass
    assert night.refresh().end_why == "turns"
    night.undo()
    assert told(night) == [("reopened", 2), ("taken_back", 2), ("new_seed", 3)]
    assert differences(night) == []


def test_the_whole_game_verifies_with_both_seeds_and_with_nothing_else(played: Night) -> None:
    end(played)
    played.undo()
    rng = chance(8)
    for _turn in range(3):
        assert play_turn(played, rng)
    assert differences(played) == []
    assert export_game(played.game)["draw"]["continued"][0]["seed"] is None
    end(played)
    draw = export_game(played.game)["draw"]
    assert (draw["seed"], draw["continued"][0]["seed"]) == (SEED.hex(), NEXT_SEED.hex())
    assert differences(played) == []
    assert "turn 4, rack" in differences(played, continued=[])
    assert "ledger, draw continued" in differences(played, continued=[])


def test_a_seed_that_the_hall_has_not_heard_of_is_found(played: Night) -> None:
    """Whoever chooses a seed afterwards, so that the racks come as he likes, has no entry for its commitment."""
    end(played)
    chosen = bytes(32)
    later = [{"from_turn": 4, "commitment": commitment(chosen), "seed": chosen.hex(), "hall_word": None}]
    assert differences(played, continued=later) == ["ledger, draw continued"]
    other = {"commitment": commitment(chosen), "seed": chosen.hex()}
    assert "ledger, commitment" in differences(played, **other)


def test_twice_taken_up_again_there_are_three_seeds(played: Night) -> None:
    end(played)
    played.undo()
    end(played)
    placing.undo(game=played.refresh(), by=played.judge, now=played.later(), seed=bytes(range(7, 39)))
    assert [draw["from_turn"] for draw in hall(played).earlier_draws] == [1, 4]
    play_turn(played, chance(1))
    end(played)
    assert differences(played) == []


def test_another_word_of_the_hall_may_be_called_out_for_the_new_seed(played: Night) -> None:
    end(played)
    played.undo()
    events.set_hall_word(game=played.refresh(), word="mela", by=played.judge, now=played.later())
    assert told(played) == [("reopened", 3), ("new_seed", 4)]
    play_turn(played, chance(1))
    with pytest.raises(Refused, match="cannot be changed any more"):
        events.set_hall_word(game=played.refresh(), word="pera", by=played.judge, now=played.later())
    end(played)
    assert export_game(played.game)["draw"]["continued"][0]["hall_word"] == "mela"
    assert differences(played) == []


def test_a_prepared_game_leaves_its_script_when_its_seed_was_shown(night: Night) -> None:
    """Its racks to come could be read by everybody who saw the seed."""
    play_on(night, prepared_game(night.judge))
    rng = chance(2)
    for _turn in range(2):
        play_turn(night, rng)
    script = night.game.prepared
    assert script is not None
    assert script.script is not None
    known = script.script["turns"][2]["rack"]
    end(night)
    night.undo()
    drawn = night.draw()
    assert drawn is not None
    assert drawn.rack != known
    night.announce()
    night.close()
    night.place()
    assert differences(night) == []


def test_a_game_from_a_bag_needs_no_new_seed(judge: User) -> None:
    night = begin(judge, draw_mode=DrawMode.TYPED)
    drawing.type_rack(game=night.game, text="ACEIRST", now=night.later(), by=judge)
    night.announce()
    night.close()
    night.place()
    end(night)
    night.undo()
    assert (hall(night).commitment, hall(night).earlier_draws) == ("", [])
    assert told(night) == [("reopened", 1)]


def test_a_seed_that_is_not_32_bytes_reopens_nothing(played: Night) -> None:
    end(played)
    with pytest.raises(ValueError, match="32 bytes"):
        placing.undo(game=played.refresh(), by=played.judge, now=played.later(), seed=b"short")
    assert played.refresh().state == "finished"
