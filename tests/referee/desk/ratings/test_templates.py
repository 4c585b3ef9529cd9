"""Files of export templates: what they hold, how they are written, and the editor."""

from __future__ import annotations

import csv
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from referee.results.files import FILES
from referee.results.template_columns import COLUMNS
from referee.results.template_file import write_template_file
from tests.tournaments.club_game import ClubGame
from tournaments.errors import Refused
from tournaments.events.services import options
from tournaments.models import ExportTemplate, Member
from tournaments.now import utc_now
from tournaments.players.services.anonymise import anonymise_event
from tournaments.ratings.services.templates import check_template
from tournaments.results.queries.event_export import EventExport, event_export

pytestmark = pytest.mark.django_db
OF_A_RATING = [name for name in COLUMNS if name not in ("handicap", "total")]


def template(*columns: str, **fields: Any) -> ExportTemplate:
    return ExportTemplate(name="FISF", columns=[[column, ""] for column in columns], **fields)


def export(club_game: ClubGame) -> EventExport:
    found = event_export(club_game.event)
    assert found is not None
    return found


def rows(club_game: ClubGame, form: ExportTemplate) -> list[list[str]]:
    text = write_template_file(form, export(club_game)).content.decode(form.encoding)
    return list(csv.reader(StringIO(text), delimiter=form.separator))


@pytest.mark.parametrize("line_for_each_game", [False, True])
def test_no_file_for_a_rating_has_a_trace_of_the_handicap(evening: ClubGame, line_for_each_game: bool) -> None:
    """The files of the event with a handicap of 500 points are, byte for byte, those without one."""
    form = template(*OF_A_RATING, line_for_each_game=line_for_each_game)

    def with_handicap(series: dict[str, int]) -> tuple[list[int], bytes, bytes]:
        options.set_handicap(event=evening.event, unit="points", series=series, by=evening.judge, now=evening.later())
        given = export(evening)
        places = [row.player.table for row in given.view.rows]
        return places, write_template_file(form, given).content, FILES["sigles"].write(given)

    places, *files = with_handicap({"A": 500})
    plain_places, *plain_files = with_handicap({})
    assert places != plain_places, "the handicap changes the places of the event"
    assert files == plain_files


def test_a_file_that_is_not_for_a_rating_may_have_the_handicap(evening: ClubGame) -> None:
    form = template("table", "points", "handicap", "total", for_rating=False)
    _head, *lines = rows(evening, form)
    assert {line[0]: line[2] for line in lines} == {"1": "0", "2": "500", "3": "500", "17": "0"}
    assert all(int(points) + int(handicap) == int(total) for _table, points, handicap, total in lines)
    form.for_rating = True
    with pytest.raises(Refused, match="has no handicap points"):
        check_template(form, COLUMNS)


def test_each_setting_is_in_the_file(evening: ClubGame) -> None:
    form = template("licence", "percent", separator=",", decimal_sign=",", line_end="\n", encoding="utf-8-sig")
    form.columns = [["percent", "Pct"], ["licence", ""], ["event", ""]]
    content = write_template_file(form, export(evening)).content
    assert content.startswith(b"\xef\xbb\xbfPct,Licence number,Event\n")
    assert b"\r" not in content
    line = next(row for row in rows(evening, form) if row[1] == "IT-7")
    percent = next(row.line.percent for row in export(evening).plain.rows if row.line.table == 1)
    assert line == [str(percent).replace(".", ","), "IT-7", "Club night"]
    form.with_header = False
    assert len(rows(evening, form)) == 4


def test_a_line_for_each_game_has_the_points_of_that_game(evening: ClubGame) -> None:
    form = template("game", "table", "points", "tops", "rank", line_for_each_game=True)
    [results] = export(evening).games
    assert rows(evening, form)[1:] == [
        ["1", str(line.player.table), str(line.standing.total), str(sum(results.tops)), str(line.standing.rank)]
        for line in results.lines
    ]


@pytest.mark.parametrize(("encoding", "name"), [("utf-8", "Dalí Țuc"), ("latin-1", "Dalí Tuc"), ("cp1252", "Dalí Tuc")])
def test_names_that_the_encoding_cannot_write_are_transliterated_and_told(
    evening: ClubGame, encoding: str, name: str
) -> None:
    form = template("name", encoding=encoding)
    written = write_template_file(form, export(evening))
    assert name in written.content.decode(encoding).splitlines()
    assert written.notice == (
        "" if encoding == "utf-8" else "The encoding cannot write 1 text as it is: “Dalí Țuc” becomes “Dalí Tuc”."
    )


def test_no_name_becomes_a_formula(evening: ClubGame) -> None:
    names = {row[0] for row in rows(evening, template("name"))}
    assert "'=1+1" in names
    assert "=1+1" not in names


def test_anonymised_people_have_their_pseudonyms(finished: ClubGame) -> None:
    form = template("name", "licence", "first_name")
    Member.objects.filter(surname="Rossi").update(surname="Member 1", first_name="", anonymised_at=utc_now())
    lines = rows(finished, form)
    assert ["Member 1", "", ""] in lines
    assert not any("Rossi" in cell or "IT-7" in cell for line in lines for cell in line)
    anonymise_event(event=finished.event, by=finished.judge, now=finished.later())
    assert ["Player 2", "", "Player"] in rows(finished, form)


def test_the_editor_stores_a_template_as_it_was_sent_and_the_event_offers_the_file(
    director: Client, evening: ClubGame
) -> None:
    created = director.post("/desk/export-templates/", {"name": "FISF"})
    stored = ExportTemplate.objects.get()
    assert created["Location"] == f"/desk/export-templates/{stored.pk}/"
    sent = {
        **{"name": "FISF  2026", "separator": "tab", "encoding": "cp1252", "decimal_sign": ",", "line_end": "lf"},
        **{"lines": "game", "with_header": "on", "for_rating": "on"},
        **{"place-points": "2", "place-name": "10", "heading-points": "Pts", "place-rank": "1", "place-club": ""},
    }
    address = created["Location"]
    sample = director.post(address, sent)
    assert "Pts → Name" in sample.content.decode()
    stored.refresh_from_db()
    assert stored.name == "FISF", "a sample stores nothing"
    assert director.post(address, sent | {"save": "1"}).status_code == 302
    stored.refresh_from_db()
    assert (stored.name, stored.columns) == ("FISF 2026", [["rank", ""], ["points", "Pts"], ["name", ""]])
    assert (stored.separator, stored.encoding, stored.decimal_sign, stored.line_end) == ("\t", "cp1252", ",", "\n")
    assert (stored.with_header, stored.line_for_each_game, stored.for_rating) == (True, True, True)
    page = director.get(f"/desk/{evening.event.code}/federation-files/").content.decode()
    assert "FISF 2026" in page
    assert "becomes “Dalí Tuc”" in page
    file = director.get(f"/desk/{evening.event.code}/federation-files/{stored.pk}/")
    assert file.content == write_template_file(stored, export(evening)).content
    assert file["Content-Disposition"] == f'attachment; filename="{evening.event.code}-federation-{stored.pk}.csv"'


def test_the_command_writes_the_file_of_a_template(evening: ClubGame, tmp_path: Path) -> None:
    form = template("name", "points")
    form.save()
    out = tmp_path / "file.csv"
    call_command("export_event", evening.event.code, "--template", "FISF", "--out", str(out))
    assert out.read_bytes() == write_template_file(form, export(evening)).content
    with pytest.raises(CommandError, match="There is no export template “Other”"):
        call_command("export_event", evening.event.code, "--template", "Other", "--out", str(out))


def test_the_editor_copies_deletes_and_refuses_in_one_sentence(director: Client, evening: ClubGame) -> None:
    director.post("/desk/export-templates/", {"name": "FISF"})
    stored = ExportTemplate.objects.get()
    director.post("/desk/export-templates/", {"copy": stored.pk})
    assert list(ExportTemplate.objects.values_list("name", flat=True)) == ["FISF", "FISF (2)"]
    assert director.post("/desk/export-templates/", {"name": "FISF"}).status_code == 422
    address = f"/desk/export-templates/{stored.pk}/"
    valid = {"separator": "comma", "encoding": "utf-8", "decimal_sign": ".", "line_end": "lf", "place-name": "1"}
    for wrong, sentence in (
        ({"name": "FISF (2)"}, "There is a template with this name already"),
        ({"name": "x", "place-name": ""}, "Choose at least one column"),
        ({"name": "x", "place-total": "2", "for_rating": "on"}, "has no handicap points"),
        ({"name": "x", "encoding": "utf-7"}, "a value that does not exist"),
        ({"name": "x", "place-club": "two"}, "“two” is not a whole number"),
    ):
        answer = director.post(address, {**valid, **wrong, "heading-name": "Kept", "save": "1"})
        assert answer.status_code == 422
        assert sentence in answer.content.decode()
        assert "Kept" in answer.content.decode(), "the form keeps its values"
    assert director.post(address, {"delete": "1"}).status_code == 302
    assert not ExportTemplate.objects.filter(pk=stored.pk).exists()
