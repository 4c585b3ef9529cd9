"""Members: adding, changing, licences, namesakes."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection

from tournaments.errors import Refused
from tournaments.members.services.members import (
    MemberDetails,
    NamesakeFound,
    change_member,
    create_member,
    details_of,
)
from tournaments.models import Member, MemberAct

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 3, 6, 20, 30, tzinfo=UTC)
ANNA = MemberDetails(surname="Rossi", first_name="Anna", club="Torino", licence="it-12", birth_year=1958)


def test_a_member_is_added_and_changed_and_each_act_is_recorded(judge: User) -> None:
    anna = create_member(details=replace(ANNA, surname="  Rossi\t", note="a\r\nb"), by=judge, now=NOW)
    assert (anna.name, anna.note) == ("Anna Rossi", "a\nb")
    details = replace(details_of(anna), club="Milano", joined_on=date(2020, 9, 1))
    assert change_member(member=anna, details=details, by=judge, now=NOW) == ["club", "joined_on"]
    assert change_member(member=anna, details=details, by=judge, now=NOW) == []
    anna.refresh_from_db()
    assert details_of(anna) == details
    assert list(MemberAct.objects.values_list("member", "kind", "by")) == [
        (anna.pk, "created", judge.pk),
        (anna.pk, "changed", judge.pk),
    ]


def test_a_licence_that_another_member_has_is_refused_with_the_name(judge: User) -> None:
    create_member(details=ANNA, by=judge, now=NOW)
    with pytest.raises(Refused, match="IT-12 belongs to Anna Rossi: check the number"):
        create_member(details=MemberDetails(surname="Verdi", licence="IT-12"), by=judge, now=NOW)
    verdi = create_member(details=MemberDetails(surname="Verdi", licence="it-13"), by=judge, now=NOW)
    with pytest.raises(Refused, match="belongs to Anna Rossi"):
        change_member(member=verdi, details=replace(details_of(verdi), licence="it-12"), by=judge, now=NOW)


def test_a_licence_that_is_stored_by_another_organiser_at_the_same_time_is_refused_with_the_name(judge: User) -> None:
    """On PostgreSQL the other one may write between the check and the storing."""
    verdi = create_member(details=MemberDetails(surname="Verdi"), by=judge, now=NOW)
    for act in (
        lambda: create_member(details=ANNA, by=judge, now=NOW),
        lambda: change_member(member=verdi, details=replace(details_of(verdi), licence="it-12"), by=judge, now=NOW),
    ):
        Member.objects.filter(surname="Neri").delete()
        with connection.execute_wrapper(StoreAfterCheck()), pytest.raises(Refused, match="it-12 belongs to Neri"):
            act()


class StoreAfterCheck:
    """Store a member with the licence IT-12 after the first query that looks for it."""

    is_stored = False

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        done = execute(sql, params, many, context)
        if not self.is_stored and sql.startswith("SELECT") and "licence" in str(sql).partition("WHERE")[2]:
            self.is_stored = True
            Member.objects.create(surname="Neri", licence="IT-12")
        return done


def test_a_namesake_is_added_after_a_question(judge: User) -> None:
    anna = create_member(details=ANNA, by=judge, now=NOW)
    other = MemberDetails(surname="ROSSÌ", first_name="anna")
    with pytest.raises(NamesakeFound) as found:
        create_member(details=other, by=judge, now=NOW)
    assert found.value.namesakes == [anna]
    with pytest.raises(NamesakeFound):
        create_member(details=MemberDetails(surname="Anna", first_name="Rossi"), by=judge, now=NOW)
    assert create_member(details=other, by=judge, now=NOW, is_namesake=True).pk != anna.pk


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"surname": " "}, "Give the member a surname"),
        ({"surname": "x" * 101}, "at most 100 fit"),
        ({"birth_year": 2027}, "2027 is not a year of birth: write a year from 1880 to 2026"),
        ({"email": "anna"}, "is not an e-mail address: write it like"),
        ({"wants_mail": True}, "need an address"),
        ({"joined_on": date(2020, 1, 2), "left_on": date(2020, 1, 1)}, "before the date of entry"),
        ({"note": "x" * 2001}, "at most 2000 fit"),
    ],
)
def test_what_a_field_cannot_hold_is_refused_with_the_remedy(judge: User, wrong: dict[str, Any], sentence: str) -> None:
    with pytest.raises(Refused, match=sentence):
        create_member(details=replace(ANNA, **wrong), by=judge, now=NOW)
