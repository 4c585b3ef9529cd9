"""Call sheets show every letter with its code word, the move once placed and the next rack once drawn."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from typing import Any, cast

import pytest
from django.core.management import CommandError, call_command
from pypdf import PdfReader

from engine.archive.schema import Archive
from engine.prepared.script import read_script
from referee.pdf.sheets.calls import call_pdf, calls_pdf, prepared_calls_pdf
from tests.engine.archive.played_game import play_game_archive


def text_of(pdf: bytes) -> str:
    return " ".join(" ".join(page.extract_text() for page in PdfReader(BytesIO(pdf)).pages).split())


def running() -> Archive:
    """A game whose last turn is drawn but not placed."""
    archive: dict[str, Any] = json.loads(json.dumps(play_game_archive()))
    archive["turns"][-1]["master"] = None
    return cast(Archive, archive)


def test_the_sheet_of_a_turn_has_the_rack_the_move_and_the_next_rack() -> None:
    archive = play_game_archive()
    first, second = archive["turns"][0], archive["turns"][1]
    text = text_of(call_pdf(archive, 1, language="en"))
    for face in first["rack"].replace("?", ""):
        assert f"{face} come " in text
    assert first["master"] is not None
    assert f"{' '.join(first['master']['word'].upper())} {first['master']['ref']} " in text
    assert f"{first['master']['score']} points" in text
    assert "Then: turn 2" in text
    assert " ".join(second["rack"]) in text, "drawn anew after a rejected rack"
    assert "A A D S + F N V" in text_of(call_pdf(archive, 2, language="en")), "kept and new"


def test_a_turn_that_is_not_placed_has_its_rack_and_no_move() -> None:
    archive = running()
    number = len(archive["turns"])
    text = text_of(call_pdf(archive, number, language="en"))
    assert "The letters" in text
    assert "The move" not in text
    assert archive["turns"][-1]["tops"][0]["word"] not in text


def test_the_sheets_of_a_game_have_every_turn_and_the_running_total() -> None:
    archive = play_game_archive()
    text = text_of(calls_pdf(archive, language="en", paper="letter"))
    total = sum(turn["master"]["score"] for turn in archive["turns"] if turn["master"])
    assert all(f"Turn {turn['number']} " in text for turn in archive["turns"])
    assert f"Total of all moves: {total}." in text


def test_a_prepared_game_is_called_from_its_script() -> None:
    script = read_script(json.dumps(play_game_archive()), title="Club")
    text = text_of(prepared_calls_pdf(script, language="en"))
    assert "For the caller only" in text
    assert f"Turn {len(script['turns'])} " in text


@pytest.mark.parametrize("document", ["call", "calls", "prepared-calls"])
def test_the_command_line_prints_them_on_both_papers(tmp_path: Path, document: str) -> None:
    (tmp_path / "game.json").write_text(json.dumps(play_game_archive()), encoding="utf-8")
    for paper, width in (("a4", 595), ("letter", 612)):
        out = tmp_path / f"{paper}.pdf"
        call_command("print", tmp_path / "game.json", document=document, out=out, paper=paper, lang="en")
        assert round(float(PdfReader(out).pages[0].mediabox.width)) == width


def test_a_turn_that_the_archive_has_not_is_refused(tmp_path: Path) -> None:
    (tmp_path / "game.json").write_text(json.dumps(play_game_archive()), encoding="utf-8")
    options = {"document": "call", "out": tmp_path / "x.pdf", "lang": "en"}
    call_command("print", tmp_path / "game.json", turn=2, **options)
    with pytest.raises(CommandError, match="no turn 99"):
        call_command("print", tmp_path / "game.json", turn=99, **options)
