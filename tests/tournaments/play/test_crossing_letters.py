"""The printed example of crossing letters: PUBLIERA, ESC, 167, from the way in to the proof of the archive."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from pytest_django import Settings

from engine.archive.replay import verify
from engine.archive.schema import read_archive
from engine.slips.slip import Slip as WrittenSlip
from referee.pdf.sheets.player_page import format_slip
from tests.tournaments.club_game import ClubGame, create_club_game
from tournaments.enums import DrawMode, SlipSource
from tournaments.errors import Refused
from tournaments.judging.queries.slip_groups import groups_of
from tournaments.lexicons import word_lists
from tournaments.models import Slip, Verdict
from tournaments.play.queries.typing_conflicts import open_typings
from tournaments.play.services import double_entry, draw_rack, game_end, slips, typing_conflicts
from tournaments.play.services.paper_slips import DeskLine, enter_line, read_line
from tournaments.results.queries.archive import export_game

pytestmark = pytest.mark.django_db

LINE = "3 PUBLIERA ESC 167"


@pytest.fixture
def club_game(judge: User, settings: Settings, small_data_folder: Path, tmp_path: Path) -> ClubGame:
    """By the French rules, with MERS across and ESCALADE down on the board and the rack of PUBLIERA announced."""
    shutil.copytree(small_data_folder, tmp_path / "data", symlinks=True)
    (tmp_path / "data/lexicons/fr.txt").write_text("ESCALADE\nMERS\nPUBLIERA\n", encoding="utf-8")
    settings.DATA_DIR = tmp_path / "data"
    club_game = create_club_game(judge, edition="fr", profile="fisf", draw_mode=DrawMode.TYPED)
    play(club_game, "MERSLAD", "MERS", "H5")
    play(club_game, "ESCALAD", "ESCALADE", "6A")
    announce(club_game, "PUBLIRA")
    return club_game


def announce(club_game: ClubGame, rack: str) -> None:
    draw_rack.type_rack(game=club_game.refresh(), text=rack, now=club_game.later(), by=club_game.judge)
    club_game.announce()


def play(club_game: ClubGame, rack: str, word: str, ref: str) -> None:
    announce(club_game, rack)
    club_game.close()
    club_game.place(word=word, ref=ref)


def from_phone(club_game: ClubGame, table: int, hook: str) -> None:
    """The slip as the intake makes it of a phone's message."""
    written = WrittenSlip("PUBLIERA", "", 167, hook=hook)
    incoming = slips.make_paper_slip(
        player=club_game.player(table), turn=club_game.turn, slip=written, now=club_game.later()
    )
    slips.submit_batch([replace(incoming, source=SlipSource.PHONE)], now=club_game.now)


def stored(club_game: ClubGame, table: int) -> Slip:
    return Slip.objects.filter(turn=club_game.turn, player__table=table).latest("version")


def told(verdict: Verdict) -> tuple[str, int, int, list[str]]:
    return verdict.result, verdict.points, verdict.penalty, verdict.warnings


def test_the_line_is_told_stored_judged_and_proved(club_game: ClubGame) -> None:
    typed = DeskLine(LINE)
    echo = read_line(game=club_game.refresh(), typed=typed, room=club_game.room, judges=True)
    assert echo.sentence == "Table 3, Carla Neri: PUBLIERA, crossing letters ESC, declared 167."
    assert echo.said == "PUBLIERA ESC 167"
    enter_line(
        game=club_game.game, typed=typed, room=club_game.room, judges=True, now=club_game.later(), by=club_game.judge
    )
    from_phone(club_game, 1, "esc")
    from_phone(club_game, 2, "LAD")
    from_phone(club_game, 17, "OUI")
    slip = stored(club_game, 3)
    assert (slip.word, slip.ref, slip.hook, slip.declared) == ("PUBLIERA", "", "ESC", 167)
    club_game.close()
    assert [told(club_game.verdict(table)) for table in (3, 1)] == [("valid", 167, 0, [])] * 2
    assert told(club_game.verdict(2)) == ("valid", 167, 0, []), "three letters of the same word, though not the nearest"
    assert told(club_game.verdict(17)) == ("rescued", 167, 0, ["hook_letters"])
    assert {(group.ref, group.count) for group in groups_of(club_game.turn)} == {("ESC", 2), ("LAD", 1), ("OUI", 1)}
    club_game.place()
    game_end.end_game(game=club_game.refresh(), why="judge", by=club_game.judge, now=club_game.later())
    archive = read_archive(json.dumps(export_game(club_game.refresh())))
    entry = next(one for one in archive["turns"][-1]["slips"] if one["table"] == 3)
    assert (entry["hook"], format_slip(entry)) == ("ESC", "PUBLIERA ESC 167")
    graph = word_lists.graph_of(word_lists.word_list_of_game(club_game.game))
    assert verify(archive, graph) == []
    entry["hook"] = "OUI"
    assert any("table 3" in found.where for found in verify(archive, graph))


def test_two_typists_agree_on_crossing_letters_or_a_judge_settles_them(club_game: ClubGame) -> None:
    double_entry.set_double_typing(event=club_game.event, wanted=True, now=club_game.later(), by=club_game.judge)
    ada, ben = (User.objects.create(username=name) for name in ("ada", "ben"))
    for by, line in ((ada, LINE), (ben, LINE.lower()), (ada, "1 PUBLIERA ESC 167"), (ben, "1 PUBLIERA ECS 167")):
        slips.submit_paper_line(game=club_game.refresh(), line=line, now=club_game.later(), by=by)
    [difference] = open_typings(club_game.turn).differences
    assert (difference.table, [one.said for one in difference.readings]) == (
        1,
        ["PUBLIERA ESC 167", "PUBLIERA ECS 167"],
    )
    other = difference.readings[1].typing_id
    typing_conflicts.choose_typing(
        turn=club_game.turn, typing_id=other, by=club_game.judge, now=club_game.later(), room=club_game.room
    )
    assert (stored(club_game, 1).hook, stored(club_game, 3).hook) == ("ECS", "ESC")


def test_rules_without_crossing_letters_refuse_a_second_word(judge: User) -> None:
    club_game = create_club_game(judge, profile="club")
    club_game.begin_turn("ACEIRST")
    with pytest.raises(Refused, match="two words in this line, CARTE and ORO; write one"):
        club_game.paper("3 CARTE ORO 18")


def test_a_reference_against_the_grid_is_told_before_it_counts(club_game: ClubGame) -> None:
    typed = DeskLine("3 1A > PUBLIERA 167")
    echo = read_line(game=club_game.refresh(), typed=typed, room=club_game.room, judges=True)
    assert echo.sentence == "Table 3, Carla Neri: PUBLIERA, at 1A, but written across, declared 167."
    for line in ("1 1A PUBLIERA 167", "2 1A > PUBLIERA 167", "3 A1 > PUBLIERA 167"):
        club_game.paper(line)
    club_game.phone(17, "PUBLIERA", "1A", 167)
    club_game.close()
    points = [told(club_game.verdict(table))[1:3] for table in (1, 2, 17, 3)]
    assert points == [(162, 5)] * 3 + [(167, 0)]
