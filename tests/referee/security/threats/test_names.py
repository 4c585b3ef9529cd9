"""Names, words and reasons are plain text everywhere: no markup, formula, path or reversed line."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from referee.live.slips.slip_queue import store_batch
from referee.live.sockets import messages
from referee.pdf import make_document
from referee.views.hall import get_public_view
from tests.referee.live.live_game import LiveGame, make_live_game
from tests.referee.security.threats.handing import incoming
from tournaments.documents.services import documents
from tournaments.formula_guard import escape_formula, unescape_formula
from tournaments.models import Document
from tournaments.now import utc_now
from tournaments.players.services import players
from tournaments.players.services.players import NewPlayer
from tournaments.results.queries.archive import export_game
from tournaments.validators import one_line

pytestmark = pytest.mark.django_db
MARKUP = "<script>alert(1)</script><img src=x onerror=alert(2)>"
TEMPLATE = "{{ settings.SECRET_KEY }}{% load static %}{% debug %}{# x #}"
PERCENT = "%(name)s %s %d %%"
PATH = "../../../etc/passwd"
QUOTES = "\"'><b>&amp;`${7*7}`"
UNSEEN = "Anna\u202e\u2066gnorw\u2069\u200f\u200b\ufeff\x00\x07\x1b[31m\r\nRossi"
NASTY = (MARKUP, TEMPLATE, PERCENT, PATH, QUOTES, UNSEEN, "=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "＝1")
INVISIBLE = "\u202e\u2066\u2069\u200f\u200b\ufeff\x00\x07\x1b\r\n"


@pytest.fixture
def live_game() -> LiveGame:
    """Every malicious text as a name, nickname, club, series and team; a finished turn."""
    live_game = make_live_game(names=("Anna Ferri", "Bruno Galli"), joined=False)
    event = live_game.event
    event.name, event.place = f"{MARKUP}{TEMPLATE}", f"{PATH}{QUOTES}"
    event.save()
    people = [
        NewPlayer(None, f"N{n}{seen}", club=text, series=text[:50], team=f"{text} {n}", nickname=f"K{n}{seen}")
        for n, (text, seen) in enumerate(zip(NASTY, map(one_line, NASTY), strict=True))
    ]
    people += [NewPlayer(None, one_line(text)) for text in NASTY if text.strip("=+-@\t＝")]
    players.add_players(event=event, players=people, now=utc_now(), by=live_game.judge)
    live_game.draw("CORNOAT")
    live_game.announce()
    handed_in = [incoming(live_game, one_line(text), table) for table, text in enumerate(NASTY, start=3)]
    assert len(store_batch(handed_in)) == len(NASTY)
    live_game.close()
    live_game.place()
    return live_game


@pytest.fixture
def desk(client: Client, live_game: LiveGame) -> Client:
    client.force_login(live_game.judge)
    return client


def pages(live_game: LiveGame) -> list[str]:
    code = live_game.event.code
    parts = ["", "main/", "players/", "standings/?of=1.all", "standings/?of=1.club", "standings/?of=1.team", "log/"]
    parts += [
        "words/?q=" + "%3Cscript%3Ealert(1)%3C/script%3E",
        "rules/",
        "documents/",
        "privacy/",
        "privacy/?forget=1",
        *(f"players/{table}/" for table in live_game.event.players.values_list("table", flat=True)),
    ]
    return [
        "/desk/",
        *(f"/desk/{code}/{part}" for part in parts),
        "/",
        f"/j/{code}/",
        f"/wall/{live_game.event.wall_token}/",
    ]


def test_no_page_takes_a_name_for_markup_or_for_a_template(desk: Client, live_game: LiveGame) -> None:
    for address in pages(live_game):
        answer = desk.get(address)
        assert answer.status_code == 200, address
        text = answer.content.decode()
        assert "<script>alert" not in text, address
        escaped = ("&lt;img src=x onerror=alert", 'value="onerror=alert(2)&gt;"')  # the name, its surname in a field
        for harmless in escaped:
            text = text.replace(harmless, "")
        assert "onerror=alert" not in text, address
        assert settings.SECRET_KEY not in text
        assert "<b>&amp;`" not in text
    players_page = desk.get(f"/desk/{live_game.event.code}/players/").content.decode()
    assert "&lt;script&gt;alert(1)" in players_page
    assert "{{ settings.SECRET_KEY }}" in players_page


def test_no_page_holds_a_sign_that_turns_or_hides_text(desk: Client, live_game: LiveGame) -> None:
    for address in pages(live_game):
        text = desk.get(address).content.decode().replace("\n", "").replace("\r", "")
        assert [hex(ord(sign)) for sign in INVISIBLE if sign in text] == [], address


def test_messages_to_phones_and_wall_carry_names_as_json_text(live_game: LiveGame) -> None:
    view = get_public_view(live_game.game, live_game.room, utc_now())
    wall = json.loads(messages.wall_view(view))
    names = [row["name"] for row in wall["standings"]]
    assert MARKUP in "".join(names)
    assert not [sign for sign in INVISIBLE if any(sign in name for name in names)]


def test_scripts_of_the_hall_never_make_markup_of_text() -> None:
    sources = [
        path for path in (Path(settings.BASE_DIR) / "referee" / "static").rglob("*.js") if "min" not in path.name
    ]
    assert len(sources) > 20
    for path in sources:
        text = path.read_text(encoding="utf-8")
        for way in ("outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"):
            assert way not in text, (path.name, way)
        # Text written out in the script contains no user input.
        assert not re.findall(r"innerHTML\s*=(?!\s*'[^'$]*';)", text), path.name


def test_what_a_player_types_comes_back_as_text(client: Client, live_game: LiveGame) -> None:
    for text in (MARKUP, TEMPLATE, QUOTES):
        answer = client.post(f"/j/{live_game.event.code}/", {"name": text * 20, "table": "x", "nickname": text})
        assert answer.status_code == 422
        assert "<script>alert" not in answer.content.decode()
        assert settings.SECRET_KEY not in answer.content.decode()
        answer = client.post("/", {"code": text[:20]})
        assert "<script>" not in answer.content.decode().replace('<script src="', "")


@pytest.mark.parametrize(("kind", "choice"), [("standings", ""), ("standings", "1.team"), ("match", ""), ("rules", "")])
def test_sheets_draw_nasty_names_as_text_and_lie_where_they_should(live_game: LiveGame, kind: str, choice: str) -> None:
    document = documents.request_document(game=live_game.game, kind=kind, language="en", now=utc_now(), choice=choice)
    make_document.make_stored_document(document.pk)
    document = Document.objects.get(pk=document.pk)
    assert document.state == "done", document.error
    path = (Path(settings.DATA_DIR) / document.path).resolve()
    assert path.parent == (Path(settings.DATA_DIR) / "documents").resolve()
    assert path.name.startswith(live_game.event.code)
    if kind == "standings" and shutil.which("pdftotext"):
        text = subprocess.run(["pdftotext", "-layout", str(path), "-"], capture_output=True, check=True).stdout.decode()
        assert "script>" in text
        assert settings.SECRET_KEY not in text
    assert b"/JavaScript" not in path.read_bytes()
    assert b"/URI" not in path.read_bytes()


def test_a_spreadsheet_takes_no_name_for_a_formula(desk: Client, live_game: LiveGame) -> None:
    for choice in ("1.all", "1.club", "1.series", "1.team"):
        answer = desk.get(f"/desk/{live_game.event.code}/standings.csv?of={choice}")
        assert answer.status_code == 200
        rows = list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig")), delimiter=";"))
        cells = [cell for row in rows for cell in row]
        assert len(cells) > 40
        texts = [cell for cell in cells if not cell.lstrip("-").replace(",", "").replace(".", "").isdigit()]
        assert [cell for cell in texts if cell.startswith(("=", "+", "@", "\t", "\r", "＝")) or cell[:2] == "-1"] == []
    assert any(cell.startswith("'=") for cell in cells)


VARIANTS = ["=1", "+1", "-1", "@A", "＝1", "＋1", "－1", "＠A", "﹢1", "⁼1", "−1", "'=1", "''=1"]


@pytest.mark.parametrize("text", [*VARIANTS, *(f"{blank}=1" for blank in "\t\r\n \xa0"), "\tAnna"])
def test_every_sign_that_begins_a_formula_is_made_safe(text: str) -> None:
    assert escape_formula(text) == f"'{text}"
    assert unescape_formula(escape_formula(text)) == text


@pytest.mark.parametrize("text", ["Anna = Bruno", "'Ndrangheta FC", "", "'", "8H"])
def test_other_texts_stay_as_they_are(text: str) -> None:
    assert escape_formula(text) == unescape_formula(text) == text


def test_downloads_are_named_by_codes_and_numbers_alone(desk: Client, live_game: LiveGame) -> None:
    code = live_game.event.code
    for part in ("archive.json", "standings.csv?of=1.all", "players/3/data.json"):
        named = desk.get(f"/desk/{code}/{part}")["Content-Disposition"]
        assert code in named
        assert not {"<", "..", "/", "{", "\n"} & set(named.replace("..", "\x00"))
    archive = json.dumps(export_game(live_game.game), ensure_ascii=False)
    assert MARKUP in archive, "an archive is text, and its readers escape"
    assert not [sign for sign in INVISIBLE if sign in archive]
