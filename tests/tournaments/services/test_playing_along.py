"""A judge who plays along: when his turn is hidden, when it opens, and that he changes nothing once he has seen it."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.contrib.auth.models import User

from engine.rulings_register import rulings_in
from tests.tournaments.night import Night
from tournaments.enums import Role, Ruling, SlipSource
from tournaments.errors import AlreadyDone, Refused
from tournaments.models import FinalSlip, LedgerEntry, Membership, Slip, Turn
from tournaments.selectors.ledger import entries_of
from tournaments.selectors.playing_along import Veil, veil_of
from tournaments.services import clocks, ending, forgetting, heartbeats, playing_along, rulings, slips
from tournaments.services.slips import FINAL, Incoming

pytestmark = pytest.mark.django_db


@pytest.fixture
def place(night: Night) -> Membership:
    """The judge of the night plays at table 17."""
    place = Membership.objects.select_related("event", "user").get(event=night.event, user=night.judge)
    playing_along.play_at(place=place, table=17, by=night.judge, now=night.later())
    return place


def veil(night: Night, place: Membership) -> Veil:
    found = veil_of(place, night.refresh(), night.later())
    assert found is not None
    return found


def look(night: Night, place: Membership) -> None:
    """Open the desk when the time is up."""
    playing_along.desk_opened(place=place, by=night.judge, now=night.later())


def late_phone(night: Night, table: int = 17) -> str:
    """What becomes of a slip that a phone sends now."""
    sent = night.later()
    slip = Incoming(
        night.player(table).pk,
        night.turn.pk,
        uuid4(),
        SlipSource.PHONE,
        "TRISCEA",
        "8H",
        "",
        77,
        "",
        received_at=sent,
        sent_at=sent,
        in_time=True,
    )
    [receipt] = slips.hand_in_batch([slip], now=sent)
    return receipt.refused


def test_who_does_not_play_along_has_nothing_hidden(night: Night) -> None:
    night.begin_turn("ACEIRST")
    place = Membership.objects.get(event=night.event, user=night.judge)
    assert veil_of(place, night.refresh(), night.later()) is None


def test_a_turn_is_hidden_from_the_draw_until_the_clock_has_closed(night: Night, place: Membership) -> None:
    assert not veil(night, place).is_down
    night.draw()
    assert veil(night, place).is_down
    assert veil(night, place).hides_rack
    night.announce()
    assert veil(night, place).is_down
    assert not veil(night, place).hides_rack
    clocks.pause(turn=night.turn, room=night.room, now=night.later(), by=night.judge)
    assert veil(night, place).is_down
    night.close()
    assert not veil(night, place).is_down
    night.place()
    assert not veil(night, place).is_down


def test_it_opens_when_his_slip_is_in_and_he_says_that_it_is_final(night: Night, place: Membership) -> None:
    night.begin_turn("ACEIRST")
    with pytest.raises(Refused, match="not in yet"):
        playing_along.slip_is_final(place=place, by=night.judge, now=night.later())
    night.phone(17, "CARTE", "8H", 18)
    assert veil(night, place).is_down
    playing_along.slip_is_final(place=place, by=night.judge, now=night.later())
    assert not veil(night, place).is_down
    with pytest.raises(AlreadyDone):
        playing_along.slip_is_final(place=place, by=night.judge, now=night.later())


def test_after_that_no_slip_takes_the_place_of_his(night: Night, place: Membership) -> None:
    night.begin_turn("ACEIRST")
    night.phone(17, "CARTE", "8H", 18)
    playing_along.slip_is_final(place=place, by=night.judge, now=night.later())
    assert late_phone(night) == FINAL
    assert late_phone(night, table=2) == ""
    colleague = User.objects.create(username="ada")
    for by in (night.judge, colleague):
        with pytest.raises(Refused, match="plays along"):
            slips.enter_paper(game=night.refresh(), line="17 8H TRISCEA 77", now=night.later(), by=by)
    night.close()
    slip = night.verdict(17).slip
    assert slip is not None
    assert (slip.word, Slip.objects.filter(player__table=17).count()) == ("CARTE", 1)


def test_a_slip_that_was_read_before_he_said_so_is_taken(night: Night, place: Membership) -> None:
    night.begin_turn("ACEIRST")
    night.phone(17, "CARTE", "8H", 18)
    sent = night.later()
    playing_along.slip_is_final(place=place, by=night.judge, now=night.later())
    under_way = Incoming(
        night.player(17).pk,
        night.turn.pk,
        uuid4(),
        SlipSource.PHONE,
        "CERTA",
        "8H",
        "",
        18,
        "",
        received_at=sent,
        sent_at=sent,
        in_time=True,
    )
    [receipt] = slips.hand_in_batch([under_way], now=night.later())
    assert (receipt.refused, receipt.version) == ("", 2)


def test_once_the_time_is_up_and_he_looked_only_a_colleague_may_type_his_paper(night: Night, place: Membership) -> None:
    night.begin_turn("ACEIRST")
    night.close()
    look(night, place)
    assert late_phone(night) == FINAL
    with pytest.raises(Refused, match="plays along"):
        night.paper("17 8H TRISCEA 77")
    colleague = User.objects.create(username="ada")
    slips.enter_paper(game=night.refresh(), line="17 8H CARTE 18", now=night.later(), by=colleague)
    assert Slip.objects.get(player__table=17).word == "CARTE"


def test_a_look_is_written_down_once(night: Night, place: Membership) -> None:
    night.begin_turn("ACEIRST")
    night.close()
    for _time in range(3):
        look(night, place)
    assert FinalSlip.objects.count() == 1
    [entry] = LedgerEntry.objects.filter(game=night.game, kind="final_slip")
    assert entry.data == {"turn": 1, "table": 17, "acknowledged": False}


def test_who_stops_in_mid_turn_hands_in_nothing_more_in_it(night: Night, place: Membership) -> None:
    night.begin_turn("ACEIRST")
    playing_along.play_no_more(place=place, by=night.judge, now=night.later())
    assert veil_of(place, night.refresh(), night.later()) is None
    assert late_phone(night) == FINAL
    playing_along.play_at(place=place, table=17, by=night.judge, now=night.later())
    assert not veil(night, place).is_down
    assert late_phone(night) == FINAL
    night.close()
    night.place()
    night.begin_turn()
    assert late_phone(night) == ""


def test_time_that_was_given_back_does_not_open_his_slip_again_once_he_has_looked(
    night: Night, place: Membership
) -> None:
    night.begin_turn("ACEIRST")
    night.close()
    look(night, place)
    clocks.give_back(turn=night.turn, room=night.room, seconds=60, now=night.later(), by=night.judge)
    assert not veil(night, place).is_down
    assert late_phone(night) == FINAL


def test_a_turn_that_ran_out_in_a_power_cut_stays_hidden_until_the_judge_has_answered(
    night: Night, place: Membership
) -> None:
    night.begin_turn("ACEIRST")
    heartbeats.beat(now=night.now)
    heartbeats.wake(now=night.later(600))
    clocks.close_due(now=night.later())
    assert veil(night, place).is_down
    assert not veil(night, place).to_note
    heartbeats.answer(give_back=True, now=night.later(), by=night.judge)
    assert late_phone(night) == ""
    assert veil(night, place).is_down


def test_a_table_is_that_of_one_judge(night: Night, place: Membership) -> None:
    other = User.objects.create(username="ugo", first_name="Ugo")
    second = Membership.objects.create(event=night.event, user=other, role=Role.JUDGE)
    with pytest.raises(Refused, match="table 17; choose your own"):
        playing_along.play_at(place=second, table=17, by=other, now=night.later())
    with pytest.raises(Refused, match="Nobody sits"):
        playing_along.play_at(place=second, table=99, by=other, now=night.later())
    with pytest.raises(AlreadyDone):
        playing_along.play_at(place=place, table=17, by=night.judge, now=night.later())


def decided(night: Night, table: int, by: User, reason: str = "twice") -> None:
    turn = Turn.objects.select_related("game__event").get(pk=night.turn.pk)
    rulings.decide_group(turn=turn, group=night.verdict(table).group, points=5, reason=reason, by=by, now=night.later())


def marks(night: Night) -> list[bool]:
    return [line.own_slip for line in rulings_in(entries_of(night.game))]


def test_what_he_decides_on_his_own_slip_is_marked_and_what_others_decide_is_not(
    night: Night, place: Membership
) -> None:
    night.begin_turn("ACEIRST")
    night.phone(17, "CARTE", "8H", 18)
    night.phone(2, "CARTE", "8H", 18)
    night.phone(3, "CERTA", "8H", 18)
    night.close()
    colleague = User.objects.create(username="ugo")
    decided(night, 3, night.judge)
    decided(night, 2, night.judge)
    decided(night, 17, colleague, "another reason")
    assert marks(night) == [False, True, False]


def test_he_takes_nothing_back_that_another_judge_has_decided_on_his_slip(night: Night, place: Membership) -> None:
    night.begin_turn("ACEIRST")
    night.phone(17, "CARTE", "8H", 18)
    night.close()
    decided(night, 17, User.objects.create(username="ugo"))
    group = night.verdict(17).group
    with pytest.raises(Refused, match="Another judge has decided"):
        rulings.revoke_group(turn=night.turn, group=group, by=night.judge, now=night.later())
    decided(night, 17, night.judge, "I looked it up")
    rulings.revoke_group(turn=night.turn, group=group, by=night.judge, now=night.later())
    assert marks(night) == [False, True, True]


def test_a_word_of_his_own_slip_is_ruled_on_with_a_reason_and_a_mark(night: Night, place: Membership) -> None:
    night.begin_turn("ACEIRST")
    night.phone(17, "CARTE", "8H", 18)
    night.close()
    with pytest.raises(Refused, match="say why"):
        night.rule("CARTE", Ruling.STRUCK, reason="")
    night.rule("CASA", Ruling.STRUCK, reason="")
    night.rule("CARTE", Ruling.STRUCK, reason="not in the club's list")
    assert marks(night) == [False, True]


def test_who_judges_no_more_has_nothing_hidden(night: Night, place: Membership) -> None:
    night.begin_turn("ACEIRST")
    place.role = Role.TYPIST
    assert veil_of(place, night.refresh(), night.later()) is None


def test_once_the_names_are_forgotten_nobody_knows_who_of_the_judges_was_a_player(
    night: Night, place: Membership
) -> None:
    night.begin_turn("ACEIRST")
    night.close()
    look(night, place)
    night.place()
    ending.end_game(game=night.refresh(), by=night.judge, now=night.later())
    forgetting.forget(event=night.event, by=night.judge, now=night.later())
    place.refresh_from_db()
    assert place.plays_as is None
    assert FinalSlip.objects.get().by is None
