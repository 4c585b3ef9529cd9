"""The switch of the public page: stored, recorded in the ledger, and validated."""

from __future__ import annotations

import pytest

from tests.tournaments.club_game import ClubGame
from tournaments.errors import Refused
from tournaments.models import Event, LedgerEntry, PublicPage
from tournaments.results.services import public_page


def switch(club_game: ClubGame, event: Event | None = None, **given: object) -> PublicPage:
    wanted = {"is_on": True, "delay": 2, "own_sheets": False, "may_be_found": False, **given}
    return public_page.set_page(event=event or club_game.event, **wanted, by=club_game.judge, now=club_game.later())  # type: ignore[arg-type]


def test_settings_are_stored_and_in_the_ledger(club_game: ClubGame) -> None:
    page = switch(club_game, own_sheets=True)
    stored = PublicPage.objects.get(event=club_game.event)
    assert (stored.is_on, stored.delay, stored.own_sheets, stored.may_be_found) == (True, 2, True, False)
    facts = {"on": True, "delay": 2, "own_sheets": True, "may_be_found": False}
    assert LedgerEntry.objects.get(kind="public_page").data == facts
    again = switch(club_game, is_on=False)
    assert again.token == page.token
    assert PublicPage.objects.get(event=club_game.event).is_on is False


def test_the_address_cannot_be_guessed_and_is_not_in_the_ledger(club_game: ClubGame) -> None:
    token = switch(club_game).token
    assert len(token) == 22
    assert club_game.event.code not in token
    other = public_page.change_address(event=club_game.event, by=club_game.judge, now=club_game.later()).token
    assert other != token
    told = "".join(str(entry.data) for entry in LedgerEntry.objects.filter(game=club_game.game))
    assert token not in told
    assert other not in told


@pytest.mark.parametrize("delay", [-1, 51])
def test_a_delay_that_makes_no_sense_is_refused(club_game: ClubGame, delay: int) -> None:
    with pytest.raises(Refused, match="0 to 50 turns"):
        switch(club_game, delay=delay)
    assert not PublicPage.objects.exists()


def test_an_address_is_not_changed_before_there_is_one(club_game: ClubGame) -> None:
    with pytest.raises(Refused, match="switch it on first"):
        public_page.change_address(event=club_game.event, by=club_game.judge, now=club_game.later())
