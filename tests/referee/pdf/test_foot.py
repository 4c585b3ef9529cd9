"""Every page of every document shows the fingerprint of the draw and the head of the ledger."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from io import BytesIO
from typing import Any, cast

import pytest
from pypdf import PdfReader

from engine.archive.ledger import head_hash, seal_entry
from engine.archive.schema import Archive
from engine.prepared.script import read_script
from referee.pdf.catalogue import DOCUMENTS, DocumentSource
from referee.pdf.sheets.standings import event_standings_pdf
from tests.engine.archive.played_game import SEED, play_game_archive
from tests.referee.desk.event_views import EVENT, make_view
from tournaments.ledger.queries import Seal


def with_ledger(*acts: tuple[str, dict[str, object]], **changes: Any) -> Archive:
    """Build a real game with these ledger entries."""
    archive: dict[str, Any] = json.loads(json.dumps(play_game_archive()))
    entries: list[dict[str, object]] = []
    for kind, data in acts:
        last = entries[-1] if entries else None
        entries.append(seal_entry(last, at="2026-01-31T21:00:00.000000+00:00", kind=kind, by="judge", data=data))
    archive["ledger"] = {"entries": entries, "head": head_hash(entries)}
    archive["draw"] |= changes
    return cast(Archive, archive)


PLAYED = with_ledger(("created", {}), ("draw", {"turn": 1}), ("place", {"turn": 1}), ("slips", {"turn": 2}))


def pages_of(pdf: bytes) -> list[str]:
    return [page.extract_text() for page in PdfReader(BytesIO(pdf)).pages]


def grouped(digest: str) -> str:
    return " ".join(digest[at : at + 4] for at in (0, 4, 8, 12))


DRAWERS: dict[str, Callable[..., bytes]] = {each.name: each.make for each in DOCUMENTS.values()}
FROM_ARCHIVE = sorted(each.name for each in DOCUMENTS.values() if each.from_archive and each.suffix == "pdf")


@pytest.mark.parametrize("name", FROM_ARCHIVE)
def test_every_page_of_every_sheet_has_fingerprint_and_head(name: str) -> None:
    """Reads the catalogue, so that new documents are covered."""
    shown = PLAYED["ledger"]["entries"][2]["hash"]
    turn = [1] if DOCUMENTS[name].needs is DocumentSource.TURN else []
    pages = pages_of(DRAWERS[name](PLAYED, *turn, language="en"))
    assert pages
    for page in pages:
        assert PLAYED["draw"]["commitment"] in page
        assert f"Ledger, entry 3: {grouped(shown)}" in page


def test_the_sealed_sheet_has_the_fingerprint_on_every_page() -> None:
    script = read_script(json.dumps(play_game_archive()), title="Club")
    script["draw"]["commitment"] = PLAYED["draw"]["commitment"]
    pages = pages_of(DRAWERS["prepared"](script, language="en"))
    assert len(pages) > 1
    assert all(PLAYED["draw"]["commitment"] in page for page in pages)


def test_the_standings_of_several_games_name_the_seal_of_each() -> None:
    seals = [Seal(number, f"{number}" * 64, 10 * number, f"{number + 4}" * 64) for number in (1, 2)]
    pages = pages_of(event_standings_pdf(make_view(6, games=2), EVENT, seals, language="en"))
    for page in pages:
        assert "2" * 64 in page
        assert "Ledger, entry 20: 6666 6666 6666 6666" in page
    assert "Game 1 · Fingerprint of the draw: " + "1" * 64 in pages[-1].replace("\n", " ")


def test_the_head_of_a_rack_that_nobody_has_seen_is_not_printed() -> None:
    """With all but the rack of an entry known, the rack could be found by trying hashes."""
    last = PLAYED["ledger"]["entries"][-1]["hash"]
    secret = with_ledger(("created", {}), ("place", {"turn": 1}), ("draw", {"turn": 2, "rack": "ABCDEFG"}))
    [page] = pages_of(DRAWERS["rules"](secret, language="en"))[:1]
    assert "Ledger, entry 2:" in page
    assert grouped(secret["ledger"]["head"]) not in page
    assert grouped(last) not in page


def test_a_game_from_a_bag_without_a_ledger_has_neither() -> None:
    bare = with_ledger(mode="typed", commitment="", seed=None)
    pages = pages_of(DRAWERS["standings"](bare, language="en"))
    assert not any("Ledger" in page or "Fingerprint" in page for page in pages)


MATCH = partial(DRAWERS["match"], language="en")


def test_the_match_sheet_tells_what_was_done_with_the_draw() -> None:
    text = " ".join(
        pages_of(
            MATCH(
                with_ledger(
                    ("created", {"commitment": "aa"}),
                    ("hall_word", {"word": "zucca"}),
                    ("hall_word", {"word": "mela"}),
                    ("place", {"turn": 1}),
                    ("undo", {"turn": 1, "ended": "", "put_back": 2, "rack": "QQQQQQQ"}),
                )
            )
        )
    ).replace("\n", " ")
    assert "Entry 3: The called-out word was changed." in text
    assert "Entry 5: The move of turn 1 was taken back." in text
    assert "Entry 5: The rack drawn for turn 2 was put back before it was announced." in text
    assert "QQQQQQQ" not in text


def test_the_match_sheet_shows_every_seed_with_its_commitment() -> None:
    later = {"from_turn": 4, "commitment": "cd" * 32, "seed": "ef" * 32, "hall_word": "mela"}
    continued = with_ledger(("undo", {"turn": 3, "ended": "judge", "from_turn": 4, "commitment": "cd"}))
    continued["draw"]["continued"] = [later]  # type: ignore[list-item]
    text = " ".join(pages_of(MATCH(continued))).replace("\n", " ")
    assert f"From turn 1 on, fingerprint of the draw: {PLAYED['draw']['commitment']}" in text
    assert f"From turn 4 on, fingerprint of the draw: {'cd' * 32}" in text
    assert f"Seed of the draw: {SEED.hex()}" in text
    assert f"Seed of the draw: {'ef' * 32}" in text
    assert "The game was over and was resumed." in text
    assert "Word called out: mela" in text
