"""Hashes, seeds and the head of the ledger are on the verification alone; what was done with the draw is also on the
match sheet."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial
from io import BytesIO
from typing import Any, cast

import pytest
from pypdf import PdfReader

from engine.archive.ledger import head_hash, seal_entry
from engine.archive.replay import Difference
from engine.archive.schema import Archive, ContinuedDraw
from referee.pdf.catalogue import DOCUMENTS, DocumentSource
from referee.pdf.sheets.verification import draw_verification
from tests.engine.archive.played_game import SEED, play_game_archive
from tournaments.results.verification import Verification


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
def test_no_sheet_that_is_made_from_an_archive_shows_a_hash(name: str) -> None:
    """Reads the catalogue, so that new documents are covered; an envelope's label is there for its fingerprint."""
    turn = [1] if DOCUMENTS[name].needs is DocumentSource.TURN else []
    text = re.sub(r"\s", "", "".join(pages_of(DRAWERS[name](PLAYED, *turn, language="en"))))
    assert (PLAYED["draw"]["commitment"] in text) is (name == "envelope")
    for secret in (SEED.hex(), PLAYED["ledger"]["head"], PLAYED["lexicon"]["sha256"]):
        assert secret[:16] not in text
    assert "Ledger" not in text


def test_the_verification_has_fingerprint_and_head_on_every_page_and_the_seeds() -> None:
    later = ContinuedDraw(from_turn=4, commitment="cd" * 32, seed="ef" * 32, hall_word="mela")
    continued = with_ledger(("created", {}), ("draw", {"turn": 1}), ("place", {"turn": 1}), ("slips", {"turn": 2}))
    continued["draw"]["continued"] = [later]
    found = Verification(continued, [Difference("turn 1", 1, 2)] * 120, [])
    pages = pages_of(draw_verification([found], language="en"))
    assert len(pages) > 1
    for page in pages:
        assert "cd" * 32 in page
        assert f"Ledger, entry 3: {grouped(continued['ledger']['entries'][2]['hash'])}" in page
    text = " ".join(pages).replace("\n", " ")
    assert f"From turn 1 on, fingerprint of the draw: {continued['draw']['commitment']}" in text
    assert f"From turn 4 on, fingerprint of the draw: {'cd' * 32}" in text
    assert f"Seed of the draw: {SEED.hex()}" in text
    assert f"Seed of the draw: {'ef' * 32}" in text
    assert "Word called out: mela" in text
    assert continued["lexicon"]["sha256"] in text
    assert continued["ledger"]["head"] in text


def test_the_head_of_a_rack_that_nobody_has_seen_is_not_printed() -> None:
    """With all but the rack of an entry known, the rack could be found by trying hashes."""
    last = PLAYED["ledger"]["entries"][-1]["hash"]
    secret = with_ledger(("created", {}), ("place", {"turn": 1}), ("draw", {"turn": 2, "rack": "ABCDEFG"}))
    secret["end"] = None
    [page] = pages_of(draw_verification([Verification(secret, [], [])], language="en"))
    assert "Ledger, entry 2:" in page
    assert grouped(secret["ledger"]["head"]) not in page
    assert grouped(last) not in page


def test_a_game_from_a_bag_without_a_ledger_has_neither() -> None:
    bare = with_ledger(mode="typed", commitment="", seed=None)
    pages = pages_of(draw_verification([Verification(bare, [], [])], language="en"))
    assert not any("Ledger," in page or "Fingerprint" in page for page in pages)


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
