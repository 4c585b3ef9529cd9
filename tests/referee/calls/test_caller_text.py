"""Texts for the caller and the browser's voice are correct and contain no secrets."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import translation

from engine.board.coordinates import Direction, Notation, Reference
from engine.code_words import load_code_words
from engine.tiles.edition import load_edition
from referee.calls.caller_text import (
    build_clock_calls,
    build_move_call,
    build_rack_call,
    format_duration,
    spell_reference,
)
from tests.referee.live.live_game import LiveGame, make_live_game
from tournaments.enums import Role
from tournaments.models import Membership


def test_a_rack_is_called_tile_by_tile_with_the_time() -> None:
    call = build_rack_call(load_edition("it"), 3, "?ACR", 180)
    assert call.plain == "jolly, A, C, R"
    assert call.spelled == "jolly, A come Ancona, C come Como, R come Roma"
    assert call.time == "3 minutes"


def test_tiles_of_several_letters_are_one_call() -> None:
    call = build_rack_call(load_edition("es"), 1, "A[CH][RR]", 120)
    assert [tile.face for tile in call.tiles] == ["A", "CH", "RR"]
    assert call.spelled == "A de Antonio, CH de Chocolate, erre doble"


def test_a_move_is_called_with_its_place_points_and_total() -> None:
    call = build_move_call(load_edition("it"), Notation.NUMBER_FIRST, 4, "CaSA", "8D", 22, 88)
    assert call.sentences == ["CASA", "8, D come Domodossola, across", "22 points"]
    assert call.tiles[1].said == "jolly, A come Ancona"
    assert call.total == "Total of all moves: 88."
    assert build_move_call(load_edition("it"), Notation.NUMBER_FIRST, 4, "", "", None, 88).sentences == [
        "Nothing is laid in this turn."
    ]


@pytest.mark.parametrize(
    ("notation", "direction", "said"),
    [
        (Notation.NUMBER_FIRST, Direction.ACROSS, "8, D for Delta, across"),
        (Notation.NUMBER_FIRST, Direction.DOWN, "D for Delta, 8, down"),
        (Notation.LETTER_FIRST, Direction.ACROSS, "H for Hotel, 4, across"),
        (Notation.LETTER_FIRST, Direction.DOWN, "4, H for Hotel, down"),
    ],
)
def test_a_reference_is_said_in_the_order_in_which_it_is_written(
    notation: Notation, direction: Direction, said: str
) -> None:
    assert spell_reference(Reference(7, 3, direction), notation, load_code_words("en")) == said


def test_times_are_whole_minutes_and_the_seconds_over_them() -> None:
    assert [format_duration(seconds) for seconds in (180, 60, 90, 30, 1)] == [
        "3 minutes",
        "1 minute",
        "1 minute 30 seconds",
        "30 seconds",
        "1 second",
    ]
    assert build_clock_calls([60, 30, 5]) == {
        "60": "1 minute left",
        "30": "30 seconds left",
        "5": "Raise the slips",
        "0": "Time is up",
    }


@pytest.fixture
def live_game(db: None) -> LiveGame:
    return make_live_game(joined=False, draw_mode="seeded")


def wall_says(live_game: LiveGame) -> dict[str, object]:
    answer = Client().get(f"/wall/{live_game.event.wall_token}/calls.json")
    assert answer.headers["Cache-Control"] == "no-store"
    return dict(answer.json())


def test_the_voice_knows_no_rack_before_it_is_announced_and_no_move_before_it_is_placed(live_game: LiveGame) -> None:
    live_game.draw()
    assert (wall_says(live_game)["rack"], wall_says(live_game)["move"]) == (None, [])
    live_game.announce()
    said = wall_says(live_game)
    rack = live_game.turn.rack
    with translation.override("it"):
        assert said["rack"] == {
            "language": "it",
            "letters": ", ".join("jolly" if face == "?" else face for face in rack),
            "words": ", ".join(load_code_words("it").tile(face) for face in rack),
            "time": format_duration(live_game.game.turn_seconds),
        }
    live_game.close()
    assert wall_says(live_game)["move"] == []
    turn = live_game.place()
    move = wall_says(live_game)["move"]
    assert isinstance(move, list)
    assert move[0] == {"text": turn.master_word.upper(), "language": "it"}
    assert str(turn.master_score) in move[2]["text"]
    live_game.draw()
    assert (wall_says(live_game)["rack"], wall_says(live_game)["move"]) == (None, [])


def desk(live_game: LiveGame, role: Role) -> Client:
    client = Client()
    user = live_game.judge
    Membership.objects.filter(event=live_game.event, user=user).update(role=role)
    client.force_login(user)
    return client


def test_a_drawn_rack_is_called_at_the_desk_but_not_yet_in_public(live_game: LiveGame) -> None:
    live_game.draw()
    client, base = desk(live_game, Role.JUDGE), f"/desk/{live_game.event.code}"
    page = client.get(f"{base}/calls/").content.decode()
    assert page.count("<li><b>") == 7
    assert "Nobody has seen them yet" in page
    assert client.get(f"{base}/calls.json").json()["rack"] is None
    part = client.get(f"{base}/calls/", headers={"HX-Request": "true"}).content.decode()
    assert 'data-phase="drawn"' in part
    assert "<html" not in part


def test_a_typist_may_let_the_voice_speak_and_sees_no_call_sheet(live_game: LiveGame) -> None:
    live_game.draw()
    client, base = desk(live_game, Role.TYPIST), f"/desk/{live_game.event.code}"
    assert client.get(f"{base}/calls/").status_code == 403
    assert client.get(f"{base}/documents/preview/", {"kind": "call"}).status_code == 403
    assert live_game.turn.rack not in client.get(f"{base}/calls.json").content.decode()
    assert 'id="voice"' in client.get(f"{base}/").content.decode()


def test_after_the_placement_the_move_and_the_total_are_called_then_the_next_rack(live_game: LiveGame) -> None:
    live_game.draw()
    live_game.announce()
    live_game.close()
    first = live_game.place()
    client, base = desk(live_game, Role.JUDGE), f"/desk/{live_game.event.code}"
    with translation.override("it"):
        total = translation.gettext("Total of all moves: %(total)d.") % {"total": first.master_score}
    page = client.get(f"{base}/calls/").content.decode()
    assert total in page
    assert 'class="call-tiles"' not in page
    live_game.draw()
    page = client.get(f"{base}/calls/").content.decode()
    assert total in page
    assert page.count("<li><b>") == 7
