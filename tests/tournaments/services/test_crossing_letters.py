"""The printed example of crossing letters: PUBLIERA, ESC, 167, from the way in to the proof of the archive."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from pytest_django import Settings

from engine.archive import read_archive
from engine.replay import verify
from engine.rules.slip import Slip as WrittenSlip
from referee.pdf.player_page import slip_as_written
from tests.tournaments.night import Night, begin
from tournaments import lexicons
from tournaments.enums import DrawMode, SlipSource
from tournaments.errors import Refused
from tournaments.models import Slip, Verdict
from tournaments.selectors.archive import export_game
from tournaments.selectors.groups import groups_of
from tournaments.selectors.typings import open_typings
from tournaments.services import double_typing, drawing, ending, settling, slips
from tournaments.services.paper import Typed, enter_line, read_line

pytestmark = pytest.mark.django_db

LINE = "3 PUBLIERA ESC 167"


@pytest.fixture
def night(judge: User, settings: Settings, small_data_folder: Path, tmp_path: Path) -> Night:
    """By the French rules, with MERS across and ESCALADE down on the board and the rack of PUBLIERA announced."""
    shutil.copytree(small_data_folder, tmp_path / "data", symlinks=True)
    (tmp_path / "data/lexicons/fr.txt").write_text("ESCALADE\nMERS\nPUBLIERA\n", encoding="utf-8")
    settings.DATA_DIR = tmp_path / "data"
    night = begin(judge, edition="fr", profile="fisf", draw_mode=DrawMode.TYPED)
    play(night, "MERSLAD", "MERS", "H5")
    play(night, "ESCALAD", "ESCALADE", "6A")
    announce(night, "PUBLIRA")
    return night


def announce(night: Night, rack: str) -> None:
    drawing.type_rack(game=night.refresh(), text=rack, now=night.later(), by=night.judge)
    night.announce()


def play(night: Night, rack: str, word: str, ref: str) -> None:
    announce(night, rack)
    night.close()
    night.place(word=word, ref=ref)


def from_phone(night: Night, table: int, hook: str) -> None:
    """The slip as the intake makes it of a phone's message."""
    written = WrittenSlip("PUBLIERA", "", 167, hook=hook)
    incoming = slips.paper_slip(player=night.player(table), turn=night.turn, slip=written, now=night.later())
    slips.hand_in_batch([replace(incoming, source=SlipSource.PHONE)], now=night.now)


def stored(night: Night, table: int) -> Slip:
    return Slip.objects.filter(turn=night.turn, player__table=table).latest("version")


def told(verdict: Verdict) -> tuple[str, int, int, list[str]]:
    return verdict.result, verdict.points, verdict.penalty, verdict.warnings


def test_the_line_is_told_stored_judged_and_proved(night: Night) -> None:
    typed = Typed(LINE)
    echo = read_line(game=night.refresh(), typed=typed, room=night.room, judges=True)
    assert echo.sentence == "Table 3, Carla Neri: PUBLIERA, crossing letters ESC, declared 167."
    assert echo.said == "PUBLIERA ESC 167"
    enter_line(game=night.game, typed=typed, room=night.room, judges=True, now=night.later(), by=night.judge)
    from_phone(night, 1, "esc")
    from_phone(night, 2, "LAD")
    from_phone(night, 17, "OUI")
    slip = stored(night, 3)
    assert (slip.word, slip.ref, slip.hook, slip.declared) == ("PUBLIERA", "", "ESC", 167)
    night.close()
    assert [told(night.verdict(table)) for table in (3, 1)] == [("valid", 167, 0, [])] * 2
    assert told(night.verdict(2)) == ("valid", 167, 0, []), "three letters of the same word, though not the nearest"
    assert told(night.verdict(17)) == ("rescued", 167, 0, ["hook_letters"])
    assert {(group.ref, group.count) for group in groups_of(night.turn)} == {("ESC", 2), ("LAD", 1), ("OUI", 1)}
    night.place()
    ending.end_game(game=night.refresh(), why="judge", by=night.judge, now=night.later())
    archive = read_archive(json.dumps(export_game(night.refresh())))
    entry = next(one for one in archive["turns"][-1]["slips"] if one["table"] == 3)
    assert (entry["hook"], slip_as_written(entry)) == ("ESC", "PUBLIERA ESC 167")
    graph = lexicons.graph_of(lexicons.of_game(night.game))
    assert verify(archive, graph) == []
    entry["hook"] = "OUI"
    assert any("table 3" in found.where for found in verify(archive, graph))


def test_two_typists_agree_on_crossing_letters_or_a_judge_settles_them(night: Night) -> None:
    double_typing.set_double_typing(event=night.event, wanted=True, now=night.later(), by=night.judge)
    ada, ben = (User.objects.create(username=name) for name in ("ada", "ben"))
    for by, line in ((ada, LINE), (ben, LINE.lower()), (ada, "1 PUBLIERA ESC 167"), (ben, "1 PUBLIERA ECS 167")):
        slips.enter_paper(game=night.refresh(), line=line, now=night.later(), by=by)
    [difference] = open_typings(night.turn).differences
    assert (difference.table, [one.said for one in difference.readings]) == (
        1,
        ["PUBLIERA ESC 167", "PUBLIERA ECS 167"],
    )
    other = difference.readings[1].typing_id
    settling.choose_typing(turn=night.turn, typing_id=other, by=night.judge, now=night.later(), room=night.room)
    assert (stored(night, 1).hook, stored(night, 3).hook) == ("ECS", "ESC")


def test_rules_without_crossing_letters_refuse_a_second_word(judge: User) -> None:
    night = begin(judge, profile="club")
    night.begin_turn("ACEIRST")
    with pytest.raises(Refused, match="two words in this line, CARTE and ORO; write one"):
        night.paper("3 CARTE ORO 18")


def test_a_reference_against_the_grid_is_told_before_it_counts(night: Night) -> None:
    typed = Typed("3 1A > PUBLIERA 167")
    echo = read_line(game=night.refresh(), typed=typed, room=night.room, judges=True)
    assert echo.sentence == "Table 3, Carla Neri: PUBLIERA, at 1A, but written across, declared 167."
    for line in ("1 1A PUBLIERA 167", "2 1A > PUBLIERA 167", "3 A1 > PUBLIERA 167"):
        night.paper(line)
    night.phone(17, "PUBLIERA", "1A", 167)
    night.close()
    points = [told(night.verdict(table))[1:3] for table in (1, 2, 17, 3)]
    assert points == [(162, 5)] * 3 + [(167, 0)]
