"""Anonymising a member leaves results and no trace of the name, in any table."""

from __future__ import annotations

import json
import re
from datetime import UTC, date, datetime

import pytest
from django.contrib.auth.models import User
from django.db import connection

from engine.archive.replay import verify
from engine.archive.schema import read_archive
from tests.tournaments.club_game import ClubGame, create_club_game, play_turn, seeded_random
from tournaments.errors import AlreadyDone, Refused
from tournaments.judging.services import warnings
from tournaments.judging.services.ruling_request import RulingRequest
from tournaments.lexicons import word_lists
from tournaments.members.queries.member_data import (
    COVERED,
    RELATIONS,
    SECRET_FIELDS,
    member_data,
    summarise_member_data,
)
from tournaments.members.services.anonymise_member import anonymise_member, preview_member_anonymisation
from tournaments.members.services.members import MemberDetails, change_member, create_member, details_of
from tournaments.members.services.merging import merge_members
from tournaments.models import (
    Event,
    EventSummary,
    Exercise,
    Member,
    OpenRating,
    PlayerMember,
    PlayerResult,
    ResultMail,
    Webhook,
    WebhookDelivery,
)
from tournaments.play.services import game_end
from tournaments.players.services.players import NewPlayer
from tournaments.results.queries.archive import export_game
from tournaments.results.queries.results import standings_rows
from tournaments.seasons.services.summaries import refresh_summaries

pytestmark = pytest.mark.django_db
PEOPLE = (
    NewPlayer(1, "Anna Zanzottera", "Quadrifoglio", nickname="Vespertina", team="Zanzottera-Neri", licence="IT-ZZ-12"),
    NewPlayer(2, "Bruno Neri", "Torino", team="Zanzottera-Neri"),
    NewPlayer(17, "Dario Bianchi"),
)
PERSONAL = ("Zanzottera", "Zanzotera", "Vespertina", "IT-ZZ-12", "zz@example.org", "secretary", "Quadrifoglio")


def finished_game(judge: User, third: str = "Carla Verdi / Dora Gallo") -> ClubGame:
    """A game that is over, with a warning that names Anna; a pair sits at table 3."""
    club_game = create_club_game(judge, players=(*PEOPLE, NewPlayer(3, third, "Torino")))
    play_turn(club_game, seeded_random(5))
    club_game.begin_turn()
    warnings.set_warning(
        turn=club_game.turn,
        player=club_game.player(2),
        code="discipline",
        given=True,
        request=RulingRequest(reason="spoke to Zanzottera", by=club_game.judge, now=club_game.later()),
    )
    club_game.close()
    club_game.place()
    game_end.end_game(game=club_game.refresh(), why="judge", by=club_game.judge, now=club_game.later())
    return club_game


def known_member(club_game: ClubGame) -> Member:
    """Anna, with a merged record, a link to her player, and rows in every table that refers to members."""
    now = club_game.later()
    details = MemberDetails(
        surname="Zanzottera",
        first_name="Anna",
        club="Quadrifoglio",
        licence="IT-ZZ-12",
        category="A",
        birth_year=1958,
        note="secretary",
        email="zz@example.org",
        joined_on=date(2020, 9, 1),
        wants_mail=True,
        may_be_published=True,
    )
    anna = create_member(details=details, by=club_game.judge, now=now)
    record = create_member(details=MemberDetails(surname="Zanzotera", first_name="Anna"), by=None, now=now)
    merge_members(kept=anna, duplicate=record, by=club_game.judge, now=now)
    PlayerMember.objects.create(player=club_game.player(1), member=record)
    refresh_summaries()
    summary = EventSummary.objects.get()
    past = EventSummary.objects.create(name="2019", date=date(2019, 9, 1), source="past.xlsx")
    PlayerResult.objects.create(summary=past, member=record, name="ZANZOTTERA Anna", licence="IT-ZZ-12", points=500)
    ResultMail.objects.create(summary=summary, member=anna, requested_at=now, error="zz@example.org is unknown")
    OpenRating.objects.create(summary=summary, member=anna, version=1, mean=25, deviation=8)
    turn = club_game.game.turns.order_by("number")[0]
    Exercise.objects.create(member=anna, turn=turn, due_on=date(2026, 4, 1))
    webhook = Webhook.objects.create(url="https://example.org", secret="s", created_at=now, on_since=now)
    for key, body in (("a", {"first": "Anna Zanzottera"}), ("b", {"turn": 1})):
        WebhookDelivery.objects.create(
            webhook=webhook, event=club_game.event, kind="game", key=key, body=body, created_at=now
        )
    return anna


def dump() -> str:
    """Every row of every table of the database, with those that Django keeps itself."""
    lines = []
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")  # noqa: S608  names of our tables
            lines += [f"{table}: {row}" for row in cursor.fetchall()]
    return "\n".join(lines)


def test_no_row_of_any_table_holds_the_name_and_results_stay(judge: User) -> None:
    club_game = finished_game(judge)
    anna = known_member(club_game)
    before = [(row.table, row.total) for row in standings_rows(club_game.game)]
    for name in PERSONAL:
        assert name in dump(), f"{name} was never there"
    effects = preview_member_anonymisation(anna)
    assert ([event.pk for event in effects.events], effects.imported, effects.records) == ([club_game.event.pk], 1, 2)
    anonymise_member(member=anna, by=judge, now=club_game.later())
    left = dump()
    assert [name for name in PERSONAL if name.lower() in left.lower()] == []
    assert set(Member.objects.values_list("birth_year", flat=True)) == {None}
    assert not re.search(r"birth_year\W+1958", left)
    assert [(row.table, row.total) for row in standings_rows(club_game.game)] == before
    assert club_game.player(1).name == "Player 1"
    assert {club_game.player(table).team for table in (1, 2)} == {"Player 1-Neri"}
    assert club_game.player(2).name == "Bruno Neri"
    anna.refresh_from_db()
    assert (anna.name, anna.category, anna.may_be_published) == (f"Member {anna.pk}", "A", False)
    assert PlayerResult.objects.get(summary__name="2019").points == 500
    assert WebhookDelivery.objects.get().key == "b"
    archive = read_archive(json.dumps(export_game(club_game.refresh())))
    assert list(verify(archive, word_lists.graph_of(word_lists.word_list_of_game(club_game.game)))) == []
    with pytest.raises(AlreadyDone):
        anonymise_member(member=anna, by=judge, now=club_game.later())
    with pytest.raises(Refused, match="was anonymised and cannot be changed"):
        change_member(member=anna, details=details_of(anna), by=judge, now=club_game.later())


def test_one_of_a_pair_is_anonymised_and_the_other_keeps_the_name(judge: User) -> None:
    club_game = finished_game(judge, "Carla Verdi / Anna Zanzottera")
    details = MemberDetails(surname="Zanzottera", first_name="Anna")
    anna = create_member(details=details, by=None, now=club_game.later())
    PlayerMember.objects.create(player=club_game.player(3), member=anna)
    assert preview_member_anonymisation(anna).unlinked == [club_game.event.name], "table 1 is of the same name"
    anonymise_member(member=anna, by=judge, now=club_game.later())
    assert club_game.player(3).name == "Carla Verdi / Player 3"
    assert club_game.player(1).name == "Anna Zanzottera", "a namesake who is not linked"


def test_a_member_is_not_anonymised_while_a_game_of_theirs_is_going_on(club_game: ClubGame) -> None:
    anna = create_member(details=MemberDetails(surname="Rossi", first_name="Anna"), by=None, now=club_game.later())
    PlayerMember.objects.create(player=club_game.player(1), member=anna)
    club_game.begin_turn()
    before = dump()
    assert [event.pk for event in preview_member_anonymisation(anna).running] == [club_game.event.pk]
    with pytest.raises(Refused, match="is going on: end it first"):
        anonymise_member(member=anna, by=None, now=club_game.later())
    assert dump() == before


def test_the_names_of_an_event_that_were_removed_before_are_no_obstacle(judge: User) -> None:
    club_game = finished_game(judge)
    anna = known_member(club_game)
    Event.objects.update(forgotten_at=datetime(2026, 3, 7, tzinfo=UTC))
    assert preview_member_anonymisation(anna).events == []
    anonymise_member(member=anna, by=judge, now=club_game.later())
    assert Member.objects.exclude(anonymised_at=None).count() == 2


def test_everything_that_refers_to_a_member_is_in_the_file(judge: User) -> None:
    """Fails when a relation to members, or a field of a member, is added without a place in the file."""
    relations = {relation.get_accessor_name() for relation in Member._meta.related_objects}
    assert relations == COVERED.keys(), "add the relation to tournaments.members.queries.member_data"
    assert {*COVERED.values()} - {"records"} == RELATIONS.keys()
    club_game = finished_game(judge)
    anna = known_member(club_game)
    data = json.loads(json.dumps(member_data(anna), ensure_ascii=False))
    fields = {field.name for field in Member._meta.concrete_fields} - {"id"} - SECRET_FIELDS
    assert fields <= data["records"][0].keys()
    assert {key for key, rows in data.items() if not rows} == {"told_apart_from"}
    assert [player["name"] for player in data["players"]] == ["Anna Zanzottera"]
    assert [result["name"] for result in data["results"]] == ["ZANZOTTERA Anna", ""]
    assert data["players"][0]["games"], "with slips and verdicts"
    assert anna.page_token not in json.dumps(data)
    summary = summarise_member_data(anna)
    assert [(place.name, place.source) for place in summary.places] == [
        ("ZANZOTTERA Anna", "past.xlsx"),
        ("Anna Zanzottera", ""),
    ]
    assert (len(summary.records), summary.mails, summary.exercises, summary.ratings) == (2, 1, 1, 1)
