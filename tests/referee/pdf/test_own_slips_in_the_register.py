"""What a judge who plays along decides on his own slip is marked in the register of rulings, on paper, too."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import cast

import pytest

from engine.archive import Archive
from referee.pdf.rulings import rulings_pdf
from tests.tournaments.night import begin
from tournaments.models import Membership
from tournaments.selectors.archive import export_game
from tournaments.services import playing_along, rulings
from tournaments.services.access import first_judge

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("poppler")]


def test_a_decision_on_the_own_slip_says_so_and_another_one_does_not(tmp_path: Path) -> None:
    judge = first_judge()
    night = begin(judge)
    place = Membership.objects.select_related("event", "user").get(event=night.event, user=judge)
    playing_along.play_at(place=place, table=1, by=judge, now=night.later())
    night.begin_turn("ACEIRST")
    night.phone(1, "CESTAI", "8C", 20)
    night.phone(3, "CARTE", "8D", 16)
    night.close()
    for table, points in ((1, 11), (3, 13)):
        group = night.verdict(table).group
        rulings.decide_group(turn=night.turn, group=group, points=points, reason="why", by=judge, now=night.later())
    sheet = tmp_path / "register.pdf"
    sheet.write_bytes(rulings_pdf(cast(Archive, export_game(night.refresh())), language="en"))
    text = subprocess.run(["pdftotext", "-raw", sheet, "-"], capture_output=True, text=True, check=True).stdout
    said = " ".join(text.split())
    assert "CESTAI 8C: 11 points; on the own slip" in said
    assert said.count("on the own slip") == 1
    assert "CARTE 8D: 13 points" in said
