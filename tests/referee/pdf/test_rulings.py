"""The register of rulings and the list of differences on paper: everything is there, nothing is clipped."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any, cast

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command

from engine.archive import Archive
from engine.rulings_register import rulings_in
from referee.pdf.differences import chosen_differences_pdf, differences_pdf, offered_differences
from referee.pdf.rulings import event_rulings_pdf, offered_registers, rulings_pdf
from tests.tournaments.night import Night, begin
from tournaments.enums import Ruling
from tournaments.selectors.archive import export_game
from tournaments.services import appeals, events, reopening, rulings
from tournaments.services.access import first_judge
from tournaments.services.ending import end_game

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("poppler")]
LONG = "Reasons: " + " ".join(f"word{number}" for number in range(48)) + " END"


@pytest.fixture
def night() -> Night:
    """A decision and a word in time, an appeal upheld by a ruling, another one rejected."""
    judge: User = first_judge()
    night = begin(judge)
    night.begin_turn("ACEIRST")
    night.phone(1, "CESTAI", "8C", 20)
    night.phone(2, "TRISCEA", "8H", 76)
    night.phone(3, "CARTE", "8D", 16)
    night.close()
    night.rule("CARTE", Ruling.STRUCK, "not tonight")
    rulings.decide_group(
        turn=night.turn, group=night.verdict(1).group, points=15, reason=LONG[:300], by=judge, now=night.later()
    )
    night.place()
    made = [
        appeals.appeal_on_paper(player=night.player(table), turn=night.turn, sentence="", by=judge, now=night.later())
        for table in (2, 3)
    ]
    reopening.rule_word(
        turn=night.turn,
        word="TRISCEA",
        ruling=Ruling.ACCEPTED,
        reason="page 1204",
        by=judge,
        now=night.later(),
        appeal=made[0],
    )
    appeals.reject(appeal=made[1], reason="struck for all", by=judge, now=night.later())
    return night


def archive(night: Night) -> Archive:
    return cast(Archive, export_game(night.refresh()))


def words_of(pdf: bytes, folder: Path) -> str:
    """The text of a PDF as another program reads it, blanks made equal."""
    path = folder / "sheet.pdf"
    path.write_bytes(pdf)
    read = subprocess.run(["pdftotext", "-layout", str(path), "-"], capture_output=True, text=True, check=True)
    return " ".join(read.stdout.split())


def pages_of(pdf: bytes, folder: Path) -> int:
    path = folder / "sheet.pdf"
    path.write_bytes(pdf)
    told = subprocess.run(["pdfinfo", str(path)], capture_output=True, text=True, check=True).stdout
    return int(next(line for line in told.splitlines() if line.startswith("Pages:")).split()[1])


def test_the_register_has_every_ruling_with_its_effect_and_the_appeal_it_answers(night: Night) -> None:
    lines = rulings_in(cast(Any, archive(night)["ledger"]["entries"]))
    assert [(line.kind, line.subject, line.ruling, line.tables, line.grown, line.appeals) for line in lines] == [
        ("word", "CARTE", "struck", [3], -20, ()),
        ("slip", "CESTAI 8C", "points", [1], -5, ()),
        ("word", "TRISCEA", "accepted", [2], 76, [2]),
        ("appeal", "", "rejected", None, None, [3]),
    ]
    assert [line.again for line in lines] == [False, False, True, False]
    assert {line.by for line in lines} == {"judge"}


def test_the_sheet_shows_them_all_and_a_long_reason_whole(night: Night, tmp_path: Path) -> None:
    found = words_of(rulings_pdf(archive(night), language="en"), tmp_path)
    for text in ("Register of rulings", "CARTE struck", "CESTAI 8C: 15 points", "TRISCEA accepted", "page 1204"):
        assert text in found
    for word in LONG[:300].split():
        assert word in found


def test_the_same_archive_gives_the_same_bytes(night: Night) -> None:
    same = archive(night)
    assert rulings_pdf(same, language="it") == rulings_pdf(same, language="it")
    assert differences_pdf(same, language="it") == differences_pdf(same, language="it")


def test_two_thousand_rulings_take_many_pages(night: Night, tmp_path: Path) -> None:
    many = archive(night)
    entry = next(row for row in many["ledger"]["entries"] if row["kind"] == "slip_ruling")
    many["ledger"]["entries"] = [{**entry, "n": number} for number in range(1, 2001)]
    pdf = rulings_pdf(many, language="en")
    assert pages_of(pdf, tmp_path) > 100
    found = words_of(pdf, tmp_path)
    assert found.count("CESTAI 8C: 15 points") == 2000


def test_the_register_comes_from_the_command_line_too(night: Night, tmp_path: Path) -> None:
    path, out = tmp_path / "game.json", tmp_path / "rulings.pdf"
    path.write_text(json.dumps(archive(night)), encoding="utf-8")
    call_command("print", str(path), document="rulings", out=out, lang="en")
    assert "TRISCEA accepted" in words_of(out.read_bytes(), tmp_path)


def test_all_games_of_an_event_are_one_register(night: Night, tmp_path: Path) -> None:
    assert offered_registers(night.game, night.room) == []
    end_game(game=night.refresh(), why="judge", by=night.judge, now=night.later())
    second = events.add_game(event=night.event, by=night.judge, now=night.later(), seed=bytes(32))
    assert [choice for choice, _label in offered_registers(second, night.room)] == ["event"]
    found = words_of(event_rulings_pdf(second, night.room, "event", language="en"), tmp_path)
    assert "Game 1" in found
    assert "CARTE struck" in found
    assert "Nothing was ruled on in this game." in found


def test_the_differences_name_everybody_before_and_after(night: Night, tmp_path: Path) -> None:
    [(choice, label)] = offered_differences(night.game, night.room)
    assert label == "Turn 1: TRISCEA accepted"
    found = words_of(chosen_differences_pdf(night.game, night.room, choice, language="en"), tmp_path)
    assert "Bruno Verdi 0 76 The slip counts now." in found
    assert "answers the appeal of table 2" in found
    assert found in words_of(differences_pdf(archive(night), language="en"), tmp_path) or "Bruno Verdi" in found


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
    [line] = rulings_in(old)
    assert (line.entry, line.tables, line.grown, line.reason) == (4, None, None, "")
