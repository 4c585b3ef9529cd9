"""The history of a member at the desk, and the records of the club."""

from __future__ import annotations

import pytest
from django.test import Client
from pytest_django import Settings

from tests.tournaments.seasons.club_year import give_words, make_club_year
from tournaments.models import Member, MemberAct
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(client: Client) -> Client:
    client.force_login(first_judge())
    return client


def test_the_director_sees_the_history_and_gives_the_page_a_new_address(desk: Client) -> None:
    year = make_club_year()
    here = f"/desk/members/{year.anna.pk}/history/"
    text = desk.get(here).content.decode()
    assert f"/m/{year.anna.page_token}/" in text
    assert "90.0%" in text
    desk.post(here)
    text = desk.get(here).content.decode()
    renewed = Member.objects.get(pk=year.anna.pk).page_token
    assert renewed != year.anna.page_token
    assert f"/m/{renewed}/" in text
    assert MemberAct.objects.get().kind == "page_renewed"


def test_the_page_says_that_sheets_have_the_address_only_if_they_have_it(desk: Client, settings: Settings) -> None:
    here = f"/desk/members/{make_club_year().anna.pk}/history/"
    settings.PUBLIC_URL = ""
    assert "player sheets" not in desk.get(here).content.decode()
    settings.PUBLIC_URL = "https://club.example"
    assert "player sheets" in desk.get(here).content.decode()


def test_a_merged_record_leads_to_its_member(desk: Client) -> None:
    year = make_club_year()
    Member.objects.filter(pk=year.bruno.pk).update(merged_into=year.anna)
    answer = desk.get(f"/desk/members/{year.bruno.pk}/history/")
    assert answer["Location"] == f"/desk/members/{year.anna.pk}/history/"


def test_records_name_their_holders(desk: Client) -> None:
    year = make_club_year()
    give_words(year.anna, year.evenings[0], ("GRAZIOSE", 98, True))
    text = " ".join(desk.get("/desk/records/").content.decode().split())
    assert "GRAZIOSE 8D" in text
    assert "98 points" in text
    assert f'<a href="/desk/members/{year.bruno.pk}/history/">Bruno Verdi</a>' in text
