"""Until when names are kept, and what a person is told about himself."""

from __future__ import annotations

import json
from datetime import date, timedelta

import pytest
from django.contrib.auth.models import User
from pytest_django import Settings

from tests.tournaments.night import Night, begin, chance, play_turn
from tournaments.models import Event, Player
from tournaments.selectors.keeping import due, keeping_of, person_data
from tournaments.selectors.personal import personal_view
from tournaments.services import forgetting

DAY = date(2026, 3, 6)


def event(**fields: object) -> Event:
    return Event(code="KTMQX", name="Club night", date=DAY, **fields)


@pytest.mark.parametrize(
    ("of_server", "of_event", "until"),
    [
        (0, None, None),
        (0, 0, None),
        (30, None, DAY + timedelta(days=30)),
        (30, 0, None),
        (30, 7, DAY + timedelta(days=7)),
        (0, 7, DAY + timedelta(days=7)),
    ],
)
def test_the_event_says_how_long_else_the_server(
    settings: Settings, of_server: int, of_event: int | None, until: date | None
) -> None:
    settings.RETENTION_DAYS = of_server
    keeping = keeping_of(event(keep_days=of_event), DAY)
    assert (None if keeping is None else keeping.until) == until


@pytest.mark.parametrize(
    ("days_later", "is_announced", "is_due"),
    [(0, False, False), (16, True, False), (30, True, False), (31, True, True)],
)
def test_the_end_is_announced_two_weeks_before_and_due_after_the_last_day(
    settings: Settings, days_later: int, is_announced: bool, is_due: bool
) -> None:
    settings.RETENTION_DAYS = 30
    today = DAY + timedelta(days=days_later)
    keeping = keeping_of(event(), today)
    assert keeping is not None
    assert (keeping.is_announced, keeping.is_due) == (is_announced, is_due)
    assert len(due([event()], today)) == is_due


def test_what_is_forgotten_is_kept_no_longer(judge: User, settings: Settings) -> None:
    settings.RETENTION_DAYS = 1
    night = begin(judge)
    assert due([night.event], DAY + timedelta(days=9)) == [night.event]
    forgetting.forget(event=night.event, by=judge, now=night.later())
    assert due(Event.objects.all(), DAY + timedelta(days=9)) == []


def test_a_person_gets_all_that_is_stored_about_him_and_nothing_of_others(night: Night) -> None:
    night.begin_turn("CASAERT")
    night.phone(1, "CASA", "8H", 14)
    night.phone(1, "CASE", "8H", 14)
    night.phone(2, "PLANTED", "8H", 9)
    data = person_data(night.player(1))
    assert (data["name"], data["club"], data["table"]) == ("Anna Rossi", "Torino", 1)
    [game] = data["games"]
    assert [(slip["version"], slip["word"], slip["declared"]) for slip in game["slips"]] == [
        (1, "CASA", 14),
        (2, "CASE", 14),
    ]
    text = json.dumps(data)
    assert "PLANTED" not in text
    assert "Bruno" not in text


def test_every_field_of_a_player_is_told_or_says_nothing_about_him(night: Night) -> None:
    told = set(person_data(night.player(1)))
    told_otherwise = {
        "id": "table",
        "token_hash": "has_phone",
        "room": "table",
        "seat_code_number": "table",
        "salt": "name",
    }
    for field in (field.name for field in Player._meta.concrete_fields):
        assert told_otherwise.get(field, field) in told, field


def test_a_verdict_is_told_once_its_turn_is_on_the_board(night: Night) -> None:
    night.begin_turn()
    night.phone(1, "ZZZ", "8H", 14)
    night.close()
    assert night.verdict(1).result == "zero"
    assert person_data(night.player(1))["games"][0]["verdicts"] == []
    view = personal_view(night.game, night.player(1).pk)
    assert view is not None
    assert view.verdict is None
    night.place()
    assert [row["result"] for row in person_data(night.player(1))["games"][0]["verdicts"]] == ["zero"]
    play_turn(night, chance(1))
