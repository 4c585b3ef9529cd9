"""A player's sheet shows every turn of the player, with its results."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from io import BytesIO
from typing import Any, cast
from zipfile import ZipFile

import pytest
from django.utils.translation import gettext, override
from pypdf import PdfReader

from engine.archive.schema import Archive, VerdictEntry
from engine.rules.profile import load_profile
from engine.rules.rules_text import format_source
from referee.pdf.sheets.player_page import QR_MASK
from referee.pdf.sheets.player_sheets import player_sheets_pdf, player_sheets_zip
from referee.results.player_sheet import build_player_sheets
from referee.results.ruling_text import rule_beside
from tests.engine.archive.played_game import play_game_archive
from tests.referee.pdf.pages import pages_of, qr_at

ADDRESS = "https://192.168.1.20:8443/public/Xy7QkWmT2v/table/{}/0a1b2c3d4e5f60718293/"


@pytest.fixture(scope="module")
def archive() -> Archive:
    return play_game_archive(turns=9)


def changed(archive: Archive, **changes: Any) -> Archive:
    return cast(Archive, json.loads(json.dumps(archive)) | changes)


def sheet_of(archive: Archive, table: int, **options: Any) -> str:
    pages = pages_of(player_sheets_pdf(archive, language="en", tables=[table], **options))
    return " ".join(page.text for page in pages)


def test_every_turn_stands_there_with_slip_verdict_points_top_and_loss(archive: Archive) -> None:
    text = sheet_of(archive, 4)
    total = 0
    for turn in archive["turns"]:
        [slip] = [slip for slip in turn["slips"] if slip["table"] == 4]
        verdict = slip["verdict"]
        total += verdict["points"]
        loss = turn["top"] - verdict["points"]
        best = turn["tops"][0]
        tail = f"{verdict['points']} {best['word']} {best['ref']} {turn['top']} {f'−{loss} ' if loss else ''}{total}"
        pattern = rf"\b{turn['number']} {re.escape(turn['rack'])} {re.escape(slip['word'])} {slip['ref']}.* {tail} \d"
        assert re.search(pattern, text), turn["number"]
        assert verdict["text"].split(".")[0] in text


def test_ranks_after_each_turn_follow_from_the_points_alone(archive: Archive) -> None:
    totals: dict[int, int] = {}
    after = []
    for turn in archive["turns"]:
        for slip in turn["slips"]:
            totals[slip["table"]] = totals.get(slip["table"], 0) + slip["verdict"]["points"]
        after.append(dict(totals))
    for own in build_player_sheets(archive):
        for line in own.turns:
            there = after[line.number - 1]
            assert line.total == there[own.player["table"]]
            ahead = sum(total > line.total for total in there.values())
            level = sum(total == line.total for total in there.values())
            assert line.rank in range(ahead + 1, ahead + level + 1)
        assert own.turns[-1].total == own.line["total"]
        assert own.turns[-1].rank == own.line["rank"]


def test_a_late_player_has_no_line_for_earlier_turns(archive: Archive) -> None:
    first = [len(turn["slips"]) for turn in archive["turns"]]
    assert first[0] < first[-1], "somebody came late"
    late = next(own for own in build_player_sheets(archive) if own.turns[0].number > 1)
    assert [turn.number for turn in late.turns] == list(range(late.turns[0].number, 10))


def test_the_best_finds_and_the_worst_losses_are_the_greatest(archive: Archive) -> None:
    for own in build_player_sheets(archive):
        points = sorted((turn.points for turn in own.turns if turn.points), reverse=True)
        losses = sorted((turn.loss for turn in own.turns if turn.loss > 0), reverse=True)
        assert [turn.points for turn in own.best_finds] == points[:3]
        assert [turn.loss for turn in own.worst_losses] == losses[:3]


def test_a_turn_that_is_still_being_judged_is_left_out(archive: Archive) -> None:
    last = archive["turns"][-1] | {"master": None}
    running = changed(archive, turns=[*archive["turns"][:-1], last], end=None)
    assert len(build_player_sheets(running)[0].turns) == len(archive["turns"]) - 1
    over = changed(running, end={"why": "no_move", "kept": "", "bag": ""})
    assert len(build_player_sheets(over)[0].turns) == len(archive["turns"])


def test_a_decision_of_the_judge_is_printed_with_its_reason(archive: Archive) -> None:
    decided = next(
        slip for turn in archive["turns"] for slip in turn["slips"] if slip["decided_by"] == "judge" and slip["reason"]
    )
    assert f"Decided by the judge: {decided['reason']}" in sheet_of(archive, decided["table"])


def test_the_code_leads_to_where_the_game_is_replayed(archive: Archive) -> None:
    pdf = player_sheets_pdf(archive, language="en", tables=[2], addresses={2: ADDRESS.format(2)})
    assert qr_at(pdf, ADDRESS.format(2), mask=QR_MASK)
    assert not qr_at(pdf, ADDRESS.format(3), mask=QR_MASK)
    assert "Replay the game" in pages_of(pdf)[0].text


def test_without_an_address_a_line_says_why_there_is_no_code(archive: Archive) -> None:
    pdf = player_sheets_pdf(archive, language="en", tables=[2])
    assert b"/Figure" not in pdf
    assert "no code to replay the game" in pages_of(pdf)[0].text


def test_each_sheet_of_the_book_is_counted_from_one_and_has_a_bookmark(archive: Archive) -> None:
    pdf = player_sheets_pdf(archive, language="en")
    reader = PdfReader(BytesIO(pdf))
    titles = [str(entry["/Title"]) for entry in cast(list[Any], reader.outline)]
    assert titles == [f"Table {player['table']} · {player['name']}" for player in archive["players"]]
    starts = [page for page in pages_of(pdf) if "Page 1 of" in page.text]
    assert len(starts) == len(archive["players"])


def test_the_files_are_named_by_table_and_name_and_hold_one_player_each(archive: Archive) -> None:
    names = ["../../etc/passwd", "Anna Ferri", "a\nb", "李雷", "x" * 300, "CON"]
    players = [player | {"name": name} for player, name in zip(archive["players"], names, strict=True)]
    packed = ZipFile(BytesIO(player_sheets_zip(changed(archive, players=players), language="en")))
    assert packed.testzip() is None
    files = sorted(packed.namelist())
    assert files[:4] == ["0001-etcpasswd.pdf", "0002-anna-ferri.pdf", "0003-a-b.pdf", "0004.pdf"]
    assert all(re.fullmatch(r"\d{4}(-[a-z0-9_-]{1,60})?\.pdf", name) for name in files)
    text = " ".join(page.text for page in pages_of(packed.read("0002-anna-ferri.pdf")))
    assert "Anna Ferri" in text
    assert "etc" not in text


def test_the_same_game_gives_the_same_files(archive: Archive) -> None:
    assert player_sheets_zip(archive, language="it") == player_sheets_zip(archive, language="it")


def test_progress_is_reported_player_by_player(archive: Archive) -> None:
    told: list[int] = []
    player_sheets_pdf(archive, language="en", progress=told.append)
    assert told == [100 * done // 6 for done in range(6)]


@pytest.mark.parametrize("turns", [1, 12, 20, 27])
def test_a_game_of_a_usual_length_takes_a_page(turns: int) -> None:
    for own, pages in _sheets(play_game_archive(turns=turns)):
        assert len(pages) == 1, own


def _sheets(archive: Archive) -> Iterator[tuple[int, list[Any]]]:
    for player in archive["players"]:
        yield player["table"], pages_of(player_sheets_pdf(archive, language="it", tables=[player["table"]]))


def test_before_the_first_turn_the_sheets_say_so(archive: Archive) -> None:
    empty = changed(archive, turns=[], standings=[], end=None)
    assert "Nobody has played a turn yet." in pages_of(player_sheets_pdf(empty, language="en"))[0].text


@pytest.mark.parametrize("written_in", ["en", "it"])
def test_a_sheet_in_another_language_than_its_archive_names_the_rule_of_a_verdict_once(written_in: str) -> None:
    rule = load_profile("it-box").source_of("not_a_word")
    with override(written_in):
        text = f"{format_source(rule, gettext)}: ZZZ."
    with override("fr"):
        assert rule_beside(verdict(rule, text)) == ""
        assert rule_beside(verdict(rule, "ZZZ.")) == format_source(rule, gettext) != rule
        assert rule_beside(verdict(None, "ZZZ.")) == ""


def verdict(rule: str | None, text: str) -> VerdictEntry:
    return cast(VerdictEntry, {"rule": rule, "text": text})


def test_an_archive_with_a_player_twice_is_refused(archive: Archive) -> None:
    twice = changed(archive, players=[*archive["players"], archive["players"][0]])
    with pytest.raises(LookupError, match="twice"):
        player_sheets_zip(twice, language="it")


def test_a_member_has_a_second_code_to_their_own_page(archive: Archive) -> None:
    own = "https://192.168.1.20:8443/m/3cwKkxY4rKkGVafqDgknY1tK4pcs9per/"
    codes: Any = {"addresses": {2: ADDRESS.format(2), 3: ADDRESS.format(3)}, "own_pages": {2: own}}
    pdf = player_sheets_pdf(archive, language="en", tables=[2], **codes)
    assert qr_at(pdf, own, mask=QR_MASK)
    assert qr_at(pdf, ADDRESS.format(2), mask=QR_MASK)
    assert not qr_at(player_sheets_pdf(archive, language="en", tables=[3], **codes), own, mask=QR_MASK)
