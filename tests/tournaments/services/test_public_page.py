"""The switch of the public page: kept, told in the ledger, and refused where racks are not ours to show."""

from __future__ import annotations

import pytest

from tests.tournaments.night import Night
from tournaments.errors import Refused
from tournaments.models import Event, LedgerEntry, PublicPage
from tournaments.services import public_page


def switch(night: Night, event: Event | None = None, **given: object) -> PublicPage:
    wanted = {"is_on": True, "delay": 2, "own_sheets": False, "may_be_found": False, **given}
    return public_page.set_page(event=event or night.event, **wanted, by=night.judge, now=night.later())  # type: ignore[arg-type]


def test_what_is_set_is_kept_and_told_in_the_ledger(night: Night) -> None:
    page = switch(night, own_sheets=True)
    stored = PublicPage.objects.get(event=night.event)
    assert (stored.is_on, stored.delay, stored.own_sheets, stored.may_be_found) == (True, 2, True, False)
    facts = {"on": True, "delay": 2, "own_sheets": True, "may_be_found": False}
    assert LedgerEntry.objects.get(kind="public_page").data == facts
    again = switch(night, is_on=False)
    assert again.token == page.token
    assert PublicPage.objects.get(event=night.event).is_on is False


def test_the_address_cannot_be_guessed_and_is_not_in_the_ledger(night: Night) -> None:
    token = switch(night).token
    assert len(token) == 22
    assert night.event.code not in token
    other = public_page.change_address(event=night.event, by=night.judge, now=night.later()).token
    assert other != token
    told = "".join(str(entry.data) for entry in LedgerEntry.objects.filter(game=night.game))
    assert token not in told
    assert other not in told


@pytest.mark.parametrize("delay", [-1, 51])
def test_a_delay_that_makes_no_sense_is_refused(night: Night, delay: int) -> None:
    with pytest.raises(Refused, match="0 to 50 turns"):
        switch(night, delay=delay)
    assert not PublicPage.objects.exists()


def test_an_address_is_not_changed_before_there_is_one(night: Night) -> None:
    with pytest.raises(Refused, match="switch it on first"):
        public_page.change_address(event=night.event, by=night.judge, now=night.later())
