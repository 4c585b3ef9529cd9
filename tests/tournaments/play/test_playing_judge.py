"""A judge who plays along: when the turn is hidden, when it opens, and that the slip is final once the judge has seen
it."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.contrib.auth.models import User

from engine.archive.rulings_register import list_rulings
from tests.tournaments.club_game import ClubGame, close_due
from tournaments.backups.services import heartbeats
from tournaments.enums import Role, Ruling, SlipSource
from tournaments.errors import AlreadyDone, Refused
from tournaments.judging.services import rulings
from tournaments.judging.services.ruling_request import RulingRequest
from tournaments.ledger.queries import entries_of
from tournaments.models import FinalSlip, LedgerEntry, Membership, Slip, Turn
from tournaments.play.queries.playing_judge import SpoilerGuard, get_spoiler_guard
from tournaments.play.services import clocks, game_end, playing_judge, slips
from tournaments.play.services.slips import REFUSED_FINAL, IncomingSlip
from tournaments.players.services import anonymise
from tournaments.slip_content import SlipContent

pytestmark = pytest.mark.django_db


@pytest.fixture
def place(club_game: ClubGame) -> Membership:
    """The judge of the night plays at table 17."""
    place = Membership.objects.select_related("event", "user").get(event=club_game.event, user=club_game.judge)
    playing_judge.start_playing(place=place, table=17, by=club_game.judge, now=club_game.later())
    return place


def veil(club_game: ClubGame, place: Membership) -> SpoilerGuard:
    found = get_spoiler_guard(place, club_game.refresh(), club_game.later())
    assert found is not None
    return found


def look(club_game: ClubGame, place: Membership) -> None:
    """Open the desk when the time is up."""
    playing_judge.record_desk_opened(place=place, by=club_game.judge, now=club_game.later())


def late_phone(club_game: ClubGame, table: int = 17) -> str:
    """The refusal of a slip that a phone sends now."""
    sent = club_game.later()
    slip = IncomingSlip(
        club_game.player(table).pk,
        club_game.turn.pk,
        uuid4(),
        SlipSource.PHONE,
        SlipContent("TRISCEA", "8H", 77),
        received_at=sent,
        sent_at=sent,
        in_time=True,
    )
    [receipt] = slips.submit_batch([slip], now=sent)
    return receipt.refused


def test_who_does_not_play_along_has_nothing_hidden(club_game: ClubGame) -> None:
    club_game.begin_turn("ACEIRST")
    place = Membership.objects.get(event=club_game.event, user=club_game.judge)
    assert get_spoiler_guard(place, club_game.refresh(), club_game.later()) is None


def test_a_turn_is_hidden_from_the_draw_until_the_clock_has_closed(club_game: ClubGame, place: Membership) -> None:
    assert not veil(club_game, place).is_down
    club_game.draw()
    assert veil(club_game, place).is_down
    assert veil(club_game, place).hides_rack
    club_game.announce()
    assert veil(club_game, place).is_down
    assert not veil(club_game, place).hides_rack
    clocks.pause_clock(turn=club_game.turn, room=club_game.room, now=club_game.later(), by=club_game.judge)
    assert veil(club_game, place).is_down
    club_game.close()
    assert not veil(club_game, place).is_down
    club_game.place()
    assert not veil(club_game, place).is_down


def test_it_opens_when_his_slip_is_in_and_he_says_that_it_is_final(club_game: ClubGame, place: Membership) -> None:
    club_game.begin_turn("ACEIRST")
    with pytest.raises(Refused, match="not in yet"):
        playing_judge.mark_slip_final(place=place, by=club_game.judge, now=club_game.later())
    club_game.phone(17, "CARTE", "8H", 18)
    assert veil(club_game, place).is_down
    playing_judge.mark_slip_final(place=place, by=club_game.judge, now=club_game.later())
    assert not veil(club_game, place).is_down
    with pytest.raises(AlreadyDone):
        playing_judge.mark_slip_final(place=place, by=club_game.judge, now=club_game.later())


def test_after_that_no_slip_takes_the_place_of_his(club_game: ClubGame, place: Membership) -> None:
    club_game.begin_turn("ACEIRST")
    club_game.phone(17, "CARTE", "8H", 18)
    playing_judge.mark_slip_final(place=place, by=club_game.judge, now=club_game.later())
    assert late_phone(club_game) == REFUSED_FINAL
    assert late_phone(club_game, table=2) == ""
    colleague = User.objects.create(username="ada")
    for by in (club_game.judge, colleague):
        with pytest.raises(Refused, match="plays along"):
            slips.submit_paper_line(game=club_game.refresh(), line="17 8H TRISCEA 77", now=club_game.later(), by=by)
    club_game.close()
    slip = club_game.verdict(17).slip
    assert slip is not None
    assert (slip.word, Slip.objects.filter(player__table=17).count()) == ("CARTE", 1)


def test_a_slip_that_was_read_before_he_said_so_is_taken(club_game: ClubGame, place: Membership) -> None:
    club_game.begin_turn("ACEIRST")
    club_game.phone(17, "CARTE", "8H", 18)
    sent = club_game.later()
    playing_judge.mark_slip_final(place=place, by=club_game.judge, now=club_game.later())
    under_way = IncomingSlip(
        club_game.player(17).pk,
        club_game.turn.pk,
        uuid4(),
        SlipSource.PHONE,
        SlipContent("CERTA", "8H", 18),
        received_at=sent,
        sent_at=sent,
        in_time=True,
    )
    [receipt] = slips.submit_batch([under_way], now=club_game.later())
    assert (receipt.refused, receipt.version) == ("", 2)


def test_once_the_time_is_up_and_he_looked_only_a_colleague_may_type_his_paper(
    club_game: ClubGame, place: Membership
) -> None:
    club_game.begin_turn("ACEIRST")
    club_game.close()
    look(club_game, place)
    assert late_phone(club_game) == REFUSED_FINAL
    with pytest.raises(Refused, match="plays along"):
        club_game.paper("17 8H TRISCEA 77")
    colleague = User.objects.create(username="ada")
    slips.submit_paper_line(game=club_game.refresh(), line="17 8H CARTE 18", now=club_game.later(), by=colleague)
    assert Slip.objects.get(player__table=17).word == "CARTE"


def test_a_look_is_written_down_once(club_game: ClubGame, place: Membership) -> None:
    club_game.begin_turn("ACEIRST")
    club_game.close()
    for _time in range(3):
        look(club_game, place)
    assert FinalSlip.objects.count() == 1
    [entry] = LedgerEntry.objects.filter(game=club_game.game, kind="final_slip")
    assert entry.data == {"turn": 1, "table": 17, "acknowledged": False}


def test_who_stops_in_mid_turn_hands_in_nothing_more_in_it(club_game: ClubGame, place: Membership) -> None:
    club_game.begin_turn("ACEIRST")
    playing_judge.stop_playing(place=place, by=club_game.judge, now=club_game.later())
    assert get_spoiler_guard(place, club_game.refresh(), club_game.later()) is None
    assert late_phone(club_game) == REFUSED_FINAL
    playing_judge.start_playing(place=place, table=17, by=club_game.judge, now=club_game.later())
    assert not veil(club_game, place).is_down
    assert late_phone(club_game) == REFUSED_FINAL
    club_game.close()
    club_game.place()
    club_game.begin_turn()
    assert late_phone(club_game) == ""


def test_time_that_was_given_back_does_not_open_his_slip_again_once_he_has_looked(
    club_game: ClubGame, place: Membership
) -> None:
    club_game.begin_turn("ACEIRST")
    club_game.close()
    look(club_game, place)
    clocks.give_time_back(
        turn=club_game.turn, room=club_game.room, seconds=60, now=club_game.later(), by=club_game.judge
    )
    assert not veil(club_game, place).is_down
    assert late_phone(club_game) == REFUSED_FINAL


def test_a_turn_that_ran_out_in_a_power_cut_stays_hidden_until_the_judge_has_answered(
    club_game: ClubGame, place: Membership
) -> None:
    club_game.begin_turn("ACEIRST")
    heartbeats.record_heartbeat(now=club_game.now)
    heartbeats.record_start(now=club_game.later(600))
    close_due(club_game.later())
    assert veil(club_game, place).is_down
    assert not veil(club_game, place).must_record_opening
    heartbeats.settle_lost_time(give_back=True, now=club_game.later(), by=club_game.judge)
    assert late_phone(club_game) == ""
    assert veil(club_game, place).is_down


def test_a_table_is_that_of_one_judge(club_game: ClubGame, place: Membership) -> None:
    other = User.objects.create(username="ugo", first_name="Ugo")
    second = Membership.objects.create(event=club_game.event, user=other, role=Role.JUDGE)
    with pytest.raises(Refused, match="table 17; choose your own"):
        playing_judge.start_playing(place=second, table=17, by=other, now=club_game.later())
    with pytest.raises(Refused, match="Nobody sits"):
        playing_judge.start_playing(place=second, table=99, by=other, now=club_game.later())
    with pytest.raises(AlreadyDone):
        playing_judge.start_playing(place=place, table=17, by=club_game.judge, now=club_game.later())


def decided(club_game: ClubGame, table: int, by: User, reason: str = "twice") -> None:
    turn = Turn.objects.select_related("game__event").get(pk=club_game.turn.pk)
    rulings.decide_groups(
        turn=turn,
        groups=[club_game.verdict(table).group],
        points=5,
        request=RulingRequest(reason=reason, by=by, now=club_game.later()),
    )


def marks(club_game: ClubGame) -> list[bool]:
    return [line.own_slip for line in list_rulings(entries_of(club_game.game))]


def test_what_he_decides_on_his_own_slip_is_marked_and_what_others_decide_is_not(
    club_game: ClubGame, place: Membership
) -> None:
    club_game.begin_turn("ACEIRST")
    club_game.phone(17, "CARTE", "8H", 18)
    club_game.phone(2, "CARTE", "8H", 18)
    club_game.phone(3, "CERTA", "8H", 18)
    club_game.close()
    colleague = User.objects.create(username="ugo")
    decided(club_game, 3, club_game.judge)
    decided(club_game, 2, club_game.judge)
    decided(club_game, 17, colleague, "another reason")
    assert marks(club_game) == [False, True, False]


def test_he_takes_nothing_back_that_another_judge_has_decided_on_his_slip(
    club_game: ClubGame, place: Membership
) -> None:
    club_game.begin_turn("ACEIRST")
    club_game.phone(17, "CARTE", "8H", 18)
    club_game.close()
    decided(club_game, 17, User.objects.create(username="ugo"))
    group = club_game.verdict(17).group
    with pytest.raises(Refused, match="Another judge has decided"):
        rulings.revoke_group(
            turn=club_game.turn, group=group, request=RulingRequest(by=club_game.judge, now=club_game.later())
        )
    decided(club_game, 17, club_game.judge, "I looked it up")
    rulings.revoke_group(
        turn=club_game.turn, group=group, request=RulingRequest(by=club_game.judge, now=club_game.later())
    )
    assert marks(club_game) == [False, True, True]


def test_a_word_of_his_own_slip_is_ruled_on_with_a_reason_and_a_mark(club_game: ClubGame, place: Membership) -> None:
    club_game.begin_turn("ACEIRST")
    club_game.phone(17, "CARTE", "8H", 18)
    club_game.close()
    with pytest.raises(Refused, match="give a reason"):
        club_game.rule("CARTE", Ruling.STRUCK, reason="")
    club_game.rule("CASA", Ruling.STRUCK, reason="")
    club_game.rule("CARTE", Ruling.STRUCK, reason="not in the club's list")
    assert marks(club_game) == [False, True]


def test_who_judges_no_more_has_nothing_hidden(club_game: ClubGame, place: Membership) -> None:
    club_game.begin_turn("ACEIRST")
    place.role = Role.TYPIST
    assert get_spoiler_guard(place, club_game.refresh(), club_game.later()) is None


def test_once_the_names_are_forgotten_nobody_knows_who_of_the_judges_was_a_player(
    club_game: ClubGame, place: Membership
) -> None:
    club_game.begin_turn("ACEIRST")
    club_game.close()
    look(club_game, place)
    club_game.place()
    game_end.end_game(game=club_game.refresh(), by=club_game.judge, now=club_game.later())
    anonymise.anonymise_event(event=club_game.event, by=club_game.judge, now=club_game.later())
    place.refresh_from_db()
    assert place.plays_as is None
    assert FinalSlip.objects.get().by is None
