"""`manage.py print` makes every document of a game, on both paper sizes."""

from __future__ import annotations

import json
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from django.core.management import CommandError, call_command

from referee.management.commands.print import FROM_A_FILE
from referee.pdf.catalogue import DocumentSource
from tests.engine.archive.played_game import play_game_archive
from tests.referee.pdf.pages import pages_of

NAMES = "standings match player-sheets table-cards slips warnings calls rules certificates rulings prepared envelope"
LETTER = {612.0, 792.0}
OF_AN_ARCHIVE = sorted(each.name for each in FROM_A_FILE.values() if each.needs is not DocumentSource.PREPARED)


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("print") / "game.json"
    path.write_text(json.dumps(play_game_archive(turns=3)), encoding="utf-8")
    return path


def test_the_names_that_others_script_against_are_all_there() -> None:
    assert set(NAMES.split()) <= set(FROM_A_FILE)


SPOILT: list[tuple[str, object]] = [
    ("profile", {"name": "nope"}),
    ("profile", {}),
    ("formula", "explosive\x1b[2J"),
    ("edition", "xx"),
    ("event", {"name": "Club", "date": "2026-02-30", "place": None}),
    ("players", []),
    ("standings", [{**dict.fromkeys(("rank", "table", "total", "negative", "warnings"), 9), "percent": 1.0}]),
]


@pytest.mark.parametrize(("field", "value"), SPOILT)
def test_what_is_wrong_in_an_archive_is_one_sentence_for_every_document(
    field: str, value: object, archive: Path, tmp_path: Path
) -> None:
    spoilt, out = tmp_path / "game.json", tmp_path / "sheet"
    spoilt.write_text(json.dumps(json.loads(archive.read_text()) | {field: value}), encoding="utf-8")
    for name in OF_AN_ARCHIVE:
        with suppress(CommandError):
            call_command("print", str(spoilt), document=name, out=out)
    with pytest.raises(CommandError) as refused:
        call_command("print", str(spoilt), document="standings", out=out)
    assert str(refused.value).isprintable()
    assert str(spoilt) in str(refused.value)


@pytest.mark.parametrize("name", OF_AN_ARCHIVE)
def test_every_document_is_printed_on_letter(name: str, archive: Path, tmp_path: Path) -> None:
    wanted, out = FROM_A_FILE[name], tmp_path / "sheet"
    call_command("print", str(archive), document=name, out=out, paper="letter", lang="it")
    content = out.read_bytes()
    files = [content]
    if wanted.suffix == "zip":
        packed = ZipFile(BytesIO(content))
        files = [packed.read(each) for each in packed.namelist()]
    for pdf in files:
        for page in pages_of(pdf):
            assert {page.width, page.height} == LETTER
            assert page.boxes
