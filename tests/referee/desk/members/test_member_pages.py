"""Pages of members at the desk: list, form, import, duplicates, privacy, export."""

from __future__ import annotations

import re
from datetime import date
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from referee.results.files import write_workbook
from referee.results.members import members_sheet
from referee.results.standings_table import csv_text
from tournaments.members.member_changes import compare_members
from tournaments.members.member_fields import details_of
from tournaments.members.member_table import parse_member_rows
from tournaments.members.services.members import MemberDetails, create_member
from tournaments.models import DistinctMembers, Member, MemberAct
from tournaments.now import utc_now
from tournaments.players.cell_tables import read_cells
from tournaments.staff.services.login_links import first_judge


@pytest.fixture
def user(db: None) -> User:
    return first_judge()


@pytest.fixture
def desk(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def add(surname: str, first_name: str = "", **details: object) -> Member:
    described = MemberDetails(surname=surname, first_name=first_name, **details)  # type: ignore[arg-type]
    return create_member(details=described, by=None, now=utc_now(), is_namesake=True)


def shown_names(page: str) -> list[str]:
    return re.findall(r'<th scope="row"><a href="/desk/members/\d+/">(.*?)</a>', page)


def page(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return unescape(answer.content.decode())


def test_the_list_searches_without_accents_filters_and_sorts_by_surname(desk: Client) -> None:
    add("Rossi", "Anna", club="Torino", licence="IT-12", category="A")
    add("Müller", "José", club="Milano", category="B")
    add("De Luca", "Zoë", club="Torino")
    add("Gone", "Carla", left_on="2020-01-01")
    assert shown_names(page(desk, "/desk/members/")) == ["De Luca Zoë", "Müller José", "Rossi Anna"]
    for query, names in {
        "q=MULLER+jose": ["Müller José"],
        "q=it-12": ["Rossi Anna"],
        "q=tori": ["De Luca Zoë", "Rossi Anna"],
        "club=Torino&category=A": ["Rossi Anna"],
        "state=left": ["Gone Carla"],
        "state=all&q=a": ["De Luca Zoë", "Gone Carla", "Müller José", "Rossi Anna"],
        "q=nobody": [],
        "state=x&page=99": ["De Luca Zoë", "Müller José", "Rossi Anna"],
    }.items():
        assert shown_names(page(desk, f"/desk/members/?{query}")) == names, query
    assert "3 members" in page(desk, "/desk/members/")


def test_the_list_of_many_members_takes_few_queries_and_shows_a_hundred(desk: Client) -> None:
    Member.objects.bulk_create(Member(surname=f"Rossi {number}", first_name="Anna") for number in range(250))
    desk.get("/desk/members/")
    with CaptureQueriesContext(
        connection,
    ) as queries:
        html = page(desk, "/desk/members/?page=2")
    assert len(shown_names(html)) == 100
    assert "101 to 200" in html
    assert len(queries) <= 6


def test_a_member_is_added_with_every_field_and_edited(desk: Client, user: User) -> None:
    posted = {
        "surname": "Rossi",
        "first_name": "Anna",
        "birth_year": "1958",
        "email": "anna@example.org",
        "joined_on": "2020-09-01",
        "wants_mail": "on",
        "note": "one\r\ntwo",
    }
    assert desk.post("/desk/members/new/", posted).status_code == 302
    anna = Member.objects.get()
    assert (anna.birth_year, str(anna.joined_on), anna.wants_mail, anna.note) == (1958, "2020-09-01", True, "one\ntwo")
    assert 'value="2020-09-01"' in page(desk, f"/desk/members/{anna.pk}/")
    assert desk.post(f"/desk/members/{anna.pk}/", {**posted, "club": "Torino", "wants_mail": ""}).status_code == 302
    assert list(MemberAct.objects.values_list("kind", "by")) == [("created", user.pk), ("changed", user.pk)]


def test_what_is_refused_keeps_the_values_of_the_form(desk: Client) -> None:
    add("Rossi", "Anna", licence="12")
    answer = desk.post("/desk/members/new/", {"surname": "Verdi", "first_name": "Bruno", "licence": "12"})
    html = unescape(answer.content.decode())
    assert answer.status_code == 422
    assert "The licence number 12 belongs to Anna Rossi" in html
    assert 'value="Verdi"' in html
    namesake = {"surname": "rossi", "first_name": "ANNA", "club": "Milano"}
    html = unescape(desk.post("/desk/members/new/", namesake).content.decode())
    assert "There is a member called Anna Rossi already. Is this somebody else?" in html
    assert 'value="Milano"' in html
    assert desk.post("/desk/members/new/", {**namesake, "is_namesake": "yes"}).status_code == 302
    assert Member.objects.count() == 2
    assert desk.post("/desk/members/new/", {"surname": "Neri", "birth_year": "x"}).status_code == 422


def fields_of(html: str) -> dict[str, str]:
    """The values of the form of a preview, as a browser would send them."""
    fields = {"cells": re.search(r'name="cells" value="(.*?)"', html, re.S)[1]}  # type: ignore[index]
    for name, options in re.findall(r'<select id="[\w-]+" name="([\w-]+)">(.*?)</select>', html, re.S):
        fields[name] = (re.findall(r'<option value="(\w*)" selected', options) or [""])[0]
    if 'name="has_header" value="yes" checked' in html:
        fields["has_header"] = "yes"
    return fields


def test_a_file_is_previewed_its_columns_assigned_and_imported(desk: Client) -> None:
    anna = add("Rossi", "Anna", club="Torino")
    content = b"Cogn.;Nome;Club;Nascita\nRossi;Anna;Milano;1958\nVerdi;Bruno;Ivrea;x\nNeri;Carla;;\n"
    answer = desk.post("/desk/members/file/", {"file": SimpleUploadedFile("list.csv", content)})
    html = answer.content.decode()
    assert "2 columns are not recognised" in unescape(html)
    fields = {name: unescape(value) for name, value in fields_of(html).items()}
    fields |= {"column-0": "surname", "column-1": "first_name", "column-3": "birth_year", "check_file": "1"}
    html = desk.post("/desk/members/file/", fields).content.decode()
    assert "“x” is not a year of birth" in unescape(html)
    assert "1 name is in the list already" in unescape(html), "another club: the user is asked"
    fields |= {"namesake-2": str(anna.pk)}
    html = desk.post("/desk/members/file/", fields).content.decode()
    assert "Add 1 and update 1" in unescape(html)
    assert "<del>Torino</del> → <ins>Milano</ins>" in html
    shown = re.search(r'name="shown" value="(\w+)"', html)[1]  # type: ignore[index]
    assert desk.post("/desk/members/file/", {**fields, "shown": shown}).status_code == 302
    anna.refresh_from_db()
    assert (anna.club, anna.birth_year) == ("Milano", 1958)
    assert sorted(Member.objects.values_list("surname", flat=True)) == ["Neri", "Rossi"]
    again = desk.post("/desk/members/file/", {"file": SimpleUploadedFile("list.csv", content)})
    assert "not recognised" not in again.content.decode()
    assert fields_of(again.content.decode())["column-0"] == "surname"


def test_what_is_no_list_is_refused_in_a_sentence(desk: Client) -> None:
    for content in (b"%PDF-1.4", b"PK\x03\x04", b"\0\1"):
        answer = desk.post("/desk/members/file/", {"file": SimpleUploadedFile("list.csv", content)})
        assert answer.status_code == 422 or "error" in answer.content.decode()
    for content in (b"", b"\n", b"Surname;First name\n"):
        answer = desk.post("/desk/members/file/", {"file": SimpleUploadedFile("list.csv", content)})
        assert "The file has no members" in answer.content.decode()
    assert "Choose a file first" in unescape(desk.post("/desk/members/file/").content.decode())


def test_duplicates_are_merged_separated_and_told_apart(desk: Client) -> None:
    one, other = add("Rossi", "Giovanni", club="Torino"), add("Rosi", "Giovanni", licence="7")
    html = page(desk, "/desk/members/duplicates/")
    assert "One or two letters differ." in html
    assert desk.post("/desk/members/duplicates/", {"kept": one.pk, "duplicate": other.pk}).status_code == 302
    assert "No two members" in page(desk, "/desk/members/duplicates/")
    assert shown_names(page(desk, "/desk/members/")) == ["Rossi Giovanni"]
    assert "Separate this record" in page(desk, f"/desk/members/{one.pk}/")
    assert desk.get(f"/desk/members/{other.pk}/").headers["Location"] == f"/desk/members/{one.pk}/"
    assert desk.post(f"/desk/members/{other.pk}/separate/").status_code == 302
    assert desk.get(f"/desk/members/{other.pk}/").status_code == 200
    desk.post("/desk/members/duplicates/", {"kept": one.pk, "duplicate": other.pk, "distinct": "1"})
    assert DistinctMembers.objects.count() == 1
    assert "No two members" in page(desk, "/desk/members/duplicates/")
    desk.post("/desk/members/duplicates/", {"kept": one.pk, "duplicate": "99999"})
    assert "does not exist any more" in page(desk, "/desk/members/duplicates/")


def test_a_record_under_another_name_is_searched_and_merged(desk: Client) -> None:
    anna, married = add("Rossi", "Anna"), add("Bianchi", "Anna", licence="9")
    address = f"/desk/members/{anna.pk}/"
    assert "Merge Anna Bianchi into Anna Rossi" in page(desk, f"{address}?merge=bianchi")
    assert "No other member matches." in page(desk, f"{address}?merge=rossi")
    posted = {"kept": anna.pk, "duplicate": married.pk, "next": address}
    assert desk.post("/desk/members/duplicates/", posted).headers["Location"] == address
    anna.refresh_from_db()
    assert anna.licence == "9"


def test_stored_data_is_shown_and_saved_and_anonymising_needs_the_box(desk: Client) -> None:
    anna = add("Zanzottera", "Anna", note="secretary")
    address = f"/desk/members/{anna.pk}/data/"
    html = page(desk, address)
    assert "secretary" in html
    assert "Anonymise Anna Zanzottera for good?" in html
    assert desk.get(f"/desk/members/{anna.pk}/data.json").json()["records"][0]["note"] == "secretary"
    desk.post(address)
    assert "Tick the box" in page(desk, address)
    assert desk.post(address, {"confirmed": "yes"}).status_code == 302
    html = page(desk, address)
    assert "Zanzottera" not in html
    assert "The member is anonymised" in html
    assert shown_names(page(desk, "/desk/members/")) == []
    assert "nothing can be changed" in page(desk, f"/desk/members/{anna.pk}/")


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/desk/members/", "/desk/members/file/", "/desk/members/list.csv"])
def test_pages_of_members_are_for_organisers_alone(address: str) -> None:
    client = Client()
    assert client.get(address).status_code == 302
    client.force_login(User.objects.create(username="a player"))
    assert client.get(address).status_code == 403


def test_the_export_has_the_found_members_and_no_formula(desk: Client) -> None:
    add("=cmd|' /C calc'!A0", "Anna", club="Torino", note="+1")
    add("Verdi", club="Milano")
    text = desk.get("/desk/members/list.csv?club=Torino").content.decode("utf-8-sig")
    assert text.splitlines()[1].startswith("\"'=cmd|")
    assert '"\'+1"' in text
    assert "Verdi" not in text
    book = desk.get("/desk/members/list.xlsx").content
    assert [row.cells[0] for row in read_cells(book)] == ["Surname", "'=cmd|' /C calc'!A0", "Verdi"]
    assert desk.get("/desk/members/list.exe").status_code == 404


class ExportAndImport(TestCase):
    """An exported list, imported again, changes nothing."""

    @given(st.data())
    def test_an_exported_list_imported_again_changes_nothing(self, data: st.DataObject) -> None:
        Member.objects.all().delete()
        text = st.text(st.sampled_from("abÉß='+-@;,\" \n1"), max_size=6)
        for number in range(data.draw(st.integers(1, 4))):
            details = MemberDetails(
                surname=f"Rossi{number}",
                first_name=data.draw(text),
                club=data.draw(text),
                licence=data.draw(st.sampled_from(["", f"=0{number}"])),
                birth_year=data.draw(st.sampled_from([None, 1950])),
                note=data.draw(text),
                joined_on=data.draw(st.none() | st.dates(min_value=date(1950, 1, 1))),
                may_be_published=data.draw(st.booleans()),
            )
            create_member(details=details, by=None, now=utc_now(), is_namesake=True)
        members = list(Member.objects.order_by("pk"))
        sheet = members_sheet(members)
        contents = csv_text([sheet.headings, *sheet.rows]).encode("utf-8-sig"), write_workbook("Members", [sheet])
        for content in contents:
            read = parse_member_rows(read_cells(content), utc_now().date(), {})
            changes = compare_members(read, {}, utc_now().date())
            assert [*read.errors, *changes.errors] == []
            assert [(change.member, change.texts) for change in changes.changed] == []
            assert [each.member for each in changes.unchanged] == members
            assert [details_of(each.member) for each in changes.unchanged] == [details_of(each) for each in members]
