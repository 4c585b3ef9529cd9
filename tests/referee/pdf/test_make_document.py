"""Production of a document reports its progress and uses the chosen language throughout."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import override

from referee.pdf import make_document
from referee.pdf.catalogue import DOCUMENTS
from referee.pdf.pictures import count_pages
from tests.referee.live.live_game import LiveGame, make_live_game
from tests.referee.pdf.pages import pages_of
from tournaments.documents.services import documents
from tournaments.enums import DocumentState
from tournaments.models import Document
from tournaments.now import utc_now
from tournaments.play.services import slips


@pytest.mark.endurance
@pytest.mark.django_db
def test_the_sheets_of_forty_players_tell_how_far_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    live_game = make_live_game(names=[f"Player {number}" for number in range(1, 41)], joined=False)
    live_game.draw("CORNOAT")
    live_game.announce()
    for table in range(1, 41):
        slips.submit_paper_line(game=live_game.game, line=f"{table} 8H CORNO 18", now=utc_now(), by=live_game.judge)
    live_game.close()
    live_game.place()
    document = documents.request_document(game=live_game.game, kind="player-sheets", language="en", now=utc_now())
    seen: list[int] = []
    write = documents.record_progress

    def listen(*, document: Document, percent: int) -> None:
        write(document=document, percent=percent)
        document.refresh_from_db()
        seen.append(document.progress)

    monkeypatch.setattr(documents, "record_progress", listen)
    make_document.make_stored_document(document.pk)
    document.refresh_from_db()
    assert (document.state, document.progress) == (DocumentState.DONE, 100)
    assert count_pages(Path(settings.DATA_DIR) / document.path) == 40
    assert seen == sorted(seen)
    assert len(seen) > 5
    assert len(seen) <= 100 / make_document.PROGRESS_STEP
    assert seen[-1] == 90


@pytest.fixture
def refused(db: None) -> LiveGame:
    """A game in English in which table 2 has a warning and no points."""
    live_game = make_live_game(joined=False)
    live_game.draw("CORNOAT")
    live_game.announce()
    for line in ("1 8H CORNO 18", "2 8H ZZZ 18"):
        slips.submit_paper_line(game=live_game.game, line=line, now=utc_now(), by=live_game.judge)
    live_game.close()
    live_game.place()
    return live_game


@pytest.mark.parametrize("language", ["en", "fr", "de"])
def test_verdicts_on_a_sheet_are_in_the_language_of_the_sheet(refused: LiveGame, language: str) -> None:
    wanted = DOCUMENTS["player-sheets"]
    pdf = make_document.draw_document(wanted, refused.game, refused.room, choice="", language=language, paper="a4")
    first, second = (page.text for page in pages_of(pdf)[:2])
    with override(language):
        valid = _("The move is valid and worth %(move_score)d.") % {"move_score": 20}
    assert valid in first
    assert ("The move is valid" in first) == (language == "en")
    assert ("The rack has no tiles" in second) == (language == "en")
