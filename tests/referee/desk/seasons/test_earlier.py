"""Earlier evenings are imported from files after a preview; the same file again changes nothing, another one asks."""

from __future__ import annotations

import re
from datetime import date
from html import unescape
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tournaments.models import EventSummary, Member, PlayerResult, Season
from tournaments.seasons.queries.rankings import view_ranking
from tournaments.seasons.services.summaries import refresh_summaries
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.django_db
PAGE = "/desk/seasons/earlier/"
YEAR = (
    "Nome;Tessera;3/10/2019;10/10;Totale\nAnna Rossi;L1;812;700;1512\nBruno Verdi;;790;;790\nUgo Conti;;650;710;1360\n"
)


@pytest.fixture
def client() -> Client:
    client = Client()
    client.force_login(first_judge())
    return client


def upload(client: Client, text: str, name: str = "2019.csv") -> Any:
    return client.post(PAGE, {"files": [SimpleUploadedFile(name, text.encode())]})


def fields_of(answer: Any) -> dict[str, str]:
    """Return what the form of the preview would send."""
    page = answer.content.decode()
    form = page.partition('name="held"')[0][-200:] + page[page.index('name="held"') :].partition("</form>")[0]
    fields = {}
    for tag in re.findall(r"<input[^>]*>", '<input type="hidden" ' + form[form.index('name="held"') :]):
        attributes = dict(re.findall(r'([\w-]+)="([^"]*)"', tag))
        if attributes.get("type") != "checkbox" or " checked" in tag:
            fields[attributes["name"]] = unescape(attributes.get("value", ""))
    for name, options in re.findall(r'<select[^>]*name="([^"]*)">(.*?)</select>', form, re.DOTALL):
        chosen = re.search(r'value="([^"]*)" selected', options)
        fields[name] = chosen[1] if chosen else ""
    return fields


def test_a_year_is_imported_after_dates_are_completed_and_counts_in_its_season(client: Client) -> None:
    anna = Member.objects.create(surname="Rossi", first_name="Anna", licence="L1")
    answer = upload(client, YEAR)
    assert "The date is missing." in answer.content.decode()
    fields = fields_of(answer)
    assert client.post(PAGE, fields | {"import": "1"}).status_code == 422
    answer = client.post(PAGE, fields | {"first_year": "2019", "check": "1"})
    fields = fields_of(answer)
    assert fields["date-1"] == "2019-10-10"
    assert not EventSummary.objects.exists()
    answer = client.post(PAGE, fields | {"name-1": "Open", "tops-0": "1000", "import": "1"}, follow=True)
    assert "2 evenings imported." in answer.content.decode()
    assert "3 results belong to no member yet" in answer.content.decode()
    rows = EventSummary.objects.order_by("date").values_list("name", "date", "tops", "source")
    assert list(rows) == [
        ("Evening", date(2019, 10, 3), 1000, "2019.csv"),
        ("Open", date(2019, 10, 10), 0, "2019.csv"),
    ]
    season = Season.objects.create(name="2019", starts=date(2019, 9, 1), ends=date(2020, 8, 31))
    refresh_summaries()
    (line,) = view_ranking(season.rankings.create(name="Points", rule={"measure": "points"})).lines
    assert (line.member, int(line.line.value)) == (anna, 1512)


def test_the_same_file_again_changes_nothing_and_a_corrected_one_asks(client: Client) -> None:
    text = YEAR.replace("10/10;", "10/10/2019;")
    client.post(PAGE, fields_of(upload(client, text)) | {"import": "1"})
    before = list(PlayerResult.objects.order_by("pk").values())
    again = upload(client, text)
    assert "there is nothing to import" in again.content.decode()
    client.post(PAGE, fields_of(again) | {"import": "1"})
    assert list(PlayerResult.objects.order_by("pk").values()) == before
    ugo = Member.objects.create(surname="Conti", first_name="Ugo")
    PlayerResult.objects.filter(name="Ugo Conti").update(member=ugo)
    Member.objects.create(surname="Conti", first_name="Ugo")  # the name alone says no more who it is
    answer = upload(client, text.replace("650", "660"))
    assert "It differs from the stored one." in answer.content.decode()
    refused = client.post(PAGE, fields_of(answer) | {"import": "1"})
    assert refused.status_code == 422
    assert "tick that it is replaced" in refused.content.decode()
    client.post(PAGE, fields_of(answer) | {"import": "1", "replace": "1"})
    assert EventSummary.objects.count() == 2
    assert PlayerResult.objects.get(points=660).member == ugo


def test_columns_are_assigned_and_their_evenings_are_shown_before_the_import(client: Client) -> None:
    answer = upload(client, "Wer;Was\nAnna Rossi;812\n", "3.10.2019.csv")
    assert "Headings are missing" in answer.content.decode()
    answer = upload(client, "Nome;Was\nAnna Rossi;812\n", "3.10.2019.csv")
    fields = fields_of(answer) | {"column-1": "points"}
    shown = client.post(PAGE, fields | {"import": "1"})
    assert not EventSummary.objects.exists()
    assert "1 evening in the files" in shown.content.decode()
    client.post(PAGE, fields_of(shown) | {"import": "1"})
    assert EventSummary.objects.get().date == date(2019, 10, 3)


def test_what_a_page_holds_cannot_be_changed_and_other_files_are_refused(client: Client) -> None:
    answer = client.post(PAGE, {"held": "changed", "import": "1"})
    assert answer.status_code == 422
    assert "choose them again" in answer.content.decode()
    for name, content in (
        ("a.pdf", b"%PDF-1.7"),
        ("b.json", b'{"format": "other"}'),
        ("c.zip", b"PK\x05\x06" + bytes(18)),
    ):
        answer = client.post(PAGE, {"files": [SimpleUploadedFile(name, content)]})
        assert answer.status_code == 422, name
    assert "No result was found" in upload(client, "Nome;Punti\n").content.decode()
    assert not EventSummary.objects.exists()


def test_an_imported_evening_can_be_deleted(client: Client) -> None:
    client.post(PAGE, fields_of(upload(client, "Nome;3.10.2019\nAnna;812\n")) | {"import": "1"})
    stored = EventSummary.objects.get()
    answer = client.post(f"{PAGE}{stored.pk}/delete/", follow=True)
    assert "is deleted" in answer.content.decode()
    assert not PlayerResult.objects.exists()
