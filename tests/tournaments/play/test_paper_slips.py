"""Paper slips typed in a line: short forms, several tables, corrections, rooms, and lines that come twice."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User

from tests.tournaments.club_game import ClubGame
from tests.tournaments.rooms_game import RoomsGame, create_three_rooms
from tournaments.errors import Refused
from tournaments.judging.verdicts import to_written_slip
from tournaments.models import LedgerEntry, Room, Slip
from tournaments.play.services.paper_slips import DeskLine, LineEcho, enter_line, read_line

RACK = "ACEIRST"


@pytest.fixture
def running(club_game: ClubGame) -> ClubGame:
    club_game.begin_turn(RACK)
    return club_game


@pytest.fixture
def live_game(judge: User) -> RoomsGame:
    live_game = create_three_rooms(judge)
    live_game.club_game.begin_turn(RACK)
    return live_game


def enter(
    club_game: ClubGame, line: str, *, judges: bool = True, room: Room | None = None, **typed: Any
) -> LineEcho | None:
    return enter_line(
        game=club_game.refresh(),
        typed=DeskLine(line, **typed),
        room=room or club_game.room,
        judges=judges,
        now=club_game.later(),
        by=club_game.judge,
    )


def read(club_game: ClubGame, line: str, *, judges: bool = True, **typed: Any) -> LineEcho:
    return read_line(game=club_game.refresh(), typed=DeskLine(line, **typed), room=club_game.room, judges=judges)


def newest(club_game: ClubGame, table: int) -> Slip:
    return Slip.objects.filter(player=club_game.player(table), turn=club_game.turn).latest("version")


def counting(club_game: ClubGame, table: int) -> str:
    """The word of the slip that counts."""
    slip = club_game.verdict(table).slip
    assert slip is not None
    return slip.word


def slips_of(club_game: ClubGame) -> dict[int, tuple[str, str, int | None]]:
    rows = Slip.objects.filter(turn=club_game.turn).order_by("version")
    return {slip.player.table: (slip.word, slip.ref, slip.declared) for slip in rows.select_related("player")}


def test_a_line_without_a_table_is_handed_in_for_the_one_that_was_offered(running: ClubGame) -> None:
    assert enter(running, "8H CARTE 18", offered=3)
    assert slips_of(running) == {3: ("CARTE", "8H", 18)}


def test_several_tables_are_handed_in_at_once_and_sealed_together(running: ClubGame) -> None:
    before = LedgerEntry.objects.filter(kind="slips").count()
    enter(running, "1,2,17 8H CARTE 18")
    assert slips_of(running) == dict.fromkeys((1, 2, 17), ("CARTE", "8H", 18))
    assert LedgerEntry.objects.filter(kind="slips").count() == before + 1
    assert LedgerEntry.objects.filter(kind="slips").latest("n").data["tables"] == [1, 2, 17]


def test_of_several_tables_the_valid_ones_are_handed_in_and_the_others_stay_in_the_line(running: ClubGame) -> None:
    assert read(running, "1,9,17 8H CARTe 18").refused == "Nobody sits at table 9; add the player first."
    line_id = uuid4()
    for _sent_again in range(2):
        echo = enter(running, "1,9,17 8H CARTe 18", line_id=line_id)
        assert echo is not None
        assert (echo.refused, echo.rest) == ("Nobody sits at table 9; add the player first.", "9 8H CARTe 18")
    assert slips_of(running) == dict.fromkeys((1, 17), ("CARTe", "8H", 18))
    with pytest.raises(Refused, match="Nobody sits at table 10"):
        enter(running, "9+10=", same="1 T")


@pytest.mark.parametrize(
    "line", ["1 8H CARTe 18", "1 H8 TRISCEA", "1 8H ? 12", "1 CARTE > 7", "1 0 L 8H CARTE 9", "1-"]
)
def test_the_same_as_before_copies_what_was_typed_exactly(running: ClubGame, line: str) -> None:
    enter(running, line)
    enter(running, "2+3+", same=line)
    first, *others = [to_written_slip(newest(running, table)) for table in (1, 2, 3)]
    assert others == [first, first]


def test_the_same_as_the_marked_group_copies_a_slip_of_the_group_exactly(running: ClubGame) -> None:
    running.phone(1, " cArTe?", "h 8", 77)
    running.close()
    enter(running, "17=", group=running.verdict(1).group, same="2 8H CARTE 18")
    assert to_written_slip(newest(running, 17)) == to_written_slip(newest(running, 1))
    assert running.verdict(17).group == running.verdict(1).group
    with pytest.raises(Refused, match="This group is gone"):
        enter(running, "2=", group="of yesterday")


@pytest.mark.parametrize("same", ["", "1=", "+"])
def test_the_same_as_nothing_is_refused(running: ClubGame, same: str) -> None:
    with pytest.raises(Refused, match="Nothing was typed before"):
        enter(running, "17=", same=same)


def test_the_judge_hands_in_the_top_by_one_letter(running: ClubGame) -> None:
    top = (running.turn.tops or [])[0]
    enter(running, "17 T")
    enter(running, "1*")
    assert slips_of(running) == dict.fromkeys((17, 1), (top["word"], top["ref"], top["score"]))
    running.close()
    assert running.verdict(17).points == running.turn.top


def test_while_the_clock_runs_the_letter_for_the_top_tells_nobody_what_the_top_is(running: ClubGame) -> None:
    secrets = {top["word"] for top in running.turn.tops or []}
    echoes = [read(running, "17 T"), enter(running, "17 T"), read(running, "17 T"), read(running, "1+", same="17 T")]
    assert [echo.sentence for echo in echoes if echo][:2] == ["Table 17, Dario Bianchi: the top."] * 2
    for echo in echoes:
        assert not any(secret in f"{echo}" for secret in secrets)
    running.close()
    assert (running.turn.tops or [])[0]["word"] in read(running, "1 T").sentence


def test_a_typist_cannot_hand_in_the_top_and_is_told_nothing_of_it(running: ClubGame) -> None:
    secrets = {top["word"] for top in running.turn.tops or []}
    for close in (lambda: None, running.close):
        close()
        for line, same in (("17 T", ""), ("17*", ""), ("17 21 T", ""), ("17=", "1 T")):
            with pytest.raises(Refused) as refused:
                enter(running, line, judges=False, same=same)
            assert "only the judge" in refused.value.sentence or "table 21" in refused.value.sentence
            assert not any(secret in refused.value.sentence for secret in secrets)
    assert not Slip.objects.exists()


def test_a_top_that_the_judge_handed_in_is_not_told_to_a_typist_who_corrects_it(running: ClubGame) -> None:
    enter(running, "17 T")
    running.close()
    top = newest(running, 17).word
    assert top in read(running, "17 8H CARTE 18").replaced.sentence
    assert read(running, "17 8H CARTE 18", judges=False).replaced.sentence.startswith("It replaces the slip that was")


def test_no_move_means_that_there_is_no_top_to_hand_in(club_game: ClubGame) -> None:
    club_game.begin_turn("QQQ")
    with pytest.raises(Refused, match="No move is possible with this rack"):
        enter(club_game, "17 T")


@pytest.mark.parametrize(
    ("line", "reason", "words"),
    [
        ("17 0", "no_slip", "no slip."),
        ("17-", "no_slip", "no slip."),
        ("17 0 N", "no_slip", "no slip."),
        ("17-2", "unreadable", "zero, cannot be read."),
        ("17 0 S", "several_slips", "zero, several slips."),
        ("17-4", "late", "zero, too late."),
        (
            "17 0 L 8H CARTE 18",
            "late",
            "CARTE, across, row 8, from column H, declared 18. It came too late.",
        ),
        (
            "17 0 S 8H CARTE 18",
            "several_slips",
            "CARTE, across, row 8, from column H, declared 18. It is one of several slips.",
        ),
    ],
)
def test_a_zero_is_typed_with_its_reason_and_judged_by_it(
    running: ClubGame, line: str, reason: str, words: str
) -> None:
    echo = enter(running, line)
    assert echo is not None
    assert echo.sentence == f"Table 17, Dario Bianchi: {words}"
    running.close()
    assert (running.verdict(17).reason, running.verdict(17).points) == (reason, 0)


def test_a_typist_does_not_say_that_a_slip_came_too_late(running: ClubGame) -> None:
    with pytest.raises(Refused, match="Only the judge decides"):
        enter(running, "17 0 L", judges=False)
    assert enter(running, "17-2", judges=False)
    assert enter(running, "17 0 S", judges=False)


def test_typing_a_table_again_replaces_its_slip_and_the_echo_says_which(running: ClubGame) -> None:
    enter(running, "17 8H CARTE 18")
    assert read(running, "17 8H CESTA 20").replaced.sentence.startswith("It replaces the slip that was typed at ")
    running.close()
    echo = read(running, "17 8H CESTA 20")
    assert (echo.replaced.sentence, echo.replaced.version) == ("It replaces 8H CARTE 18.", 1)
    done = enter(running, "17 8H CESTA 20")
    assert done is not None
    assert (done.replaced.sentence, done.versions) == ("It replaces 8H CARTE 18.", (2,))
    assert counting(running, 17) == "CESTA"
    assert read(running, "3 8H CESTA 20").replaced.sentence == ""


def test_a_slip_from_a_phone_is_not_read_out_to_whoever_corrects_it_while_the_clock_runs(running: ClubGame) -> None:
    running.phone(17, "CARTE", "8H", 18)
    for judges in (True, False):
        told = read(running, "17 8H CESTA 20", judges=judges).replaced.sentence
        assert told.startswith("It replaces the slip that came from the phone at ")
        assert "CARTE" not in told


def test_where_judging_is_anonymous_no_table_is_asked_what_it_wrote(running: ClubGame) -> None:
    running.phone(17, "CARTE", "8H", 18)
    running.close()
    running.event.anonymous_judging = True
    running.event.save()
    assert "CARTE" not in read(running, "17 8H CESTA 20").replaced.sentence


def test_a_late_slip_takes_no_place_and_the_echo_says_so(running: ClubGame) -> None:
    enter(running, "17 8H CARTE 18")
    assert read(running, "17 0 L").replaced.sentence == (
        "A slip that came in time goes on counting; type - behind the table to take it away."
    )
    enter(running, "17 0 L")
    running.close()
    assert counting(running, 17) == "CARTE"


def test_of_several_tables_the_echo_names_those_that_have_handed_in(running: ClubGame) -> None:
    enter(running, "17 8H CARTE 18")
    echo = read(running, "1,3,17 8H CESTA 20")
    assert echo.sentence == "Tables 1, 3, 17: CESTA, across, row 8, from column H, declared 20."
    assert echo.replaced.sentence == "It replaces what these tables handed in: 17."


def test_a_line_that_comes_again_is_stored_once_even_after_the_move_was_placed(running: ClubGame) -> None:
    line_id = uuid4()
    assert enter(running, "1,17 8H CARTE 18", line_id=line_id)
    assert enter(running, "1,17 8H CARTE 18", line_id=line_id) is None
    running.close()
    running.place()
    assert enter(running, "1,17 8H CARTE 18", line_id=line_id) is None
    assert Slip.objects.count() == 2


def test_the_mark_of_a_line_of_another_game_hides_nothing(running: ClubGame) -> None:
    assert enter(running, "17 8H CARTE 18", line_id=UUID(int=7))
    assert enter(running, "1 8H CARTE 18", line_id=UUID(int=8))
    assert set(slips_of(running)) == {1, 17}


def test_a_line_typed_for_a_turn_does_not_slip_into_the_next_one(running: ClubGame) -> None:
    number = running.turn.number
    running.close()
    running.place()
    running.begin_turn()
    with pytest.raises(Refused, match=f"typed for turn {number}, but turn {number + 1} is being played"):
        enter(running, "17 8H CARTE 18", turn=number)
    assert not Slip.objects.exists()


def test_a_line_is_for_tables_of_the_room_alone(live_game: RoomsGame) -> None:
    club_game = live_game.club_game
    with pytest.raises(Refused, match="type its slips at the desk of that room"):
        enter(club_game, "11 8H CARTE 18")
    assert not Slip.objects.exists()
    live_game.announce("B")
    enter(club_game, "11,12 8H CARTE 18", room=live_game.room("B"))
    assert set(slips_of(club_game)) == {11, 12}


def test_in_a_room_that_follows_the_top_is_known_when_its_clock_has_closed(live_game: RoomsGame) -> None:
    club_game = live_game.club_game
    club_game.close()
    live_game.announce("B")
    with pytest.raises(Refused, match="In this room the top is known when its clock has closed"):
        enter(club_game, "11 T", room=live_game.room("B"))
    live_game.close("B")
    enter(club_game, "11 T", room=live_game.room("B"))
    assert newest(club_game, 11).word == (club_game.turn.tops or [])[0]["word"]


def test_a_line_that_cannot_be_read_is_refused_with_a_sentence(running: ClubGame) -> None:
    for line in ("", "8H CARTE 18", "17", "17 8H CARTE CESTA"):
        with pytest.raises(Refused) as refused:
            enter(running, line)
        assert refused.value.sentence.endswith(".")
