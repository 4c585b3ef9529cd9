"""No answer of the API holds a secret before the public page does, in any phase; the rack in play is never told."""

from __future__ import annotations

import pytest

from tests.leaks import leaked
from tests.referee.api.conftest import Reader
from tests.referee.api.test_endpoints import everything
from tests.tournaments.club_game import ClubGame, create_club_game
from tests.tournaments.prepared.sample_game import create_prepared_game, follow_script
from tests.tournaments.rooms_game import create_three_rooms
from tournaments.models import Turn
from tournaments.results.services import public_page
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.django_db
FOREIGN_WORD = "PLANTEDWORD"
RACK = "CORNOAT"


def test_nothing_of_a_turn_is_told_before_it_is_placed(reader: Reader, club_game: ClubGame) -> None:
    club_game.draw()
    club_game.force_rack(RACK)
    tops = [top["word"] for top in club_game.turn.tops or ()]
    seed = bytes(club_game.game.seed).hex()
    secrets = (*tops, FOREIGN_WORD, "864", club_game.turn.rack, RACK, seed, club_game.event.code)
    assert len(tops) > 1
    assert leaked(everything(reader, club_game.event), secrets) == []
    club_game.announce()
    assert leaked(everything(reader, club_game.event), secrets) == []
    club_game.phone(1, FOREIGN_WORD, "H8", 864)
    club_game.phone(2, tops[0], "8D", 22)
    assert leaked(everything(reader, club_game.event), secrets) == []
    club_game.close()
    assert leaked(everything(reader, club_game.event), secrets) == []
    club_game.place()
    text = everything(reader, club_game.event)
    assert tops[0] in text
    assert club_game.turn.rack in text
    always = (FOREIGN_WORD, "864", seed, club_game.event.code, club_game.event.wall_token)
    assert leaked(text, always) == []


def test_the_delay_of_the_public_page_holds_for_programs_too(reader: Reader, club_game: ClubGame) -> None:
    public_page.set_page(
        event=club_game.event,
        is_on=True,
        delay=1,
        own_sheets=True,
        may_be_found=False,
        by=club_game.judge,
        now=club_game.later(),
    )
    club_game.play(RACK, (1, "CORNO", "8D", 22))
    first = club_game.turn
    text = everything(reader, club_game.event)
    assert leaked(text, (first.rack, first.master_word, "Anna Rossi")) == []
    club_game.play("AEIRSTE")
    second = Turn.objects.get(game=club_game.game, number=2)
    text = everything(reader, club_game.event)
    assert first.rack in text
    assert second.rack not in text
    club_game.end()
    assert second.rack in everything(reader, club_game.event)


def test_a_room_that_is_behind_holds_the_answers_back(reader: Reader) -> None:
    rooms = create_three_rooms(first_judge())
    rooms.club_game.begin_turn(RACK)
    stored = rooms.club_game.turn.rack
    rooms.club_game.close()
    rooms.club_game.place()
    for name in ("B", "C"):
        assert stored not in everything(reader, rooms.club_game.event), name
        rooms.play(name)
    assert stored in everything(reader, rooms.club_game.event)


def test_a_game_that_another_event_still_plays_by_the_same_script_is_not_told(reader: Reader) -> None:
    judge = first_judge()
    prepared = create_prepared_game(judge)
    here, there = (follow_script(create_club_game(judge), prepared) for _ in range(2))
    here.begin_turn()
    rack = here.turn.rack
    here.close()
    here.place()
    here.end()
    there.begin_turn()
    assert rack not in everything(reader, here.event)
    there.close()
    there.place()
    assert rack in everything(reader, here.event)
