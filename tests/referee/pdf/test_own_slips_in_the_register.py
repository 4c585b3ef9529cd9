"""Rulings of playing judges on their own slips are marked in the printed register."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import cast

import pytest

from engine.archive.schema import Archive
from referee.pdf.sheets.rulings import rulings_pdf
from tests.tournaments.club_game import create_club_game
from tournaments.judging.services import rulings
from tournaments.judging.services.ruling_request import RulingRequest
from tournaments.models import Membership
from tournaments.play.services import playing_judge
from tournaments.results.queries.archive import export_game
from tournaments.staff.services.login_links import first_judge

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("poppler")]


def test_a_decision_on_the_own_slip_says_so_and_another_one_does_not(tmp_path: Path) -> None:
    judge = first_judge()
    club_game = create_club_game(judge)
    place = Membership.objects.select_related("event", "user").get(event=club_game.event, user=judge)
    playing_judge.start_playing(place=place, table=1, by=judge, now=club_game.later())
    club_game.begin_turn("ACEIRST")
    club_game.phone(1, "CESTAI", "8C", 20)
    club_game.phone(3, "CARTE", "8D", 16)
    club_game.close()
    for table, points in ((1, 11), (3, 13)):
        group = club_game.verdict(table).group
        rulings.decide_groups(
            turn=club_game.turn,
            groups=[group],
            points=points,
            request=RulingRequest(reason="why", by=judge, now=club_game.later()),
        )
    sheet = tmp_path / "register.pdf"
    sheet.write_bytes(rulings_pdf(cast(Archive, export_game(club_game.refresh())), language="en"))
    text = subprocess.run(["pdftotext", "-raw", sheet, "-"], capture_output=True, text=True, check=True).stdout
    said = " ".join(text.split())
    assert "CESTAI 8C: 11 points; on the judge’s own slip" in said
    assert said.count("on the judge’s own slip") == 1
    assert "CARTE 8D: 13 points" in said
