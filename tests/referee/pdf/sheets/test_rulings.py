"""The printed register of rulings and list of differences are complete, with nothing clipped."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any, cast

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command

from engine.archive.rulings_register import list_rulings
from engine.archive.schema import Archive
from referee.pdf.sheets.differences import chosen_differences_pdf, differences_pdf, offered_differences
from referee.pdf.sheets.rulings import event_rulings_pdf, offered_registers, rulings_pdf
from tests.tournaments.club_game import ClubGame, create_club_game
from tournaments.enums import Ruling
from tournaments.events.services import events
from tournaments.judging.services import appeals, rejudging, rulings
from tournaments.judging.services.ruling_request import RulingRequest
from tournaments.play.services.game_end import end_game
from tournaments.results.queries.archive import export_game
from tournaments.staff.services.login_links import first_judge

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("poppler")]
LONG = "Reasons: " + " ".join(f"word{number}" for number in range(48)) + " END"


@pytest.fixture
def club_game() -> ClubGame:
    """A game with a decision and a word before the close, an appeal upheld by a ruling and a rejected one."""
    judge: User = first_judge()
    club_game = create_club_game(judge)
    club_game.begin_turn("ACEIRST")
    club_game.phone(1, "CESTAI", "8C", 20)
    club_game.phone(2, "TRISCEA", "8H", 76)
    club_game.phone(3, "CARTE", "8D", 16)
    club_game.close()
    club_game.rule("CARTE", Ruling.STRUCK, "not tonight")
    rulings.decide_groups(
        turn=club_game.turn,
        groups=[club_game.verdict(1).group],
        points=15,
        request=RulingRequest(reason=LONG[:300], by=judge, now=club_game.later()),
    )
    club_game.place()
    made = [
        appeals.submit_paper_appeal(
            player=club_game.player(table), turn=club_game.turn, sentence="", by=judge, now=club_game.later()
        )
        for table in (2, 3)
    ]
    rejudging.rule_word(
        turn=club_game.turn,
        word="TRISCEA",
        ruling=Ruling.ACCEPTED,
        request=RulingRequest(reason="page 1204", by=judge, now=club_game.later(), appeal=made[0]),
    )
    appeals.reject_appeal(appeal=made[1], reason="struck for all", by=judge, now=club_game.later())
    return club_game


def archive(club_game: ClubGame) -> Archive:
    return cast(Archive, export_game(club_game.refresh()))


def words_of(pdf: bytes, folder: Path) -> str:
    """Return the text of a PDF as pdftotext reads it, with normalised spaces."""
    path = folder / "sheet.pdf"
    path.write_bytes(pdf)
    read = subprocess.run(["pdftotext", "-layout", str(path), "-"], capture_output=True, text=True, check=True)
    return " ".join(read.stdout.split())


def pages_of(pdf: bytes, folder: Path) -> int:
    path = folder / "sheet.pdf"
    path.write_bytes(pdf)
    told = subprocess.run(["pdfinfo", str(path)], capture_output=True, text=True, check=True).stdout
    return int(next(line for line in told.splitlines() if line.startswith("Pages:")).split()[1])


def test_the_register_has_every_ruling_with_its_effect_and_the_appeal_it_answers(club_game: ClubGame) -> None:
    lines = list_rulings(cast(Any, archive(club_game)["ledger"]["entries"]))
    assert [(line.kind, line.subject, line.ruling, line.tables, line.grown, line.appeals) for line in lines] == [
        ("word", "CARTE", "struck", [3], -20, ()),
        ("slip", "CESTAI 8C", "points", [1], -5, ()),
        ("word", "TRISCEA", "accepted", [2], 76, [2]),
        ("appeal", "", "rejected", None, None, [3]),
    ]
    assert [line.again for line in lines] == [False, False, True, False]
    assert {line.by for line in lines} == {"judge"}


def test_the_sheet_shows_them_all_and_a_long_reason_whole(club_game: ClubGame, tmp_path: Path) -> None:
    found = words_of(rulings_pdf(archive(club_game), language="en"), tmp_path)
    for text in ("Register of rulings", "CARTE struck", "CESTAI 8C: 15 points", "TRISCEA accepted", "page 1204"):
        assert text in found
    for word in LONG[:300].split():
        assert word in found


def test_the_same_archive_gives_the_same_bytes(club_game: ClubGame) -> None:
    same = archive(club_game)
    assert rulings_pdf(same, language="it") == rulings_pdf(same, language="it")
    assert differences_pdf(same, language="it") == differences_pdf(same, language="it")


@pytest.mark.endurance
def test_two_thousand_rulings_take_many_pages(club_game: ClubGame, tmp_path: Path) -> None:
    many = archive(club_game)
    entry = next(row for row in many["ledger"]["entries"] if row["kind"] == "slip_ruling")
    many["ledger"]["entries"] = [{**entry, "n": number} for number in range(1, 2001)]
    pdf = rulings_pdf(many, language="en")
    assert pages_of(pdf, tmp_path) > 100
    found = words_of(pdf, tmp_path)
    assert found.count("CESTAI 8C: 15 points") == 2000


def test_the_register_comes_from_the_command_line_too(club_game: ClubGame, tmp_path: Path) -> None:
    path, out = tmp_path / "game.json", tmp_path / "rulings.pdf"
    path.write_text(json.dumps(archive(club_game)), encoding="utf-8")
    call_command("print", str(path), document="rulings", out=out, lang="en")
    assert "TRISCEA accepted" in words_of(out.read_bytes(), tmp_path)


def test_all_games_of_an_event_are_one_register(club_game: ClubGame, tmp_path: Path) -> None:
    assert offered_registers(club_game.game, club_game.room) == []
    end_game(game=club_game.refresh(), why="judge", by=club_game.judge, now=club_game.later())
    second = events.add_game(event=club_game.event, by=club_game.judge, now=club_game.later(), seed=bytes(32))
    assert [choice for choice, _label in offered_registers(second, club_game.room)] == ["event"]
    found = words_of(event_rulings_pdf(second, club_game.room, "event", language="en"), tmp_path)
    assert "Game 1" in found
    assert "CARTE struck" in found
    assert "There are no rulings in this game." in found


def test_the_differences_name_everybody_before_and_after(club_game: ClubGame, tmp_path: Path) -> None:
    [(choice, label)] = offered_differences(club_game.game, club_game.room)
    assert label == "Turn 1: TRISCEA accepted"
    found = words_of(chosen_differences_pdf(club_game.game, club_game.room, choice, language="en"), tmp_path)
    assert "Bruno Verdi 0 76 The slip counts now." in found
    assert "answers the appeal of table 2" in found
    assert found in words_of(differences_pdf(archive(club_game), language="en"), tmp_path) or "Bruno Verdi" in found


def test_entries_of_older_versions_are_listed_with_what_they_tell() -> None:
    old = [
        {
            "n": 4,
            "at": "2026-03-06T20:30:00+00:00",
            "kind": "word_ruling",
            "by": "judge",
            "data": {"word": "X", "turn": 2},
        },
        {"n": 5, "at": "2026-03-06T20:30:00+00:00", "kind": "slips", "by": "", "data": {}},
        {"n": 6, "at": "2026-03-06T20:30:00+00:00", "kind": "rules", "by": "judge", "data": {"switches": {}}},
    ]
    [line] = list_rulings(old)
    assert (line.entry, line.tables, line.grown, line.reason) == (4, None, None, "")
