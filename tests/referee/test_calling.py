"""What the caller reads aloud, and what the voice says: the right words, and nothing before its time."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import translation

from engine.coords import Direction, Notation, Reference
from engine.edition import load_edition
from engine.spelling import spelling_of
from referee.calling import clock_calls, move_call, place_said, rack_call, time_said
from tests.referee.live.evening import Evening, make_evening
from tournaments.enums import Role
from tournaments.models import Membership


def test_a_rack_is_called_tile_by_tile_with_the_time() -> None:
    call = rack_call(load_edition("it"), 3, "?ACR", 180)
    assert call.plain == "jolly, A, C, R"
    assert call.spelled == "jolly, A come Ancona, C come Como, R come Roma"
    assert call.time == "3 minutes"


def test_tiles_of_several_letters_are_one_call() -> None:
    call = rack_call(load_edition("es"), 1, "A[CH][RR]", 120)
    assert [tile.face for tile in call.tiles] == ["A", "CH", "RR"]
    assert call.spelled == "A de Antonio, CH de Chocolate, erre doble"


def test_a_move_is_called_with_its_place_points_and_total() -> None:
    call = move_call(load_edition("it"), Notation.NUMBER_FIRST, 4, "CaSA", "8D", 22, 88)
    assert call.sentences == ["CASA", "8, D come Domodossola, across", "22 points"]
    assert call.tiles[1].said == "jolly, A come Ancona"
    assert call.total == "Total of all moves: 88."
    assert move_call(load_edition("it"), Notation.NUMBER_FIRST, 4, "", "", None, 88).sentences == [
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
    assert place_said(Reference(7, 3, direction), notation, spelling_of("en")) == said


def test_times_are_whole_minutes_and_the_seconds_over_them() -> None:
    assert [time_said(seconds) for seconds in (180, 60, 90, 30, 1)] == [
        "3 minutes",
        "1 minute",
        "1 minute 30 seconds",
        "30 seconds",
        "1 second",
    ]
    assert clock_calls([60, 30, 5]) == {
        "60": "1 minute left",
        "30": "30 seconds left",
        "5": "Raise the slips",
        "0": "Time is up",
    }


@pytest.fixture
def evening(db: None) -> Evening:
    return make_evening(joined=False, draw_mode="seeded")


def wall_says(evening: Evening) -> dict[str, object]:
    answer = Client().get(f"/wall/{evening.event.wall_token}/calls.json")
    assert answer.headers["Cache-Control"] == "no-store"
    return dict(answer.json())


def test_the_voice_knows_no_rack_before_it_is_announced_and_no_move_before_it_is_placed(evening: Evening) -> None:
    evening.draw()
    assert (wall_says(evening)["rack"], wall_says(evening)["move"]) == (None, [])
    evening.announce()
    said = wall_says(evening)
    rack = evening.turn.rack
    with translation.override("it"):
        assert said["rack"] == {
            "language": "it",
            "letters": ", ".join("jolly" if face == "?" else face for face in rack),
            "words": ", ".join(spelling_of("it").tile(face) for face in rack),
            "time": time_said(evening.game.rhythm_s),
        }
    evening.close()
    assert wall_says(evening)["move"] == []
    turn = evening.place()
    move = wall_says(evening)["move"]
    assert isinstance(move, list)
    assert move[0] == {"text": turn.master_word.upper(), "language": "it"}
    assert str(turn.master_score) in move[2]["text"]
    evening.draw()
    assert (wall_says(evening)["rack"], wall_says(evening)["move"]) == (None, [])


def desk(evening: Evening, role: Role) -> Client:
    client = Client()
    user = evening.judge
    Membership.objects.filter(event=evening.event, user=user).update(role=role)
    client.force_login(user)
    return client


def test_the_judge_has_the_rack_to_call_as_soon_as_it_is_drawn_and_the_hall_has_not(evening: Evening) -> None:
    evening.draw()
    client, base = desk(evening, Role.JUDGE), f"/desk/{evening.event.code}"
    page = client.get(f"{base}/calls/").content.decode()
    assert page.count("<li><b>") == 7
    assert "Nobody has seen them yet" in page
    assert client.get(f"{base}/calls.json").json()["rack"] is None
    part = client.get(f"{base}/calls/", headers={"HX-Request": "true"}).content.decode()
    assert 'data-phase="drawn"' in part
    assert "<html" not in part


def test_a_typist_may_let_the_voice_speak_and_sees_no_call_sheet(evening: Evening) -> None:
    evening.draw()
    client, base = desk(evening, Role.TYPIST), f"/desk/{evening.event.code}"
    assert client.get(f"{base}/calls/").status_code == 403
    assert client.get(f"{base}/documents/preview/", {"kind": "call"}).status_code == 403
    assert evening.turn.rack not in client.get(f"{base}/calls.json").content.decode()
    assert 'id="voice"' in client.get(f"{base}/").content.decode()


def test_after_the_placement_the_move_and_the_total_are_called_then_the_next_rack(evening: Evening) -> None:
    evening.draw()
    evening.announce()
    evening.close()
    first = evening.place()
    client, base = desk(evening, Role.JUDGE), f"/desk/{evening.event.code}"
    with translation.override("it"):
        total = translation.gettext("Total of all moves: %(total)d.") % {"total": first.master_score}
    page = client.get(f"{base}/calls/").content.decode()
    assert total in page
    assert 'class="call-tiles"' not in page
    evening.draw()
    page = client.get(f"{base}/calls/").content.decode()
    assert total in page
    assert page.count("<li><b>") == 7
