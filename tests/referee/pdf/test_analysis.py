"""The analysis on paper: charts and figures of the game, or of one turn; the same bytes each time."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from referee.pdf.analysis import analysis_pdf, choices, is_choice
from tests.tournaments.conftest import _small_word_list, small_data_folder
from tests.tournaments.night import Night, begin
from tournaments.services.access import first_judge

__all__ = ["_small_word_list", "small_data_folder"]
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("poppler")]


@pytest.fixture
def night() -> Night:
    night = begin(first_judge())
    night.begin_turn("CORNOAT")
    night.phone(1, "CORNO", "8D", 22)
    night.close()
    night.place()
    night.begin_turn("AEIRSTE")
    night.close()
    night.refresh()
    return night


def text_of(content: bytes, folder: Path) -> str:
    path = folder / "sheet.pdf"
    path.write_bytes(content)
    return subprocess.run(["pdftotext", "-layout", path, "-"], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_sheet_has_charts_and_turns_as_far_as_the_room_knows(night: Night, paper: str, tmp_path: Path) -> None:
    content = analysis_pdf(night.game, night.room, language="en", paper=paper)
    assert content == analysis_pdf(night.game, night.room, language="en", paper=paper)
    text = text_of(content, tmp_path)
    titles = ("Analysis", "Hardest turns", "Most played words", "Without points", "Club night")
    for told in (*titles, "Anna Rossi beside the top"):
        assert told in text, told
    assert "CORNO 8D (22)" in text
    assert night.turn.rack not in text
    assert "Fingerprint of the draw" in text


def test_one_turn_is_printed_alone_and_only_once_it_was_shown(night: Night, tmp_path: Path) -> None:
    text = text_of(analysis_pdf(night.game, night.room, "1-1", language="en"), tmp_path)
    assert "Points in turn 1" in text
    assert "Hardest turns" not in text
    for missing in ("1-2", "2", "1-9"):
        with pytest.raises(LookupError):
            analysis_pdf(night.game, night.room, missing, language="en")


def test_before_the_first_turn_the_sheet_says_so(tmp_path: Path) -> None:
    night = begin(first_judge())
    text = text_of(analysis_pdf(night.game, night.room, language="en"), tmp_path)
    assert "nothing to look at" in text


def test_only_games_and_shown_turns_can_be_chosen(night: Night) -> None:
    assert [choice for choice, _label in choices(night.game, night.room)] == ["1", "1-1"]
    assert [text for text in ("1", "12-3", "", "x", "1-", "1-2-3", "²") if is_choice(text)] == ["1", "12-3"]


def test_the_sheet_speaks_the_language_that_is_asked_for(night: Night, tmp_path: Path) -> None:
    text = text_of(analysis_pdf(night.game, night.room, language="it"), tmp_path)
    assert "Partita 1" in text
