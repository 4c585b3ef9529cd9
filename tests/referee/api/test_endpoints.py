"""Answers of the API: what they say, that they fit the published schema, and that reading costs little."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from referee.api import answers
from referee.public.page_cache import AnswerCache
from tests.referee.api.conftest import Reader
from tests.referee.api.schema_check import find_faults, references, resolve, schema_of
from tests.tournaments.club_game import ClubGame, create_club_game
from tournaments.events.services import events
from tournaments.models import Event, Member, PlayerMember, PublicPage, Ranking, Season
from tournaments.players.services import anonymise
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.django_db
SOLO = (1, "CORNO", "8D", 22)


def two_games(club_game: ClubGame) -> None:
    club_game.play("CORNOAT", SOLO, (2, "CORNI", "H8", 1))
    club_game.end()
    club_game.game = events.add_game(event=club_game.event, by=club_game.judge, now=club_game.later(), seed=bytes(32))
    club_game.play("CORNOAT", SOLO)


def season_of(club_game: ClubGame, *published: bool) -> Ranking:
    """A season whose members are the players of the evening; these agreed to be published, or did not."""
    for table, agreed in enumerate(published, start=1):
        player = club_game.player(table)
        member = Member.objects.create(surname=f"Surname{table}", first_name="Private", may_be_published=agreed)
        PlayerMember.objects.create(player=player, member=member)
    season = Season.objects.create(name="2026", starts=date(2026, 1, 1), ends=date(2026, 12, 31))
    return Ranking.objects.create(season=season, name="Points", rule={"measure": "points"})


def test_a_program_follows_the_numbers_from_the_list_to_each_turn(reader: Reader, club_game: ClubGame) -> None:
    two_games(club_game)
    [line] = reader.json("events")["events"]
    assert (line["name"], line["date"], line["games"], line["page"]) == ("Club night", "2026-03-06", 2, None)
    event = reader.json(f"events/{line['id']}")
    assert [(game["number"], game["turn_count"], game["over"]) for game in event["games"]] == [
        (1, 1, True),
        (2, 1, False),
    ]
    game = reader.json(f"events/{line['id']}/games/1")
    [turn] = game["turns"]
    assert (turn["rack"], turn["word"], turn["ref"], turn["score"]) == ("ACNOORT", *turn_on_board(club_game))
    stored = club_game.event.games.get(number=1).turns.get()
    assert len(turn["tops"]) + turn["more_tops"] == len(stored.tops or ())
    assert sum(square != "." for row in game["board"] for square in row) == len(turn["word"])
    standings = reader.json(f"events/{line['id']}/games/1/standings")
    assert [(each["rank"], each["name"], each["club"]) for each in standings["lines"]] == [
        (1, "Anna Rossi", "Torino"),
        (2, "Bru", ""),
    ]
    assert (standings["state"], standings["after_turn"]) == ("final", 1)
    assert reader.json(f"events/{line['id']}/standings")["lines"][0]["points"] == 44


def turn_on_board(club_game: ClubGame) -> tuple[str, str, int | None]:
    turn = club_game.event.games.get(number=1).turns.get()
    return turn.master_word, turn.master_ref, turn.master_score


def test_an_event_of_one_game_has_the_standings_of_the_game(reader: Reader, club_game: ClubGame) -> None:
    club_game.play("CORNOAT", SOLO)
    event = club_game.event.pk
    assert reader.json(f"events/{event}/standings") == reader.json(f"events/{event}/games/1/standings")


def test_a_ranking_names_only_members_who_agreed(reader: Reader, club_game: ClubGame) -> None:
    ranking = season_of(club_game, False, True)
    club_game.play("CORNOAT", SOLO, (2, "CORNI", "H8", 1))
    club_game.end()
    [season] = reader.json("seasons")["seasons"]
    assert season["rankings"] == [{"id": ranking.pk, "name": "Points"}]
    found = reader.json(f"seasons/{season['id']}/rankings/{ranking.pk}")
    assert [(line["rank"], line["name"], line["value"]) for line in found["lines"]] == [
        (1, None, 22.0),
        (2, "Private Surname2", 0.0),
    ]
    assert "Surname1" not in reader.get(f"seasons/{season['id']}/rankings/{ranking.pk}").content.decode()
    Member.objects.filter(surname="Surname2").update(may_be_published=False)
    assert reader.json(f"seasons/{season['id']}/rankings/{ranking.pk}")["lines"][1]["name"] is None


def test_a_forgotten_event_shows_pseudonyms(reader: Reader, club_game: ClubGame) -> None:
    club_game.play("CORNOAT", SOLO)
    club_game.end()
    assert "Anna" in reader.get(f"events/{club_game.event.pk}/standings").content.decode()
    anonymise.anonymise_event(event=club_game.event, by=club_game.judge, now=club_game.later())
    text = everything(reader, club_game.event)
    assert "Player 1" in text
    assert "Anna" not in text
    assert "Bru" not in text


def paths(event: Event) -> list[str]:
    base = f"events/{event.pk}"
    seasons = [f"seasons/{each.season_id}/rankings/{each.pk}" for each in Ranking.objects.all()]
    games = [f"{base}/games/{number}{rest}" for number in (1, 2, 3) for rest in ("", "/standings")]
    return ["events", base, f"{base}/standings", *games, "seasons", *seasons, "events?part=7", "events/999"]


def everything(reader: Reader, event: Event) -> str:
    """All that a program with a token can read of an event."""
    return "\n".join(reader.get(path).content.decode() for path in paths(event))


def test_the_document_is_complete_and_every_answer_fits_it(reader: Reader, club_game: ClubGame) -> None:
    document: dict[str, Any] = reader.json("openapi.json")
    assert document["openapi"].startswith("3.")
    assert document["info"]["version"] == "1"
    assert all(resolve(document, each) for each in references(document))
    operations = [each["get"] for each in document["paths"].values()]
    assert len({each["operationId"] for each in operations}) == len(operations) == 7
    assert all(set(each["responses"]) == {"200", "401", "404", "422", "429"} for each in operations)
    assert all(each["security"] and each["summary"] and each["description"] for each in operations)
    season_of(club_game, True, False)
    two_games(club_game)
    PublicPage.objects.create(event=club_game.event, token="t" * 22, is_on=True, delay=0)
    checked = {200: 0, 404: 0, 422: 0, 401: 0}
    for path in (*paths(club_game.event), "events/x", "events?part=0", "events/99999999999999999999"):
        for asked in (reader, Reader("wrong")):
            answer = asked.get(path)
            schema = schema_of(document, f"/api/v1/{path.partition('?')[0]}", answer.status_code)
            assert find_faults(document, schema, answer.json()) == [], path
            checked[answer.status_code] += 1
    assert min(checked.values()) > 1, checked


def test_the_check_of_answers_finds_faults(reader: Reader, club_game: ClubGame) -> None:
    document, answer = reader.json("openapi.json"), reader.json("events")
    schema = schema_of(document, "/api/v1/events", 200)
    line = answer["events"][0]
    for wrong in ({**line, "secret": 1}, {**line, "id": "1"}, {**line, "page": 1}, {"id": 1}):
        assert find_faults(document, schema, {**answer, "events": [wrong]})


def test_rehearsals_are_not_listed(reader: Reader, club_game: ClubGame) -> None:
    create_club_game(first_judge())
    Event.objects.filter(pk=club_game.event.pk).update(is_rehearsal=True)
    assert [each["id"] for each in reader.json("events")["events"]] == [Event.objects.latest("pk").pk]


def test_many_readers_cost_few_queries_and_an_unchanged_answer_is_not_sent_again(
    reader: Reader, club_game: ClubGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = [100.0]
    monkeypatch.setattr(answers, "events", AnswerCache(answers._find_event, lambda: seconds[0]))
    monkeypatch.setattr("referee.api.access.valid_tokens._clock", lambda: seconds[0])
    club_game.play("CORNOAT", SOLO)
    path = f"events/{club_game.event.pk}/games/1"
    first = reader.get(path)
    reader.get(path)  # the day of the first use is stored, and the tokens are read once more
    with CaptureQueriesContext(connection) as queries:
        for _number in range(20):
            again = reader.get(path, **{"If-None-Match": first["ETag"]})
            assert (again.status_code, again.content) == (304, b"")
    assert len(queries) == 0
    assert first["Cache-Control"] == "private, max-age=1"
    assert {"Authorization", "Accept-Encoding"} <= set(first["Vary"].split(", "))
    assert not first.cookies
    club_game.play("AEIRSTE")
    seconds[0] += 1
    assert len(reader.get(path, **{"If-None-Match": first["ETag"]}).json()["turns"]) == 2
