"""The public page and rooms that play on their own servers: it waits for what they have handed in."""

from __future__ import annotations

import pytest
from django.test import Client

from referee.public import views
from referee.public.kept import Kept
from tests.tournaments.elsewhere import in_another_hall, outpost, play_outpost, two_halls
from tournaments.errors import Refused
from tournaments.models import Turn
from tournaments.services import public_page
from tournaments.services.access import first_judge

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = iter(range(0, 10_000, 2))
    monkeypatch.setattr(views, "kept", Kept(lambda: float(next(seconds))))


def test_the_page_waits_until_a_room_on_its_own_server_has_handed_a_turn_in(client: Client) -> None:
    halls = two_halls(first_judge())
    page = public_page.set_page(
        event=halls.night.event,
        is_on=True,
        delay=0,
        own_sheets=False,
        may_be_found=False,
        by=halls.night.judge,
        now=halls.night.later(),
    )
    halls.play(3)
    racks = list(Turn.objects.filter(game=halls.night.game).order_by("number").values_list("rack", flat=True))
    feed = halls.feed()
    parts = in_another_hall(lambda: play_outpost(outpost(halls, feed), turns=2))

    def shown() -> list[bool]:
        text = client.get(f"/p/{page.token}/game/1/").content.decode()
        return [rack in text for rack in racks[:2]]

    assert shown() == [False, False]
    halls.merge(parts[0])
    assert shown() == [True, False]
    halls.merge(parts[1])
    assert shown() == [True, True]


def test_a_hall_that_follows_another_one_switches_no_page_on() -> None:
    halls = two_halls(first_judge())
    there = outpost(halls)
    with pytest.raises(Refused, match="switched on there"):
        public_page.set_page(
            event=there.event,
            is_on=True,
            delay=5,
            own_sheets=False,
            may_be_found=False,
            by=there.judge,
            now=there.later(),
        )
