"""Proposals change nothing until they are applied; what is applied is in the ledger."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from tests.tournaments.club_game import ClubGame
from tournaments.models import Event, LedgerEntry, Player
from tournaments.players.services import players

pytestmark = pytest.mark.django_db


def series(club_game: ClubGame) -> dict[int, str]:
    return dict(Player.objects.filter(event=club_game.event).values_list("table", "series"))


def shown(page: Any) -> dict[int, tuple[str, bool]]:
    """The field and the tick of each table in the preview."""
    return {line.rated.player.table: (line.series, line.take) for line in page.context["lines"]}


def form_of(page: Any) -> dict[str, Any]:
    """The preview as a browser sends it."""
    lines = page.context["lines"]
    fields: dict[str, Any] = {"take": [str(line.rated.player.table) for line in lines if line.take]}
    for line in lines:
        fields[f"was-{line.rated.player.table}"] = line.rated.player.series
        fields[f"series-{line.rated.player.table}"] = line.series
    return fields


def test_series_are_proposed_by_percent_and_only_the_ticked_ones_are_applied(
    director: Client, evening: ClubGame
) -> None:
    address, before = f"/desk/{evening.event.code}/series/", series(evening)
    entries = LedgerEntry.objects.count()
    page = director.get(address, {"way": "limits", "limits": "A 75\nB 50\nC 0"})
    assert shown(page) == {1: ("A", False), 2: ("B", False), 3: ("C", True), 17: ("", False)}
    assert (series(evening), LedgerEntry.objects.count()) == (before, entries), "a proposal changes nothing"
    fields = form_of(page) | {"series-3": "D", "series-2": "C"}
    assert director.post(address, fields)["Location"] == f"/desk/{evening.event.code}/players/"
    assert series(evening) == before | {3: "D"}, "table 2 was edited but not ticked"
    [entry] = LedgerEntry.objects.order_by("pk")[entries:]
    assert (entry.kind, entry.data["table"], entry.data["changed"]) == ("rename", 3, ["series"])


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"way": "groups", "groups": "3"}, "ABC"),
        ({"way": "groups", "groups": "2", "measure": "rating"}, "AAB"),
        ({"measure": "rating", "limits": "X 1000\nY 0"}, "XXY"),
        ({"measure": "rating", "limits": "A 80\r\nB 65\r\nC 0"}, "BBC"),
    ],
)
def test_series_can_be_equal_groups_or_follow_the_open_rating(
    director: Client, evening: ClubGame, query: dict[str, str], expected: str
) -> None:
    page = director.get(f"/desk/{evening.event.code}/series/", query)
    assert "".join(text for text, _take in shown(page).values()) == expected


@pytest.mark.parametrize("limits", ["", "A", "A x", "A 50\nB 60", "80"])
def test_limits_that_cannot_be_read_are_refused_and_stay_in_the_form(
    director: Client, evening: ClubGame, limits: str
) -> None:
    page = director.get(f"/desk/{evening.event.code}/series/", {"limits": limits})
    assert page.status_code == 422
    assert page.context["limits"] == limits
    assert not any(take for _series, take in shown(page).values())


def test_a_proposal_that_is_no_longer_true_is_not_applied_and_keeps_its_fields(
    director: Client, evening: ClubGame
) -> None:
    address = f"/desk/{evening.event.code}/series/"
    fields = form_of(director.get(address)) | {"take": ["2", "3"], "series-2": "C", "series-3": "C"}
    players.rename_player(evening.player(3), players.PlayerDetails(series="Z"), now=evening.later(), by=evening.judge)
    answer = director.post(address, fields)
    assert answer.status_code == 422
    assert "The players have changed since the proposal" in answer.content.decode()
    assert shown(answer)[2] == ("C", True)
    assert series(evening)[2] == "B", "all or none"


def test_a_handicap_is_proposed_by_series_and_applied_to_the_ticked_ones(director: Client, evening: ClubGame) -> None:
    address = f"/desk/{evening.event.code}/handicap/"
    page = director.get(address, {"share": "80"})
    assert "The event has a handicap in points." in page.content.decode()
    lines = {line.proposal.series: line for line in page.context["lines"]}
    assert {name: (line.proposal.present, line.amount) for name, line in lines.items()} == {
        "A": (0, "0"),
        "B": (500, "20"),
    }, "80 percent of the difference between 80 and the mean of 70 and 40"
    assert Event.objects.get(pk=evening.event.pk).handicap["unit"] == "points"
    sent = {"series": ["A", "B"], "was": ["0", "500"], "amount": ["0", "18"], "take": ["1"]}
    assert director.post(address, sent)["Location"] == f"/desk/{evening.event.code}/standings/"
    assert Event.objects.get(pk=evening.event.pk).handicap == {"unit": "percent", "series": {"B": 18}}
    entry = LedgerEntry.objects.latest("pk")
    assert (entry.kind, entry.data["handicap"]["series"]) == ("options", {"B": 18})
    again = director.post(address, sent)
    assert again.status_code == 422
    assert "The handicap has changed since the proposal" in again.content.decode()


def test_a_handicap_that_is_no_number_is_refused_and_stays_in_the_form(director: Client, evening: ClubGame) -> None:
    sent = {"series": ["A", "B"], "was": ["0", "500"], "amount": ["0", "many"], "take": ["1"]}
    answer = director.post(f"/desk/{evening.event.code}/handicap/", sent)
    assert answer.status_code == 422
    assert [line.amount for line in answer.context["lines"]] == ["0", "many"]
