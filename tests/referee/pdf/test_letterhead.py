"""The organiser's logo and texts: which files are taken, and that every sheet shows them."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from PIL import Image
from pypdf import PdfReader

from referee.pdf.catalogue import DOCUMENTS
from referee.pdf.drawing.letterhead import use_letterhead
from referee.pdf.make_document import draw_document
from tests.engine.archive.played_game import play_game_archive
from tests.referee.live.live_game import LiveGame, make_live_game
from tests.referee.pdf.pages import MM, pages_of
from tournaments.documents.logo import BOX, read_logo
from tournaments.documents.queries import LetterheadView, letterhead_of
from tournaments.errors import Refused

SPONSOR, VENUE, TEXT = "Libreria Luxemburg", "Teatro Alfieri", "Con i complimenti del circolo."
WHOLE = "Con il sostegno della Cassa di Risparmio e della Libreria " * 3


def picture(form: str = "PNG", size: tuple[int, int] = (1800, 600)) -> bytes:
    content = BytesIO()
    Image.new("RGB", size, "#17573c").save(content, form, comment="taken by Anna")
    return content.getvalue()


@pytest.fixture
def live_game(db: None) -> LiveGame:
    return make_live_game(joined=False)


@pytest.fixture
def desk(client: Client, live_game: LiveGame) -> Client:
    client.force_login(live_game.judge)
    return client


def save(desk: Client, live_game: LiveGame, content: bytes = b"", **fields: str) -> str:
    """Post the form; return the page that follows."""
    texts = {"venue": VENUE, "sponsor": SPONSOR, "certificate_text": TEXT} | fields
    upload = {"logo": SimpleUploadedFile("logo.png", content)} if content else {}
    address = f"/desk/{live_game.event.code}/documents/letterhead/"
    answer = desk.post(address, texts | upload, follow=True, headers={"Accept-Language": "en"})
    return answer.content.decode()


@pytest.mark.parametrize("form", ["PNG", "JPEG"])
def test_a_picture_is_written_again_smaller_and_without_its_metadata(form: str) -> None:
    stored = read_logo(picture(form))
    assert b"Anna" not in stored
    with Image.open(BytesIO(stored)) as read:
        assert read.format == form
        assert read.size == (BOX[0], BOX[0] // 3)


@pytest.mark.parametrize("content", [b"%PDF-1.4", b"<svg/>", picture("GIF"), picture()[:200], b"\x89PNG\r\n\x1a\n"])
def test_other_files_are_refused_and_nothing_is_lost(desk: Client, live_game: LiveGame, content: bytes) -> None:
    save(desk, live_game, picture())
    page = save(desk, live_game, content, sponsor="Another sponsor")
    assert "The logo is no PNG or JPEG picture that can be read: save it as PNG and try again." in page
    assert 'value="Another sponsor"' in page, "the typed texts stay in the form"
    stored = letterhead_of(live_game.event)
    assert stored.sponsor == SPONSOR
    assert stored.logo


def test_a_picture_that_is_too_large_is_refused() -> None:
    with pytest.raises(Refused, match="5 MB"):
        read_logo(b"\x89PNG" + bytes(5_000_000))
    with pytest.raises(Refused, match="pixels"):
        read_logo(picture(size=(6000, 6000)))


def test_the_form_stores_logo_and_texts_and_takes_the_logo_away(desk: Client, live_game: LiveGame) -> None:
    assert "Logo and texts are saved" in save(desk, live_game, picture())
    page = save(desk, live_game)
    assert f'src="/desk/{live_game.event.code}/documents/letterhead/logo/"' in page
    logo = desk.get(f"/desk/{live_game.event.code}/documents/letterhead/logo/")
    assert logo.headers["Content-Type"] == "image/png"
    assert letterhead_of(live_game.event).logo == logo.content
    save(desk, live_game, without_logo="on")
    assert letterhead_of(live_game.event) == LetterheadView(b"", VENUE, SPONSOR, TEXT)


@pytest.mark.endurance
def test_every_sheet_of_a_desk_has_logo_and_sponsor(live_game: LiveGame) -> None:
    live_game.draw("CORNOAT")
    live_game.announce()
    live_game.close()
    live_game.place()
    view = LetterheadView(read_logo(picture()), VENUE, SPONSOR, TEXT)
    for each in DOCUMENTS.values():
        if each.has_desk and each.suffix == "pdf":
            with use_letterhead(view):
                pdf = each.make(*_arguments(each.name, live_game), language="it", paper=each.papers[0])
            assert SPONSOR in pages_of(pdf)[0].text, each.name
            assert len(PdfReader(BytesIO(pdf)).pages[0].images) >= 1, each.name


def _arguments(name: str, live_game: LiveGame) -> list[object]:
    """Return what a document is made from."""
    if DOCUMENTS[name].from_archive:
        return [play_game_archive(turns=3), *([1] if DOCUMENTS[name].needs == "turn" else [])]
    return [live_game.game, live_game.room, ""]


@pytest.mark.endurance
@pytest.mark.parametrize("name", sorted(each.name for each in DOCUMENTS.values() if each.from_archive))
def test_long_texts_of_the_organiser_fit(name: str) -> None:
    if DOCUMENTS[name].suffix != "pdf":
        return
    archive = play_game_archive(turns=3)
    turn = [1] if DOCUMENTS[name].needs == "turn" else []
    with use_letterhead(LetterheadView(read_logo(picture()), WHOLE, WHOLE, WHOLE * 2)):
        pdf = DOCUMENTS[name].make(archive, *turn, language="de")
    for page in pages_of(pdf)[:2]:
        assert page.collisions() == []
        assert page.outside(5 * MM) == []


def test_the_command_prints_the_letterhead_from_the_database_and_none_from_an_archive(
    desk: Client, live_game: LiveGame, tmp_path: Path
) -> None:
    save(desk, live_game, picture())
    out = tmp_path / "sheet.pdf"
    call_command("print", event=live_game.event.code, document="rules", out=out)
    assert SPONSOR in pages_of(out.read_bytes())[0].text
    archived = draw_document(DOCUMENTS["rules"], live_game.game, live_game.room, choice="", language="it", paper="a4")
    assert out.read_bytes() == archived, "the desk prints the same"
    with pytest.raises(CommandError, match="no such event"):
        call_command("print", event="NOPE", document="rules", out=out)
    with pytest.raises(CommandError, match="needs the database"):
        call_command("print", str(out), document="table-plan", out=out)
