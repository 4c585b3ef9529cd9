"""Files of a season's ranking: the same numbers in each of them, and nothing that a spreadsheet would compute."""

from __future__ import annotations

import csv
from datetime import date
from io import BytesIO, StringIO
from random import Random
from typing import Any

import pytest
from django.test import Client
from openpyxl import load_workbook

from referee.pdf.drawing.sheet import MARGIN
from tests.referee.pdf.pages import pages_of
from tests.tournaments.conftest import KeptRows
from tests.tournaments.seasons.club_years import create_evenings, create_members, create_season, list_days, store_states
from tournaments.models import Ranking, Season
from tournaments.seasons.queries.rankings import RankingView, view_ranking
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.django_db


def make_season() -> Season:
    """Two years: one of 14 evenings with 45 members, of whom one is named like a formula; and one without events."""
    rng, season = Random(5), create_season(2018)  # noqa: S311  the same rows in each run
    members = create_members(rng, 45)
    members[0].first_name, members[0].surname, members[0].category = "=1+1", "Rossi", "A"
    members[0].save()
    create_evenings(rng, members, list_days(2018, 14), 20)
    create_season(2030)
    store_states()
    return season


@pytest.fixture(scope="module")
def season(kept_rows: KeptRows) -> Any:
    return kept_rows(make_season)


@pytest.fixture
def client(season: Season) -> Client:
    client = Client()
    client.force_login(first_judge())
    return client


def get_file(client: Client, ranking: Ranking, file_format: str, **fields: str) -> bytes:
    address = f"/desk/seasons/{ranking.season_id}/rankings/{ranking.pk}/file.{file_format}"
    answer = client.get(address, fields)
    assert answer.status_code == 200
    assert isinstance(answer.content, bytes)
    return answer.content


def expected_rows(view: RankingView) -> list[tuple[Any, ...]]:
    return [(line.group, line.line.rank, line.member.name, float(line.line.value)) for line in view.lines]


@pytest.mark.parametrize("position", range(4))
def test_csv_and_xlsx_have_the_ranking_with_numbers_as_numbers(client: Client, season: Season, position: int) -> None:
    view = view_ranking(season.rankings.all()[position])
    grouped = bool(view.rule.grouping)
    book = load_workbook(BytesIO(get_file(client, view.ranking, "xlsx")))
    head, *rows = book.worksheets[0].iter_rows(values_only=True)
    at = head.index("Member")
    value = at + 3
    read = [(row[0] if grouped else "", row[at - 1], str(row[at]).lstrip("'"), row[value]) for row in rows]
    assert [row[:3] for row in read] == [row[:3] for row in expected_rows(view)]
    assert [row[3] for row in read] == pytest.approx([row[3] for row in expected_rows(view)], abs=0.005)
    text = get_file(client, view.ranking, "csv", language="en").decode("utf-8-sig")
    listed = list(csv.reader(StringIO(text), delimiter=";"))
    assert [row[at] for row in listed[1:]] == [str(row[at]) for row in rows]
    assert [float(row[value]) for row in listed[1:]] == pytest.approx([row[3] for row in read])
    assert "'=1+1 Rossi" in text


def test_the_second_sheet_holds_the_results_behind_each_value(client: Client, season: Season) -> None:
    ranking = season.rankings.get(name="Points")
    book = load_workbook(BytesIO(get_file(client, ranking, "xlsx", language="en")))
    sums: dict[str, int] = {}
    for name, _day, _event, _rank, _players, points, *_more in book.worksheets[1].iter_rows(2, values_only=True):
        sums[str(name)] = sums.get(str(name), 0) + int(str(points))
    totals: dict[str, int] = {}
    for line in view_ranking(ranking).lines:
        totals[line.member.name] = totals.get(line.member.name, 0) + int(line.line.value)
    assert {name.lstrip("'"): total for name, total in sums.items()} == totals


@pytest.mark.parametrize(("position", "language"), [(1, "it"), (2, "en"), (3, "en")])
def test_the_sheet_fits_its_pages_and_ends_with_the_rule(
    client: Client, season: Season, position: int, language: str
) -> None:
    pages = pages_of(get_file(client, season.rankings.all()[position], "pdf", language=language))
    assert len(pages) == 2
    for page in pages:
        assert page.width > page.height  # fourteen events stand side by side
        assert not page.collisions()
        assert not page.outside(MARGIN / 2)
    ends = {1: "sum of tops", 2: "5, 4, 3, 2, 1", 3: "members without a category"}
    if language == "en":
        assert ends[position] in " ".join(pages[-1].text.split())
    if position == 3:
        assert "Member · " in pages[1].text  # the group is named again on the next page


def test_a_season_without_events_has_a_sheet_that_says_so(client: Client) -> None:
    ranking = Season.objects.get(starts=date(2030, 9, 1)).rankings.get(position=0)
    (page,) = pages_of(get_file(client, ranking, "pdf", language="en"))
    assert "No member has a result" in page.text
    assert client.get(f"/desk/seasons/{ranking.season_id}/rankings/{ranking.pk}/file.exe").status_code == 404
