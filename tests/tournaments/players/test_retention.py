"""Retention of names, and the data export of one person."""

from __future__ import annotations

import json
from datetime import date, timedelta

import pytest
from django.contrib.auth.models import User
from pytest_django import Settings

from referee.views.player import get_personal_view
from tests.tournaments.club_game import ClubGame, create_club_game, play_turn, seeded_random
from tournaments.models import Event, Player
from tournaments.players.queries.retention import get_retention_period, list_due_events, person_data
from tournaments.players.services import anonymise

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
    keeping = get_retention_period(event(keep_days=of_event), DAY)
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
    keeping = get_retention_period(event(), today)
    assert keeping is not None
    assert (keeping.is_announced, keeping.is_due) == (is_announced, is_due)
    assert len(list_due_events([event()], today)) == is_due


def test_what_is_forgotten_is_kept_no_longer(judge: User, settings: Settings) -> None:
    settings.RETENTION_DAYS = 1
    club_game = create_club_game(judge)
    assert list_due_events([club_game.event], DAY + timedelta(days=9)) == [club_game.event]
    anonymise.anonymise_event(event=club_game.event, by=judge, now=club_game.later())
    assert list_due_events(Event.objects.all(), DAY + timedelta(days=9)) == []


def test_a_person_gets_all_that_is_stored_about_him_and_nothing_of_others(club_game: ClubGame) -> None:
    club_game.begin_turn("CASAERT")
    club_game.phone(1, "CASA", "8H", 14)
    club_game.phone(1, "CASE", "8H", 14)
    club_game.phone(2, "PLANTED", "8H", 9)
    data = person_data(club_game.player(1))
    assert (data["name"], data["club"], data["table"]) == ("Anna Rossi", "Torino", 1)
    [game] = data["games"]
    assert [(slip["version"], slip["word"], slip["declared"]) for slip in game["slips"]] == [
        (1, "CASA", 14),
        (2, "CASE", 14),
    ]
    text = json.dumps(data)
    assert "PLANTED" not in text
    assert "Bruno" not in text


def test_every_field_of_a_player_is_told_or_says_nothing_about_him(club_game: ClubGame) -> None:
    told = set(person_data(club_game.player(1)))
    told_otherwise = {
        "id": "table",
        "token_hash": "has_phone",
        "room": "table",
        "seat_code_number": "table",
        "salt": "name",
        "stated_surname": "surname",
    }
    for field in (field.name for field in Player._meta.concrete_fields):
        assert told_otherwise.get(field, field) in told, field


def test_a_verdict_is_told_once_its_turn_is_on_the_board(club_game: ClubGame) -> None:
    club_game.begin_turn()
    club_game.phone(1, "ZZZ", "8H", 14)
    club_game.close()
    assert club_game.verdict(1).result == "zero"
    assert person_data(club_game.player(1))["games"][0]["verdicts"] == []
    view = get_personal_view(club_game.game, club_game.player(1).pk)
    assert view is not None
    assert view.verdict is None
    club_game.place()
    assert [row["result"] for row in person_data(club_game.player(1))["games"][0]["verdicts"]] == ["zero"]
    play_turn(club_game, seeded_random(1))
