"""The printed analysis has charts and figures of the game or of one turn, and is reproducible."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from referee.pdf.sheets.analysis import analysis_pdf, choices, is_choice
from tests.tournaments.club_game import ClubGame, create_club_game
from tests.tournaments.conftest import _small_word_list, small_data_folder
from tournaments.staff.services.login_links import first_judge

__all__ = ["_small_word_list", "small_data_folder"]
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("poppler")]


@pytest.fixture
def club_game() -> ClubGame:
    club_game = create_club_game(first_judge())
    club_game.begin_turn("CORNOAT")
    club_game.phone(1, "CORNO", "8D", 22)
    club_game.close()
    club_game.place()
    club_game.begin_turn("AEIRSTE")
    club_game.close()
    club_game.refresh()
    return club_game


def text_of(content: bytes, folder: Path) -> str:
    path = folder / "sheet.pdf"
    path.write_bytes(content)
    return subprocess.run(["pdftotext", "-layout", path, "-"], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_sheet_has_charts_and_turns_as_far_as_the_room_knows(
    club_game: ClubGame, paper: str, tmp_path: Path
) -> None:
    content = analysis_pdf(club_game.game, club_game.room, language="en", paper=paper)
    assert content == analysis_pdf(club_game.game, club_game.room, language="en", paper=paper)
    text = text_of(content, tmp_path)
    titles = ("Analysis", "Hardest turns", "Most played words", "No points", "Club night")
    for told in (*titles, "Anna Rossi and the top"):
        assert told in text, told
    assert "CORNO 8D (22)" in text
    assert club_game.turn.rack not in text


def test_one_turn_is_printed_alone_and_only_once_it_was_shown(club_game: ClubGame, tmp_path: Path) -> None:
    text = text_of(analysis_pdf(club_game.game, club_game.room, "1-1", language="en"), tmp_path)
    assert "Points in turn 1" in text
    assert "Hardest turns" not in text
    for missing in ("1-2", "2", "1-9"):
        with pytest.raises(LookupError):
            analysis_pdf(club_game.game, club_game.room, missing, language="en")


def test_before_the_first_turn_the_sheet_says_so(tmp_path: Path) -> None:
    club_game = create_club_game(first_judge())
    text = text_of(analysis_pdf(club_game.game, club_game.room, language="en"), tmp_path)
    assert "nothing to show" in text


def test_only_games_and_shown_turns_can_be_chosen(club_game: ClubGame) -> None:
    assert [choice for choice, _label in choices(club_game.game, club_game.room)] == ["1", "1-1"]
    assert [text for text in ("1", "12-3", "", "x", "1-", "1-2-3", "²") if is_choice(text)] == ["1", "12-3"]


def test_the_sheet_speaks_the_language_that_is_asked_for(club_game: ClubGame, tmp_path: Path) -> None:
    text = text_of(analysis_pdf(club_game.game, club_game.room, language="it"), tmp_path)
    assert "Partita 1" in text
