"""Merging records of one person, and separating them again."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.contrib.auth.models import User
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from tests.tournaments.club_game import ClubGame
from tournaments.errors import AlreadyDone, Refused
from tournaments.members.member_fields import MEMBER_FIELDS
from tournaments.members.queries.identities import get_members_of_players, get_records_of
from tournaments.members.services.members import MemberDetails, change_member, create_member, details_of
from tournaments.members.services.merging import mark_distinct, merge_members, unmerge_member
from tournaments.models import DistinctMembers, Member, MemberAct, PlayerMember

NOW = datetime(2026, 3, 6, 20, 30, tzinfo=UTC)
HERS = MemberDetails(surname="Rossi", first_name="Anna", club="Torino", left_on=date(2024, 1, 1), may_be_published=True)
SAME = MemberDetails(surname="Rossi", first_name="Ana", licence="IT-12", birth_year=1958, club="Milano")


def add(details: MemberDetails) -> Member:
    return create_member(details=details, by=None, now=NOW, is_namesake=True)


def everything() -> list[dict[str, Any]]:
    return [dict(row) for row in Member.objects.order_by("pk").values()]


@pytest.mark.django_db
def test_a_merged_record_fills_empty_fields_and_its_results_are_those_of_the_member(
    club_game: ClubGame, judge: User
) -> None:
    anna, record = add(SAME), add(HERS)
    PlayerMember.objects.create(player=club_game.player(1), member=record)
    merge_members(kept=anna, duplicate=record, by=judge, now=NOW)
    anna.refresh_from_db()
    assert details_of(anna) == SAME, "consent and the end of the membership are not taken over"
    assert get_members_of_players([club_game.player(1).pk]) == {club_game.player(1).pk: [anna.pk]}
    assert list(MemberAct.objects.filter(kind="merged").values_list("member", "by")) == [
        (anna.pk, judge.pk),
        (record.pk, judge.pk),
    ]
    with pytest.raises(AlreadyDone):
        merge_members(kept=anna, duplicate=record, by=judge, now=NOW)
    unmerge_member(record=record, by=judge, now=NOW)
    assert get_members_of_players([club_game.player(1).pk]) == {club_game.player(1).pk: [record.pk]}


@pytest.mark.django_db
def test_a_licence_goes_with_the_record_that_brought_it() -> None:
    anna, record = add(HERS), add(SAME)
    merge_members(kept=anna, duplicate=record, by=None, now=NOW)
    anna.refresh_from_db()
    assert (anna.licence, anna.birth_year, anna.club) == ("IT-12", 1958, "Torino")
    with pytest.raises(Refused, match="it-12 belongs to Anna Rossi"):
        add(MemberDetails(surname="Verdi", licence="it-12"))
    change_member(member=anna, details=replace(details_of(anna), birth_year=1959), by=None, now=NOW)
    unmerge_member(record=record, by=None, now=NOW)
    anna.refresh_from_db()
    assert (anna.licence, anna.birth_year) == ("", 1959), "what was edited since stays"


@pytest.mark.django_db
def test_records_with_one_licence_are_not_separated() -> None:
    anna, record = add(replace(HERS, licence="IT-99")), add(SAME)
    merge_members(kept=anna, duplicate=record, by=None, now=NOW)
    change_member(member=anna, details=replace(HERS, licence="IT-12"), by=None, now=NOW)
    before = everything()
    with pytest.raises(Refused, match="Both records have the licence number IT-12"):
        unmerge_member(record=record, by=None, now=NOW)
    assert everything() == before


@pytest.mark.django_db
def test_a_decision_that_two_members_differ_is_kept_until_they_are_merged() -> None:
    anna, other = add(HERS), add(SAME)
    mark_distinct(first=other, second=anna, by=None, now=NOW)
    mark_distinct(first=anna, second=other, by=None, now=NOW)
    assert list(DistinctMembers.objects.values_list("first", "second")) == [(anna.pk, other.pk)]
    merge_members(kept=other, duplicate=anna, by=None, now=NOW)
    assert not DistinctMembers.objects.exists()


class Unmerging(TestCase):
    """Any merges, undone in any order, leave every record as it was."""

    @given(st.data())
    def test_unmerging_restores_every_record(self, data: st.DataObject) -> None:
        Member.objects.all().delete()
        text, optional = st.sampled_from(["", "a", "b"]), st.sampled_from([None, 1950, 1960])
        for number in range(data.draw(st.integers(2, 5), label="records")):
            licence = data.draw(st.sampled_from(["", str(number)]), label="licence")
            details = MemberDetails(
                surname="Rossi",
                first_name=data.draw(text),
                club=data.draw(text),
                licence=licence,
                birth_year=data.draw(optional),
            )
            add(details)
        before, merged = everything(), []
        roots = [row["id"] for row in before]
        for _time in range(data.draw(st.integers(1, len(roots) - 1), label="merges")):
            kept, duplicate = data.draw(st.permutations(roots))[:2]
            merge_members(
                kept=Member.objects.get(pk=kept), duplicate=Member.objects.get(pk=duplicate), by=None, now=NOW
            )
            roots.remove(duplicate)
            merged.append(duplicate)
        for root in Member.objects.filter(pk__in=roots):
            records = Member.objects.filter(pk__in=get_records_of(root))
            for field in ("first_name", "club", "licence", "birth_year"):
                assert any(getattr(each, field) for each in records) == bool(getattr(root, field))
        for record in data.draw(st.permutations(merged)):
            unmerge_member(record=Member.objects.get(pk=record), by=None, now=NOW)
        assert everything() == before
        assert set(MEMBER_FIELDS) < set(before[0])
