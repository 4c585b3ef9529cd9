"""The sealed sheet of a prepared game has a cover without secrets, then the whole game."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pypdf import PdfReader

from engine.prepared.prepare_game import play_game
from engine.prepared.script import Script, read_script, script_of
from engine.rules.profile import load_profile
from engine.search.game_solver import GameSolver
from engine.tiles.edition import load_edition
from engine.variants.variant import load_variant
from referee.pdf.sheets.prepared import prepared_pdf
from tests.engine.archive.played_game import lexicon
from tests.engine.archive.played_game import play_game_archive as play_archive

CLUB, NORMAL, IT = load_profile("club"), load_variant("normal"), load_edition("it")


@pytest.fixture(scope="module")
def script() -> Script:
    game = play_game(bytes(range(32)), GameSolver(lexicon(), CLUB, NORMAL), CLUB)
    listed = {"name": "small", "words": len(lexicon()), "sha256": "0" * 64, "accepted": [], "struck": []}
    return script_of(game, IT, CLUB, NORMAL, title="Winter cup", rhythm_s=180, lexicon=listed)


def pages(pdf: bytes) -> list[str]:
    return [page.extract_text(extraction_mode="layout") for page in PdfReader(BytesIO(pdf)).pages]


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_cover_tells_title_and_fingerprint_and_nothing_of_the_game(script: Script, paper: str) -> None:
    cover = pages(prepared_pdf(script, language="en", paper=paper))[0]
    assert "Winter cup" in cover
    assert script["draw"]["commitment"] in cover
    secrets = [turn["rack"] for turn in script["turns"]] + [str(script["draw"]["seed"])]
    secrets += [f"{top['word']} {top['ref']}" for turn in script["turns"] for top in turn["tops"]]
    assert [secret for secret in secrets if secret in cover] == []


def test_the_inside_has_every_turn_and_all_tiles(script: Script) -> None:
    inside = "\n".join(pages(prepared_pdf(script, language="en"))[1:])
    total = 0
    for turn in script["turns"]:
        assert turn["master"] is not None
        total += turn["master"]["score"]
        for text in (turn["rack"], turn["master"]["word"], turn["master"]["ref"], str(total)):
            assert text in inside
        assert all(f"−{rack}" in inside for rack in turn["rejected"])
    assert f"Sum of the tops: {total}" in inside
    assert str(script["draw"]["seed"]) in inside
    left = len(script["end"]["bag"])
    assert f"{left} in the bag ({script['end']['bag'] or '–'})" in inside


def test_it_is_printed_from_a_prepared_game_and_from_an_archive(script: Script, tmp_path: Path) -> None:
    source, target = tmp_path / "game.json", tmp_path / "sheet.pdf"
    for text, expected in (
        (json.dumps(script), prepared_pdf(script, language="it")),
        (json.dumps(play_archive()), prepared_pdf(read_script(json.dumps(play_archive())), language="it")),
    ):
        source.write_text(text, encoding="utf-8")
        call_command("print", str(source), document="prepared", out=target)
        assert target.read_bytes() == expected


def test_what_is_no_game_gets_one_sentence(tmp_path: Path) -> None:
    source = tmp_path / "game.json"
    source.write_text("{}", encoding="utf-8")
    with pytest.raises(CommandError, match="neither a prepared game nor an archive"):
        call_command("print", str(source), document="prepared", out=tmp_path / "sheet.pdf")
