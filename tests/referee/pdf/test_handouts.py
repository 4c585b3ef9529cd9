"""Documents to hand out: warnings and penalties, certificates, envelope labels."""

from __future__ import annotations

import json
from typing import Any, cast

import pytest

from engine.archive.schema import Archive
from engine.rules.profile import load_profile
from referee.pdf.handouts.certificates import (
    awards_of_game,
    certificates_pdf,
    chosen_certificates_pdf,
    label_of_certificates,
    offered_certificates,
    reads_certificates,
)
from referee.pdf.handouts.envelope import envelope_pdf, in_groups
from referee.pdf.sheets.warnings import notices_of, warnings_pdf
from tests.engine.archive.played_game import SEED, play_game_archive
from tests.referee.live.live_game import make_live_game
from tests.referee.pdf.pages import pages_of, qr_at


@pytest.fixture(scope="module")
def strict() -> Archive:
    """A game by rules with warnings and penalties."""
    return play_game_archive(load_profile("fisf"), turns=12)


def changed(archive: Archive, **changes: Any) -> Archive:
    return cast(Archive, json.loads(json.dumps(archive)) | changes)


def test_every_warning_and_every_penalty_gets_a_slip_and_nothing_else_does(strict: Archive) -> None:
    wanted = [
        (turn["number"], slip["table"], slip["verdict"]["penalty"])
        for turn in strict["turns"]
        for slip in turn["slips"]
        if slip["verdict"]["warnings"] or slip["verdict"]["penalty"]
    ]
    assert len(wanted) > 3
    assert [(one.turn, one.table, one.penalty) for one in notices_of(strict)] == wanted
    text = " ".join(page.text for page in pages_of(warnings_pdf(strict, language="en")))
    for number, _table, penalty in wanted:
        assert f"−{penalty} points" in text or not penalty
        assert f" {number} " in text
    assert "the score on the slip is wrong" in text
    assert text.count("Judge") == len(wanted)


def test_a_turn_alone_has_its_own_only(strict: Archive) -> None:
    number = notices_of(strict)[0].turn
    assert {one.turn for one in notices_of(strict, number)} == {number}


def test_warnings_are_counted_over_the_game(strict: Archive) -> None:
    counts: dict[int, int] = {}
    for one in notices_of(strict):
        counts[one.table] = counts.get(one.table, 0) + len(one.slip["verdict"]["warnings"])
        assert one.warned == counts[one.table]
    assert {line["table"]: line["warnings"] for line in strict["standings"] if line["warnings"]} == {
        table: count for table, count in counts.items() if count
    }


def test_without_any_there_are_forms_to_be_written_by_hand() -> None:
    [page] = pages_of(warnings_pdf(play_game_archive(turns=2), language="en"))
    assert page.text.count("Warning / penalty") == 6
    assert page.text.count("Fault and rule") == 6


def with_series(archive: Archive) -> Archive:
    players = [player | {"series": "AB"[player["table"] % 2]} for player in archive["players"]]
    return changed(archive, players=players)


def test_the_first_three_and_the_first_of_each_series_are_honoured() -> None:
    archive = with_series(play_game_archive(turns=6))
    pages = pages_of(certificates_pdf(archive, language="en"))
    names = {player["table"]: player["name"] for player in archive["players"]}
    first = [line for line in archive["standings"] if line["rank"] in (1, 2, 3)]
    assert len(pages) == len(first) + 2
    for page, line in zip(pages, first, strict=False):
        assert page.width > page.height
        assert names[line["table"]] in page.text
        assert f"{line['total']:,} points" in page.text
    assert "First place of series A" in pages[-2].text
    assert "First place of series B" in pages[-1].text


def test_who_shares_a_place_shares_the_honour() -> None:
    archive = play_game_archive(turns=6)
    standings = [line | {"rank": 1 if number < 2 else number + 1} for number, line in enumerate(archive["standings"])]
    ranks = [honour.rank for honour in awards_of_game(changed(archive, standings=standings))]
    assert ranks == [1, 1, 3]


@pytest.mark.django_db
def test_certificates_of_a_whole_event_and_of_everybody_can_be_chosen() -> None:
    live_game = make_live_game(joined=False)
    for text, label in offered_certificates(live_game.game, live_game.room):
        assert reads_certificates(text)
        assert label == label_of_certificates(text)
    pdf = chosen_certificates_pdf(live_game.game, live_game.room, "event.9999", language="en")
    assert len(pages_of(pdf)) == 1, "nobody has played yet"
    for wrong in ("event.", "0", "3.event", "10000", "-1"):
        assert not reads_certificates(wrong)


def test_the_label_shows_the_fingerprint_in_groups_and_as_a_picture() -> None:
    archive = play_game_archive(turns=1)
    pdf = envelope_pdf(archive, language="en")
    commitment = archive["draw"]["commitment"]
    [page] = pages_of(pdf)
    groups = " ".join(in_groups(commitment)).split()
    assert "".join(groups) == commitment
    assert all(group in page.text for group in groups)
    assert qr_at(pdf, commitment)
    assert SEED.hex() not in page.text


def test_a_game_that_went_on_has_a_label_for_each_seed() -> None:
    archive = play_game_archive(turns=1)
    later = {"from_turn": 9, "commitment": "cd" * 32, "seed": None, "hall_word": None}
    draw = archive["draw"] | {"continued": [later]}
    [page] = pages_of(envelope_pdf(changed(archive, draw=draw), language="en"))
    assert "Seed of the draw, from turn 9 on" in page.text
    assert page.text.count("Fingerprint (SHA-256") == 2


def test_a_game_from_a_bag_has_nothing_to_seal() -> None:
    archive = play_game_archive(turns=1, typed=True)
    bare = changed(archive, draw=archive["draw"] | {"commitment": "", "seed": None})
    assert "it has no seed" in pages_of(envelope_pdf(bare, language="en"))[0].text
