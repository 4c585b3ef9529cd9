"""Slips from phones and from paper take the same road, and nothing that was acknowledged is lost."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoCaptureOnCommitCallbacks

from referee.views.player import get_personal_view
from tests.tournaments.club_game import ClubGame, create_club_game
from tournaments import signals
from tournaments.enums import SlipSource
from tournaments.errors import Refused
from tournaments.judging.derivation import counting_slips
from tournaments.judging.verdicts import VerdictReader
from tournaments.models import LedgerEntry, Slip, Turn
from tournaments.play.services import slips
from tournaments.play.services.slips import IncomingSlip, Receipt
from tournaments.players.services import players
from tournaments.players.services.players import NewPlayer
from tournaments.slip_content import SlipContent

ID = UUID("00000000-0000-4000-8000-000000000001")


@pytest.fixture
def running(club_game: ClubGame) -> ClubGame:
    club_game.begin_turn("ACEIRST")
    return club_game


def incoming(
    club_game: ClubGame, table: int, word: str, client_id: UUID | None = None, turn: Turn | None = None
) -> IncomingSlip:
    return IncomingSlip(
        player_id=club_game.player(table).pk,
        turn_id=(turn or club_game.turn).pk,
        client_id=client_id or uuid4(),
        source=SlipSource.PHONE,
        content=SlipContent(word, "8H", 10),
        received_at=club_game.later(),
        sent_at=None,
        in_time=True,
    )


def hand_in(club_game: ClubGame, *batch: IncomingSlip) -> list[Receipt]:
    return slips.submit_batch(batch, now=club_game.later())


def words_of(club_game: ClubGame, table: int) -> list[tuple[int, str]]:
    return list(Slip.objects.filter(player__table=table).order_by("version").values_list("version", "word"))


def test_each_slip_gets_a_receipt_in_the_order_of_the_batch(running: ClubGame) -> None:
    batch = [incoming(running, table, word) for table, word in ((3, "CASA"), (1, "CARTE"), (2, "RETI"))]
    receipts = hand_in(running, *batch)
    assert [receipt.client_id for receipt in receipts] == [slip.client_id for slip in batch]
    assert all(receipt.new and receipt.in_time and receipt.version == 1 for receipt in receipts)
    words = dict(Slip.objects.values_list("client_id", "word"))
    assert [words[receipt.client_id] for receipt in receipts] == ["CASA", "CARTE", "RETI"]


def test_the_same_slip_again_gets_the_receipt_of_the_first_time(running: ClubGame) -> None:
    [first] = hand_in(running, incoming(running, 1, "CASA", ID))
    [second] = hand_in(running, incoming(running, 1, "CASA", ID))
    assert (second.received_at, second.version) == (first.received_at, 1)
    assert (first.new, second.new) == (True, False)
    assert Slip.objects.count() == 1


def test_the_same_slip_twice_in_a_batch_is_stored_once(running: ClubGame) -> None:
    slip = incoming(running, 1, "CASA", ID)
    first, second = hand_in(running, slip, slip)
    assert (first.new, second.new, first.version) == (True, False, second.version)


def test_later_slips_are_new_versions_also_within_a_batch(running: ClubGame) -> None:
    hand_in(running, incoming(running, 1, "CASA"), incoming(running, 1, "CARTE"), incoming(running, 2, "RETI"))
    hand_in(running, incoming(running, 1, "CERTA"))
    assert words_of(running, 1) == [(1, "CASA"), (2, "CARTE"), (3, "CERTA")]
    assert words_of(running, 2) == [(1, "RETI")]


def test_a_batch_that_is_not_committed_leaves_nothing_and_comes_again_whole(running: ClubGame) -> None:
    hand_in(running, incoming(running, 1, "CASA"))
    batch = [incoming(running, 1, "CARTE", ID), incoming(running, 2, "RETI")]
    with transaction.atomic():
        hand_in(running, *batch)
        transaction.set_rollback(True)  # as when the plug is pulled before the commit
    assert words_of(running, 1) == [(1, "CASA")]
    receipts = hand_in(running, *batch)
    assert [(receipt.version, receipt.new) for receipt in receipts] == [(2, True), (1, True)]
    assert words_of(running, 1) == [(1, "CASA"), (2, "CARTE")]


def test_a_stranger_or_an_unknown_turn_stops_nobody_else(running: ClubGame) -> None:
    other = create_club_game(running.judge)
    other.begin_turn()
    foreign = incoming(running, 1, "CASA", turn=other.turn)
    gone = replace(incoming(running, 2, "RETI"), turn_id=999_999)
    nobody = replace(incoming(running, 2, "RETI"), player_id=999_999)
    receipts = hand_in(running, foreign, gone, nobody, incoming(running, 3, "CARTE"))
    assert [receipt.refused for receipt in receipts] == ["no_turn", "no_turn", "no_turn", ""]
    assert [slip.word for slip in Slip.objects.all()] == ["CARTE"]


def test_a_turn_that_is_not_announced_takes_nothing(club_game: ClubGame) -> None:
    club_game.draw()
    [receipt] = hand_in(club_game, incoming(club_game, 1, "CASA"))
    assert receipt.refused == "no_turn"


def test_a_late_comer_has_no_slip_in_the_turn_that_was_running(running: ClubGame) -> None:
    players.add_players(event=running.event, players=[NewPlayer(5, "Elio")], now=running.later(), by=running.judge)
    [receipt] = hand_in(running, incoming(running, 5, "CASA"))
    assert receipt.refused == "no_turn"
    with pytest.raises(Refused, match="Elio joined after turn 1 had started"):
        running.paper("5 8H CASA 10")


def test_a_batch_is_one_entry_in_the_ledger_with_a_digest(running: ClubGame) -> None:
    hand_in(running, incoming(running, 1, "CASA"), incoming(running, 2, "RETI"))
    entry = LedgerEntry.objects.get(kind="slips")
    assert (entry.data["turn"], entry.data["slips"], len(entry.data["digest"])) == (1, 2, 64)


def test_slips_are_counted_apart_and_do_not_move_the_state(
    running: ClubGame, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    told: list[tuple[int, int]] = []

    def listener(game_id: int, turn_id: int, **_: object) -> None:
        told.append((game_id, turn_id))

    signals.slips_received.connect(listener)
    before = running.refresh().seq
    with django_capture_on_commit_callbacks(execute=True):
        hand_in(running, incoming(running, 1, "CASA"), incoming(running, 2, "RETI"))
    assert told == [(running.game.pk, running.turn.pk)]
    assert running.refresh().seq == before


def test_whatever_gets_through_the_database_can_hold(running: ClubGame) -> None:
    content = SlipContent("A\x00\ud800B\n" + "X" * 10_000, "Z" * 500, 10**30)
    monster = replace(incoming(running, 1, ""), content=content)
    negative = replace(incoming(running, 2, ""), content=SlipContent("🂡", "8H", -5))
    hand_in(running, monster, negative)
    stored = Slip.objects.order_by("player__table")
    assert stored[0].word == ("AB " + "X" * 10_000)[:200]
    assert (len(stored[0].ref), stored[0].declared, stored[1].declared, stored[1].word) == (20, 1_000_000, 0, "🂡")


def test_queries_do_not_grow_with_the_batch(running: ClubGame) -> None:
    def queries(*tables: int) -> int:
        batch = [incoming(running, table, "CASA") for table in tables]
        with CaptureQueriesContext(connection) as captured:
            hand_in(running, *batch)
        return len(captured)

    assert queries(1) == queries(1, 2, 3)


def test_a_slip_that_was_under_way_at_the_close_is_judged(running: ClubGame) -> None:
    slip = incoming(running, 1, "CARTE")
    running.close()
    assert running.verdict(1).reason == "no_slip"
    hand_in(running, slip)
    assert running.verdict(1).result == "valid"


def test_a_slip_that_comes_after_the_placement_still_counts_when_it_was_in_time(running: ClubGame) -> None:
    slip = incoming(running, 1, "CARTE")
    running.close()
    running.place()
    hand_in(running, slip)
    assert running.verdict(1).points == 18


def test_a_late_slip_after_the_placement_changes_no_verdict(running: ClubGame) -> None:
    running.close()
    running.place()
    before = running.verdict(1)
    hand_in(running, replace(incoming(running, 1, "CARTE"), in_time=False))
    assert (running.verdict(1).pk, running.verdict(1).reason) == (before.pk, "no_slip")
    assert Slip.objects.count() == 1


def test_a_late_slip_is_kept_and_is_a_zero_of_its_own(running: ClubGame) -> None:
    deadline = running.clock.deadline
    assert deadline is not None
    running.phone(1, "CARTE", "8H", 18, after=(deadline - running.now).total_seconds() + 1)
    assert running.phone(2, "CARTE", "8H", 18, after=0.001).in_time is False
    running.close()
    assert (running.verdict(1).result, running.verdict(1).points) == ("valid", 18)
    assert (running.verdict(2).result, running.verdict(2).reason, running.verdict(2).move_score) == ("zero", "late", 18)
    assert running.verdict(1).group != running.verdict(2).group


def test_a_slip_sent_before_the_close_and_received_later_says_so(running: ClubGame) -> None:
    deadline = running.clock.deadline
    assert deadline is not None
    running.now = deadline
    for table, sent in ((1, -0.2), (2, 1.2)):
        running.phone(
            table, "CARTE", "8H", 18, after=1.4 if table == 1 else 0.1, sent=deadline + timedelta(seconds=sent)
        )
    running.close()
    said = [VerdictReader(running.game).sentence(running.verdict(table)) for table in (1, 2)]
    assert "received 1.4 s after the time was up; by the clock of its phone it was sent before." in said[0]
    assert "received 1.5 s after the time was up. The move" in said[1]
    assert running.verdict(1).group != running.verdict(2).group


def test_paper_replaces_what_the_phone_sent(running: ClubGame) -> None:
    running.phone(1, "CASA", "8H", 10)
    receipt = running.paper("1 8H CARTE 18")
    assert (receipt.version, receipt.in_time) == (2, True)
    running.close()
    assert running.verdict(1).points == 18


def test_a_paper_slip_can_be_typed_until_the_move_is_placed(running: ClubGame) -> None:
    running.close()
    running.paper("1 8H CARTE 18")
    assert running.verdict(1).points == 18
    running.paper("2 8H CARTE 18", in_time=False)
    assert running.verdict(2).reason == "late"
    running.paper("3 8H CARTE 18", several=True)
    assert running.verdict(3).reason == "several_slips"
    running.place()
    with pytest.raises(Refused, match="take its move back"):
        running.paper("1 8H CASA 10")


def test_a_table_that_handed_in_nothing_can_be_ticked_off(running: ClubGame) -> None:
    running.paper("17 -")
    running.close()
    assert (running.verdict(17).reason, running.verdict(17).slip is not None) == ("no_slip", True)


def test_a_typed_line_is_echoed_in_plain_words_and_not_stored(running: ClubGame) -> None:
    echo = slips.read_paper_line(game=running.game, line="17 8H CoRNO 22")
    assert echo.sentence == (
        "Table 17, Dario Bianchi: CORNO with a blank for O, across, row 8, from column H, declared 22."
    )
    assert (echo.table, echo.player, echo.slip.word) == (17, "Dario Bianchi", "CoRNO")
    assert not Slip.objects.exists()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("3 H8 corno", "Table 3, Carla Neri: CORNO, down, column H, from row 8, no score."),
        ("3 Z99 CORNO 5", "Table 3, Carla Neri: CORNO, at Z99, which is no square of the board, declared 5."),
        ("3 CORNO 5", "Table 3, Carla Neri: CORNO, no reference, declared 5."),
        ("3 -", "Table 3, Carla Neri: no slip."),
        ("3 8H ? 12", "Table 3, Carla Neri: an unreadable word, across, row 8, from column H, declared 12."),
        ("3 8H CO🂡 12", "Table 3, Carla Neri: CO🂡, across, row 8, from column H, declared 12."),
    ],
)
def test_every_line_has_its_words(running: ClubGame, line: str, words: str) -> None:
    assert slips.read_paper_line(game=running.game, line=line).sentence == words


def test_where_across_is_written_h8_the_words_follow(judge: User) -> None:
    club_game = create_club_game(judge, switches={"notation": "H8"})
    assert slips.read_paper_line(game=club_game.game, line="3 H8 CORNO 5").sentence == (
        "Table 3, Carla Neri: CORNO, across, row H, from column 8, declared 5."
    )


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("99 8H CORNO 22", "Nobody sits at table 99; add the player first."),
        ("CORNO 22", "Begin with the number of the table, as in 17 8H CORNO 22."),
        ("", "Begin with the number of the table, as in 17 8H CORNO 22."),
    ],
)
def test_a_line_that_is_no_slip_is_refused_with_the_remedy(running: ClubGame, line: str, sentence: str) -> None:
    with pytest.raises(Refused) as refused:
        running.paper(line)
    assert refused.value.sentence == sentence
    assert not Slip.objects.exists()


def test_nothing_is_handed_in_before_the_rack_is_announced(club_game: ClubGame) -> None:
    with pytest.raises(Refused, match="No rack is announced"):
        club_game.paper("1 8H CASA 10")
    club_game.draw()
    with pytest.raises(Refused, match="No rack is announced"):
        club_game.paper("1 8H CASA 10")


def test_what_a_phone_says_about_its_own_time_is_evidence_only(running: ClubGame) -> None:
    slip = incoming(running, 1, "CARTE")
    odd = replace(slip, sent_at=slip.received_at + timedelta(days=400))
    [receipt] = hand_in(running, odd)
    assert (receipt.in_time, receipt.received_at) == (True, slip.received_at)


def test_a_slip_that_came_before_a_later_one_and_is_stored_after_it_does_not_take_its_place(running: ClubGame) -> None:
    """One server waited for its database while the phone, at another one, handed in something else."""
    earlier = incoming(running, 1, "CASA")
    later = incoming(running, 1, "CARTE")
    assert earlier.received_at < later.received_at
    assert [hand_in(running, slip)[0].version for slip in (later, earlier)] == [1, 2]
    player = running.player(1)
    assert counting_slips(running.turn)[player.pk].word == "CARTE"
    view = get_personal_view(running.game, player.pk)
    assert view is not None
    assert view.slip is not None
    assert view.slip.word == "CARTE"


def test_an_older_slip_that_another_process_has_read_later_does_not_take_the_place_of_a_newer_one(
    running: ClubGame,
) -> None:
    """A phone sent CASA to a server that hung, and CASA and CARTE to another one; the first stores its copy first."""
    older, newer = incoming(running, 1, "CASA", ID), incoming(running, 1, "CARTE")
    late_copy = incoming(running, 1, "CASA", ID)
    hand_in(running, late_copy)
    receipts = hand_in(running, older, newer, incoming(running, 2, "RETI"))
    assert [receipt.received_at for receipt in receipts[:2]] == [late_copy.received_at] * 2
    assert receipts[2].received_at > late_copy.received_at
    assert [slip.word for slip in counting_slips(running.turn).values()] == ["CARTE", "RETI"]


def test_an_earlier_slip_in_time_counts_before_a_later_one_that_is_late(running: ClubGame) -> None:
    earlier = incoming(running, 1, "CASA")
    hand_in(running, replace(incoming(running, 1, "CARTE"), in_time=False))
    hand_in(running, earlier)
    assert counting_slips(running.turn)[running.player(1).pk].word == "CASA"
