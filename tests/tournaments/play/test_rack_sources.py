"""No road leads to another rack without an entry in the ledger and a sentence for the hall."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db.models import ProtectedError

from engine.archive.replay import verify
from engine.archive.schema import read_archive
from engine.draw.reproducible import commitment
from referee.views.hall import PublicView, get_public_view
from tests.tournaments.club_game import NEXT_SEED, SEED, ClubGame, create_club_game, play_turn, seeded_random
from tests.tournaments.prepared.sample_game import create_prepared_game, follow_script
from tournaments.enums import DrawMode
from tournaments.errors import Refused
from tournaments.events.services import events, rule_changes
from tournaments.lexicons import word_lists
from tournaments.models import Game, LedgerEntry, Turn
from tournaments.play.services import draw_rack, game_end, placement
from tournaments.results.queries.archive import export_game

pytestmark = pytest.mark.django_db


@pytest.fixture
def played(club_game: ClubGame) -> ClubGame:
    """Three turns on the board."""
    rng = seeded_random(5)
    for _turn in range(3):
        assert play_turn(club_game, rng)
    return club_game


def hall(club_game: ClubGame) -> PublicView:
    return get_public_view(club_game.refresh(), None, club_game.now)


def told(club_game: ClubGame) -> list[tuple[str, int]]:
    """The public facts, each of which is in the named ledger entry."""
    acts = hall(club_game).draw_acts
    numbers = set(LedgerEntry.objects.filter(game=club_game.game).values_list("n", flat=True))
    assert {act.entry for act in acts} <= numbers
    return [(act.kind, act.turn) for act in acts]


def newest(club_game: ClubGame) -> LedgerEntry:
    """The newest entry but the list of players that comes with each new game."""
    entry = LedgerEntry.objects.filter(game=club_game.game).exclude(kind="players").order_by("n").last()
    assert entry is not None
    return entry


def differences(club_game: ClubGame, **changes: Any) -> list[str]:
    archive = json.loads(json.dumps(export_game(club_game.refresh())))
    archive["draw"] |= changes
    lexicon = word_lists.graph_of(word_lists.word_list_of_game(club_game.game))
    return [one.where for one in verify(read_archive(json.dumps(archive)), lexicon)]


def end(club_game: ClubGame) -> Game:
    return game_end.end_game(game=club_game.refresh(), by=club_game.judge, now=club_game.later())


def test_an_evening_without_such_acts_tells_of_none(played: ClubGame) -> None:
    assert told(played) == []
    end(played)
    assert told(played) == []
    assert differences(played) == []


def test_a_move_that_is_taken_back_is_told(played: ClubGame) -> None:
    played.undo()
    assert (newest(played).kind, newest(played).data) == ("undo", {"turn": 3, "ended": ""})
    assert told(played) == [("taken_back", 3)]


def test_a_rack_that_is_put_back_with_it_is_told_without_its_letters(played: ClubGame) -> None:
    drawn = played.draw()
    assert drawn is not None
    played.undo()
    assert newest(played).data == {"turn": 3, "ended": "", "put_back": 4, "rack": drawn.rack}
    assert told(played) == [("taken_back", 3), ("put_back", 4)]
    assert drawn.rack not in str(hall(played).draw_acts)


def test_a_rack_put_back_by_the_end_is_told(played: ClubGame) -> None:
    drawn = played.draw()
    assert drawn is not None
    end(played)
    assert {name: newest(played).data[name] for name in ("put_back", "rack")} == {"put_back": 4, "rack": drawn.rack}
    assert told(played) == [("put_back", 4)]


def test_other_rules_put_the_first_rack_back_and_the_hall_word_stays_as_it_was(club_game: ClubGame) -> None:
    events.set_hall_word(game=club_game.game, word="zucca", by=club_game.judge, now=club_game.later())
    first = club_game.draw()
    assert first is not None
    rule_changes.change_rules(
        game=club_game.refresh(), profile="it-box", switches={"min_early": 1}, by=club_game.judge, now=club_game.later()
    )
    assert (newest(club_game).kind, newest(club_game).data["put_back"], newest(club_game).data["rack"]) == (
        "rules",
        1,
        first.rack,
    )
    assert told(club_game) == [("put_back", 1)]
    with pytest.raises(Refused, match="cannot be changed any more"):
        events.set_hall_word(game=club_game.refresh(), word="mela", by=club_game.judge, now=club_game.later())
    assert club_game.refresh().hall_word == "zucca"


def test_a_hall_word_that_is_changed_before_the_first_rack_is_told(club_game: ClubGame) -> None:
    for word in ("zucca", "mela"):
        events.set_hall_word(game=club_game.game, word=word, by=club_game.judge, now=club_game.later())
    assert told(club_game) == [("hall_word_changed", 0)]


def test_a_rack_typed_anew_is_told(judge: User) -> None:
    club_game = create_club_game(judge, draw_mode=DrawMode.TYPED)
    draw_rack.type_rack(game=club_game.game, text="ACEIRST", now=club_game.later(), by=judge)
    draw_rack.take_back_rack(game=club_game.refresh(), now=club_game.later(), by=judge)
    assert newest(club_game).data == {"turn": 1, "rack": "ACEIRST"}
    assert told(club_game) == [("typed_anew", 1)]


def test_a_rack_typed_as_rejected_and_taken_back_is_told(judge: User) -> None:
    club_game = create_club_game(judge, draw_mode=DrawMode.TYPED)
    with pytest.raises(Refused):
        draw_rack.type_rack(game=club_game.game, text="AAEEIOU", now=club_game.later(), by=judge)
    draw_rack.take_back_rack(game=club_game.refresh(), now=club_game.later(), by=judge)
    assert told(club_game) == [("typed_anew", 1)]


def test_the_program_draws_no_rack_twice(club_game: ClubGame) -> None:
    club_game.draw()
    with pytest.raises(Refused, match="would draw the same one again"):
        draw_rack.take_back_rack(game=club_game.refresh(), now=club_game.later(), by=club_game.judge)
    assert told(club_game) == []


def test_a_prepared_game_in_the_place_of_the_one_on_the_wall_is_told(club_game: ClubGame) -> None:
    before = hall(club_game).commitment
    follow_script(club_game, create_prepared_game(club_game.judge))
    assert hall(club_game).commitment != before
    assert told(club_game) == [("other_seed", 0)]
    assert newest(club_game).data["commitment"] == hall(club_game).commitment


def test_a_game_begun_anew_names_the_one_that_was_given_up(club_game: ClubGame) -> None:
    club_game.draw()
    end(club_game)
    assert told(club_game) == [("put_back", 1)]
    head = newest(club_game)
    club_game.game = events.add_game(event=club_game.event, by=club_game.judge, now=club_game.later(), seed=NEXT_SEED)
    assert told(club_game) == [("given_up", 0)]
    assert newest(club_game).data["after"] == {
        "number": 1,
        "turns": 0,
        "commitment": commitment(SEED),
        "n": head.n,
        "hash": head.hash,
    }


def test_the_next_game_after_a_whole_one_is_nothing_to_tell(played: ClubGame) -> None:
    end(played)
    played.game = events.add_game(event=played.event, by=played.judge, now=played.later(), seed=NEXT_SEED)
    assert told(played) == []
    assert newest(played).data["after"]["turns"] == 3


def test_a_game_with_a_ledger_cannot_be_deleted(played: ClubGame) -> None:
    for doomed in (played.game, played.event):
        with pytest.raises(ProtectedError):
            doomed.delete()
    assert Turn.objects.filter(game=played.game).count() == 3


# ---------------------------------------------------------------------------------------------------------------
# A game that goes on after its seed was shown.


def test_what_was_shown_at_the_end_says_nothing_of_the_racks_to_come(played: ClubGame) -> None:
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


def racks_by_the_seed_that_was_shown(club_game: ClubGame) -> set[str]:
    """The racks that anybody could have computed at the end."""
    Turn.objects.filter(game=club_game.game, number=4).delete()
    game = club_game.refresh()
    Game.objects.filter(pk=game.pk).update(seed=SEED, hall_word="")
    drawn = draw_rack.draw_turn(game=club_game.refresh(), now=club_game.later(), by=club_game.judge)
    assert drawn is not None
    return {drawn.rack, *drawn.rejected}


def test_the_new_commitment_is_on_the_wall_before_its_first_rack_and_the_old_seed_stays(played: ClubGame) -> None:
    end(played)
    played.undo()
    seen = hall(played)
    assert seen.commitment == commitment(NEXT_SEED)
    assert seen.earlier_draws == [
        {"from_turn": 1, "commitment": commitment(SEED), "seed": SEED.hex(), "hall_word": None}
    ]
    assert told(played) == [("reopened", 3), ("new_seed", 4)]


def test_a_game_that_ended_by_the_rule_goes_on_by_a_new_seed_too(judge: User) -> None:
    club_game = create_club_game(judge, switches={"max_turns": 2})
    rng = seeded_random(3)
    while play_turn(club_game, rng):
        pass
    assert club_game.refresh().end_why == "turns"
    club_game.undo()
    assert told(club_game) == [("reopened", 2), ("taken_back", 2), ("new_seed", 3)]
    assert differences(club_game) == []


def test_the_whole_game_verifies_with_both_seeds_and_with_nothing_else(played: ClubGame) -> None:
    end(played)
    played.undo()
    rng = seeded_random(8)
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


def test_a_seed_that_the_hall_has_not_heard_of_is_found(played: ClubGame) -> None:
    """A seed chosen afterwards, to get particular racks, has no ledger entry for its commitment."""
    end(played)
    chosen = bytes(32)
    later = [{"from_turn": 4, "commitment": commitment(chosen), "seed": chosen.hex(), "hall_word": None}]
    assert differences(played, continued=later) == ["ledger, draw continued"]
    other = {"commitment": commitment(chosen), "seed": chosen.hex()}
    assert "ledger, commitment" in differences(played, **other)


def test_twice_taken_up_again_there_are_three_seeds(played: ClubGame) -> None:
    end(played)
    played.undo()
    end(played)
    placement.undo_placement(game=played.refresh(), by=played.judge, now=played.later(), seed=bytes(range(7, 39)))
    assert [draw["from_turn"] for draw in hall(played).earlier_draws] == [1, 4]
    play_turn(played, seeded_random(1))
    end(played)
    assert differences(played) == []


def test_another_word_of_the_hall_may_be_called_out_for_the_new_seed(played: ClubGame) -> None:
    end(played)
    played.undo()
    events.set_hall_word(game=played.refresh(), word="mela", by=played.judge, now=played.later())
    assert told(played) == [("reopened", 3), ("new_seed", 4)]
    play_turn(played, seeded_random(1))
    with pytest.raises(Refused, match="cannot be changed any more"):
        events.set_hall_word(game=played.refresh(), word="pera", by=played.judge, now=played.later())
    end(played)
    assert export_game(played.game)["draw"]["continued"][0]["hall_word"] == "mela"
    assert differences(played) == []


def test_a_prepared_game_leaves_its_script_when_its_seed_was_shown(club_game: ClubGame) -> None:
    """Its racks to come could be read by everybody who saw the seed."""
    follow_script(club_game, create_prepared_game(club_game.judge))
    rng = seeded_random(2)
    for _turn in range(2):
        play_turn(club_game, rng)
    script = club_game.game.prepared
    assert script is not None
    assert script.script is not None
    known = script.script["turns"][2]["rack"]
    end(club_game)
    club_game.undo()
    drawn = club_game.draw()
    assert drawn is not None
    assert drawn.rack != known
    club_game.announce()
    club_game.close()
    club_game.place()
    assert differences(club_game) == []


def test_a_game_from_a_bag_needs_no_new_seed(judge: User) -> None:
    club_game = create_club_game(judge, draw_mode=DrawMode.TYPED)
    draw_rack.type_rack(game=club_game.game, text="ACEIRST", now=club_game.later(), by=judge)
    club_game.announce()
    club_game.close()
    club_game.place()
    end(club_game)
    club_game.undo()
    assert (hall(club_game).commitment, hall(club_game).earlier_draws) == ("", [])
    assert told(club_game) == [("reopened", 1)]


def test_a_seed_that_is_not_32_bytes_reopens_nothing(played: ClubGame) -> None:
    end(played)
    with pytest.raises(ValueError, match="32 bytes"):
        placement.undo_placement(game=played.refresh(), by=played.judge, now=played.later(), seed=b"short")
    assert played.refresh().state == "finished"
