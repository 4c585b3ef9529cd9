"""An event is made in one go, with everything that a game is played by fixed from the start."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.tournaments.club_game import FOUR_PLAYERS, SEED, ClubGame, create_club_game
from tournaments.enums import DrawMode, Role, Ruling
from tournaments.errors import Refused
from tournaments.events.queries.events import current_game, event_by_code, events_of, room_by_wall_token
from tournaments.events.services import events
from tournaments.lexicons import word_lists
from tournaments.models import Entry, Event, LedgerEntry, Membership, WordRuling
from tournaments.play.services import game_end
from tournaments.players.services.players import NewPlayer


def test_a_new_event_has_its_game_hall_director_and_players(club_game: ClubGame) -> None:
    game = club_game.game
    assert (game.number, game.state, game.turn_seconds, game.profile) == (1, "ready", 180, "it-box")
    assert game.switches["board_takes"] == "best_slip"
    assert [room.name for room in club_game.event.rooms.all()] == ["Hall"]
    assert [(each.user, each.role) for each in club_game.event.memberships.all()] == [(club_game.judge, Role.DIRECTOR)]
    assert list(events_of(club_game.judge)) == [club_game.event]
    assert Entry.objects.filter(game=game, first_turn=1).count() == 4


def test_the_commitment_is_that_of_the_seed_and_stands_in_the_ledger(club_game: ClubGame) -> None:
    assert club_game.game.commitment == hashlib.sha256(SEED).hexdigest()
    created = LedgerEntry.objects.get(game=club_game.game, n=1)
    assert (created.kind, created.data["commitment"]) == ("created", club_game.game.commitment)
    assert SEED.hex() not in str(created.data)


def test_the_word_list_is_tied_to_the_game(club_game: ClubGame) -> None:
    entry = word_lists.choose_list("it", None)
    assert (club_game.game.lexicon_name, club_game.game.lexicon_words, club_game.game.lexicon_sha256) == (
        "it",
        entry.words,
        entry.sha256,
    )


def test_an_event_is_found_by_its_code_however_it_is_typed(club_game: ClubGame) -> None:
    code = club_game.event.code
    assert event_by_code(f" {code[:2].lower()} {code[2:]}") == club_game.event
    assert event_by_code("ZZZZZZ") is None
    assert room_by_wall_token(club_game.event.wall_token) == club_game.room
    assert room_by_wall_token("") is None
    assert len(club_game.event.wall_token) == 43


def test_codes_and_wall_tokens_differ(judge: User) -> None:
    club_games = [create_club_game(judge) for _ in range(5)]
    assert len({club_game.event.code for club_game in club_games}) == 5
    assert len({club_game.event.wall_token for club_game in club_games}) == 5


def test_switches_override_the_profile(judge: User) -> None:
    club_game = create_club_game(judge, switches={"clock_s": 120, "notation": "H8"})
    assert (club_game.game.turn_seconds, club_game.game.switches["notation"]) == (120, "H8")


def test_the_hall_is_named_in_the_language_of_the_event(judge: User) -> None:
    assert create_club_game(judge, language="it").event.language == "it"


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"name": "  "}, "Give the event a name."),
        ({"name": "x" * 201}, "The field “name” has 201 characters; at most 200 fit."),
        ({"profile": "nope"}, "There is no rule profile “nope”."),
        ({"edition": "xx"}, "There is no edition “xx”."),
        ({"language": "xx"}, "There is no language “xx”."),
        ({"draw_mode": "magic"}, "Racks are drawn by the program or typed; choose one of the two."),
        (
            {"lexicon": "zingarelli"},
            "There is no word list zingarelli for the edition it. Import it on the page “Word lists”, or with: "
            "python3 manage.py lexicon import FILE --edition it --name zingarelli",
        ),
        (
            {"edition": "ca"},
            "There is no word list for the edition ca. Build or import one on the page “Word lists”, or with: "
            "python3 manage.py lexicon build ca",
        ),
    ],
)
def test_what_cannot_be_is_refused_with_one_sentence_and_nothing_is_left(
    judge: User, wrong: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(Refused) as refused:
        create_club_game(judge, **wrong)
    assert refused.value.sentence == sentence
    assert not Event.objects.exists()


def test_a_switch_that_there_is_not_is_refused(judge: User) -> None:
    with pytest.raises(Refused, match="clok_s"):
        create_club_game(judge, switches={"clok_s": 3})
    with pytest.raises(Refused, match="clock_s"):
        create_club_game(judge, switches={"clock_s": "soon"})


def test_a_table_twice_refuses_the_whole_event(judge: User) -> None:
    with pytest.raises(Refused, match="Table 1 is taken"):
        create_club_game(judge, players=(*FOUR_PLAYERS, NewPlayer(1, "Zeno")))
    assert not Event.objects.exists()


def test_a_seed_that_is_not_32_bytes_is_a_fault_of_the_program(judge: User) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        create_club_game(judge, seed=b"short")


def test_the_hall_word_is_set_before_the_first_rack_only(club_game: ClubGame) -> None:
    game = events.set_hall_word(game=club_game.game, word="  zucca ", by=club_game.judge, now=club_game.later())
    assert (game.hall_word, LedgerEntry.objects.get(kind="hall_word").data) == ("zucca", {"word": "zucca"})
    club_game.draw()
    with pytest.raises(Refused, match="first rack is drawn"):
        events.set_hall_word(game=club_game.game, word="melone", by=club_game.judge, now=club_game.later())
    assert club_game.refresh().hall_word == "zucca"


def test_the_hall_word_changes_the_racks(judge: User) -> None:
    plain, called = create_club_game(judge), create_club_game(judge)
    events.set_hall_word(game=called.game, word="zucca", by=judge, now=called.later())
    first, second = plain.draw(), called.draw()
    assert first is not None
    assert second is not None
    assert first.rack != second.rack


def test_a_hall_word_has_no_part_in_a_bag(judge: User) -> None:
    club_game = create_club_game(judge, draw_mode=DrawMode.TYPED)
    with pytest.raises(Refused, match="drawn from a bag"):
        events.set_hall_word(game=club_game.game, word="zucca", by=judge, now=club_game.later())


def test_the_next_game_keeps_players_settings_and_rulings(club_game: ClubGame) -> None:
    with pytest.raises(Refused, match="End game 1"):
        events.add_game(event=club_game.event, by=club_game.judge, now=club_game.later(), seed=bytes(32))
    club_game.begin_turn()
    club_game.rule("ZZZ", Ruling.ACCEPTED, "it is a sound")
    club_game.rule("CASA", Ruling.STRUCK)
    club_game.close()
    club_game.place()
    game_end.end_game(game=club_game.refresh(), by=club_game.judge, now=club_game.later())
    second = events.add_game(event=club_game.event, by=club_game.judge, now=club_game.later(), seed=bytes(32))
    assert current_game(club_game.event) == second
    assert (second.number, second.switches, second.turn_seconds) == (2, club_game.game.switches, 180)
    assert Entry.objects.filter(game=second).count() == 4
    carried = WordRuling.objects.filter(game=second).order_by("word").values_list("word", "ruling", "from_turn")
    assert list(carried) == [("CASA", "struck", 1), ("ZZZ", "accepted", 1)]
    assert LedgerEntry.objects.filter(game=second, kind="created").exists()
    assert Membership.objects.count() == 1
