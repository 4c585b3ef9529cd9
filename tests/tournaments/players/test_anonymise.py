"""Forgetting an event leaves results that verify and nothing by which somebody could be found."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import User

from engine.archive.ledger import EMPTY_LEDGER_HASH, seal_entry
from engine.archive.replay import verify
from engine.archive.schema import read_archive
from tests.tournaments.club_game import ClubGame, create_club_game, play_turn, seeded_random, submit_random_slips
from tests.tournaments.conftest import KeptRows
from tournaments.documents.services import documents
from tournaments.enums import DocumentState
from tournaments.errors import AlreadyDone, Refused
from tournaments.judging.services import rulings, warnings
from tournaments.judging.services.ruling_request import RulingRequest
from tournaments.lexicons import word_lists
from tournaments.models import Event, GivenWarning, LedgerEntry, Player, Practice, PreparedGame
from tournaments.play.services import game_end
from tournaments.players.services import anonymise, players
from tournaments.players.services.players import NewPlayer
from tournaments.prepared.services import solo_practice
from tournaments.results.queries.archive import export_game
from tournaments.results.queries.results import standings_rows
from tournaments.staff.services.login_links import first_judge

PEOPLE = (
    NewPlayer(1, "Anna Zanzottera", "Circolo Quadrifoglio", nickname="Vespertina"),
    NewPlayer(2, "Bruno Ypsilanti", "Circolo Quadrifoglio", team="Ypsilanti-Wolkenstein"),
    NewPlayer(3, "Carla Wolkenstein", series="Elite", age_class="Junior", country="Ruritania"),
    NewPlayer(17, "Dario Xenakis"),
)
PERSONAL = (
    "Zanzottera",
    "Ypsilanti",
    "Wolkenstein",
    "Xenakis",
    "Vespertina",
    "Quadrifoglio",
    "Ruritania",
    "Junior",
)


@pytest.fixture(scope="module")
def played_once(kept_rows: KeptRows) -> Any:
    return kept_rows(play)


@pytest.fixture
def played(played_once: Any, db: None) -> Any:
    """The game of two turns; a test may change it."""
    return deepcopy(played_once)


def play() -> ClubGame:
    """A game of two turns that is over, with phones, reasons that name people, a warning and a sheet."""
    judge = first_judge()
    club_game = create_club_game(judge, players=PEOPLE)
    players.join_event(event=club_game.event, name="", table=1, now=club_game.later(), token="t" * 22)
    play_turn(club_game, seeded_random(5))
    club_game.begin_turn()
    submit_random_slips(club_game, seeded_random(6))
    warnings.set_warning(
        turn=club_game.turn,
        player=club_game.player(2),
        code="discipline",
        given=True,
        request=RulingRequest(reason="Ypsilanti spoke to Wolkenstein", by=club_game.judge, now=club_game.later()),
    )
    club_game.close()
    club_game.rule("ZZZ", "accepted", "Anna Zanzottera brought the dictionary of the Circolo Quadrifoglio")
    group = next(row.group for row in club_game.turn.verdicts.all() if row.slip is not None)
    rulings.decide_groups(
        turn=club_game.turn,
        groups=[group],
        points=7,
        request=RulingRequest(reason="Xenakis saw it", by=club_game.judge, now=club_game.later()),
    )
    club_game.place()
    game_end.end_game(game=club_game.refresh(), why="judge", by=club_game.judge, now=club_game.later())
    return club_game


def a_sheet(club_game: ClubGame) -> Path:
    """A finished sheet of the night."""
    document = documents.request_document(
        game=club_game.refresh(), kind="standings", language="en", now=club_game.later()
    )
    path = Path(settings.DATA_DIR) / "documents" / f"{club_game.event.code}.pdf"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"%PDF Anna Zanzottera")
    documents.claim_document(document=document)
    documents.finish_document(document=document, path=f"documents/{path.name}", now=club_game.later())
    return path


def everything_stored() -> Iterator[str]:
    """Every value of every row of every table of the program."""
    for model in apps.get_app_config("tournaments").get_models():
        for row in model._default_manager.values():
            yield f"{model.__name__}: {json.dumps(row, default=str, ensure_ascii=False)}"


def found(*secrets: str) -> list[str]:
    return [f"{secret} in {text}" for text in everything_stored() for secret in secrets if secret in text]


def field_of(prepared: PreparedGame) -> dict[str, Any]:
    """Those who played a game before it was practised."""
    assert prepared.script is not None
    field: dict[str, Any] = prepared.script["field"]
    return field


def forget(club_game: ClubGame) -> anonymise.AnonymisationResult:
    return anonymise.anonymise_event(event=club_game.event, by=club_game.judge, now=club_game.later())


def differences(club_game: ClubGame) -> list[object]:
    archive = read_archive(json.dumps(export_game(club_game.refresh())))
    return list(verify(archive, word_lists.graph_of(word_lists.word_list_of_game(club_game.game))))


def test_no_row_of_any_table_holds_a_name_afterwards(played: ClubGame) -> None:
    for name in PERSONAL:
        assert found(name), f"{name} was never there"
    a_sheet(played)
    solo_practice.link_for_game(game=played.refresh(), by=played.judge, now=played.later())
    forget(played)
    assert found(*PERSONAL) == []


def test_results_stay_under_pseudonyms_and_the_archive_verifies(played: ClubGame) -> None:
    before = [(row.rank, row.table, row.total) for row in standings_rows(played.refresh())]
    assert differences(played) == []
    forget(played)
    after = standings_rows(played.refresh())
    assert [(row.rank, row.table, row.total) for row in after] == before
    assert {row.name for row in after} == {"Player 1", "Player 2", "Player 3", "Player 17"}
    assert differences(played) == []
    archive = json.dumps(export_game(played.refresh()))
    assert [name for name in PERSONAL if name in archive] == []
    assert len(export_game(played.game)["ledger"]["entries"]) > 10


def test_people_of_one_club_or_team_stay_together_and_the_handicap_stays(played: ClubGame) -> None:
    forget(played)
    clubs = dict(Player.objects.filter(event=played.event).values_list("table", "club"))
    assert clubs == {1: "Club 1", 2: "Club 1", 3: "", 17: ""}
    assert played.player(2).team == "Team 1"
    assert played.player(3).series == "Elite"


def test_phones_lose_their_seat(played: ClubGame) -> None:
    assert Player.objects.exclude(token_hash="").count() == 1
    forget(played)
    assert not Player.objects.exclude(token_hash="").exists()


def test_reasons_name_tables_and_a_warning_tells_no_reason_any_more(played: ClubGame) -> None:
    forget(played)
    [ruling] = played.event.word_rulings.all()
    assert ruling.reason == "Player 1 brought the dictionary of the Club 1"
    decided = played.turn.verdicts.exclude(decision_reason="")
    assert {row.decision_reason for row in decided} == {"Player 17 saw it"}
    assert [row.reason for row in GivenWarning.objects.all()] == [""]


def test_the_ledger_holds_no_name_from_the_start_and_is_not_changed(played: ClubGame) -> None:
    entries = list(LedgerEntry.objects.filter(game=played.game).values("n", "data", "hash"))
    text = json.dumps(entries)
    assert [name for name in PERSONAL if name in text] == []
    assert "Player 1 brought the dictionary" in text
    told = forget(played)
    assert told.sealed_entries == 0
    after = list(LedgerEntry.objects.filter(game=played.game, n__lte=len(entries)).values("n", "data", "hash"))
    assert after == entries
    assert LedgerEntry.objects.filter(game=played.game).latest("n").kind == "forgotten"


def test_entries_of_an_older_version_stay_sealed_and_archives_are_made_without_the_log(played: ClubGame) -> None:
    """Before, a rename was written with both names."""
    last = LedgerEntry.objects.filter(game=played.game).latest("n")
    data = {"table": 1, "from": "Anna Zanzottera", "to": "Anna Zanzottera"}
    entry = seal_entry({"n": last.n, "hash": last.hash}, at=last.at.isoformat(), kind="rename", by="judge", data=data)
    LedgerEntry.objects.create(game=played.game, **{**entry, "at": last.at})
    assert anonymise.preview_anonymisation(played.event).sealed_entries == 1
    forget(played)
    assert Event.objects.get().ledger_has_names
    archive = export_game(played.refresh())
    assert archive["ledger"] == {"entries": [], "head": EMPTY_LEDGER_HASH, "left_out": "names"}
    assert "Zanzottera" not in json.dumps(archive)
    assert LedgerEntry.objects.filter(game=played.game, kind="rename").get().data == data


def test_a_practice_game_forgets_who_played_before_and_who_practised(played: ClubGame) -> None:
    link = solo_practice.link_for_game(game=played.refresh(), by=played.judge, now=played.later())
    solo_practice.begin_practice(link=link, name="Carla Wolkenstein", key="k", now=played.later())
    field = json.dumps(field_of(PreparedGame.objects.get()))
    assert "Vespertina" in field, "the hall knows this player by the nickname"
    assert "Zanzottera" not in field
    assert forget(played).practice_games == 1
    assert {player["name"] for player in field_of(PreparedGame.objects.get())["players"]} == {
        "Player 1",
        "Player 2",
        "Player 3",
        "Player 4",
    }
    assert Practice.objects.get().name == ""


def test_in_the_middle_of_a_game_nothing_is_forgotten(club_game: ClubGame) -> None:
    play_turn(club_game, seeded_random(1))
    with pytest.raises(Refused, match="end it first"):
        forget(club_game)
    assert club_game.player(1).name == "Anna Rossi"


def test_while_a_sheet_is_being_made_nothing_is_forgotten(played: ClubGame) -> None:
    document = documents.request_document(game=played.refresh(), kind="standings", language="en", now=played.later())
    assert document.state == DocumentState.QUEUED
    with pytest.raises(Refused, match="sheet"):
        forget(played)


def test_a_second_click_changes_nothing(played: ClubGame) -> None:
    forget(played)
    with pytest.raises(AlreadyDone):
        forget(played)


def test_nobody_writes_a_name_into_it_again(played: ClubGame) -> None:
    forget(played)
    with pytest.raises(Refused, match="forgotten"):
        players.join_event(event=played.event, name="Anna Zanzottera", table=1, now=played.later(), token="x" * 22)
    with pytest.raises(Refused, match="forgotten"):
        players.rename_player(
            played.player(1), players.PlayerDetails(name="Anna Zanzottera"), now=played.later(), by=played.judge
        )
    with pytest.raises(Refused, match="forgotten"):
        players.add_players(event=played.event, players=[NewPlayer(None, "Anna")], now=played.later())
    assert found(*PERSONAL) == []


def test_another_event_is_left_alone(played: ClubGame, judge: User) -> None:
    other = create_club_game(judge, players=PEOPLE)
    forget(played)
    assert other.player(1).name == "Anna Zanzottera"


@pytest.mark.parametrize("days", [0, 1, 365, None])
def test_the_time_for_which_names_are_kept_is_set(played: ClubGame, days: int | None) -> None:
    anonymise.set_retention_days(event=played.event, days=days, by=played.judge, now=played.later())
    assert Event.objects.get().keep_days == days


@pytest.mark.parametrize("days", [-1, 10**6])
def test_a_time_that_cannot_be_is_refused(played: ClubGame, days: int) -> None:
    with pytest.raises(Refused, match="days"):
        anonymise.set_retention_days(event=played.event, days=days, by=played.judge, now=played.later() + timedelta(0))
