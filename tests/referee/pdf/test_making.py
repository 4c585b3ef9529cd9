"""Making a document: how far it is can be seen while it is made, and all of it is in the language that was chosen."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import override

from referee.pdf import making
from referee.pdf.catalogue import DOCUMENTS
from referee.pdf.pictures import number_of_pages
from tests.referee.live.evening import Evening, make_evening
from tests.referee.pdf.pages import pages_of
from tournaments.enums import DocumentState
from tournaments.models import Document
from tournaments.now import utc_now
from tournaments.services import documents, slips


@pytest.mark.django_db
def test_the_sheets_of_forty_players_tell_how_far_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    evening = make_evening(names=[f"Player {number}" for number in range(1, 41)], joined=False)
    evening.draw("CORNOAT")
    evening.announce()
    for table in range(1, 41):
        slips.enter_paper(game=evening.game, line=f"{table} 8H CORNO 18", now=utc_now(), by=evening.judge)
    evening.close()
    evening.place()
    document = documents.ask(game=evening.game, kind="player-sheets", language="en", now=utc_now())
    seen: list[int] = []
    write = documents.progress

    def listen(*, document: Document, percent: int) -> None:
        write(document=document, percent=percent)
        document.refresh_from_db()
        seen.append(document.progress)

    monkeypatch.setattr(documents, "progress", listen)
    making.make(document.pk)
    document.refresh_from_db()
    assert (document.state, document.progress) == (DocumentState.DONE, 100)
    assert number_of_pages(Path(settings.DATA_DIR) / document.path) == 40
    assert seen == sorted(seen)
    assert len(seen) > 5
    assert len(seen) <= 100 / making.STEP
    assert seen[-1] == 90


@pytest.fixture
def refused(db: None) -> Evening:
    """An evening, held in English, in which table 2 has a warning and no points."""
    evening = make_evening(joined=False)
    evening.draw("CORNOAT")
    evening.announce()
    for line in ("1 8H CORNO 18", "2 8H ZZZ 18"):
        slips.enter_paper(game=evening.game, line=line, now=utc_now(), by=evening.judge)
    evening.close()
    evening.place()
    return evening


@pytest.mark.parametrize("language", ["en", "fr", "de"])
def test_verdicts_on_a_sheet_are_in_the_language_of_the_sheet(refused: Evening, language: str) -> None:
    wanted = DOCUMENTS["player-sheets"]
    pdf = making.drawn(wanted, refused.game, refused.room, choice="", language=language, paper="a4")
    first, second = (page.text for page in pages_of(pdf)[:2])
    with override(language):
        valid = _("The move is valid and worth %(move_score)d.") % {"move_score": 20}
    assert valid in first
    assert ("The move is valid" in first) == (language == "en")
    assert ("The rack has no tiles" in second) == (language == "en")
