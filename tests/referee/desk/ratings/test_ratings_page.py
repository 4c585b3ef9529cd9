from __future__ import annotations

import pytest
from django.test import Client

from tests.tournaments.club_game import ClubGame
from tournaments.models import EventSummary, Member

pytestmark = pytest.mark.django_db


def test_the_page_lists_members_with_form_and_open_rating(director: Client, finished: ClubGame) -> None:
    page = director.get("/desk/ratings/", {"games": "10"})
    lines = page.context["lines"]
    assert {line.member.surname for line in lines} == {"Rossi", "Verdi", "Tuc"}
    assert [line.rating.shown for line in lines] == sorted((line.rating.shown for line in lines), reverse=True)
    assert all(line.rating.games == 2 for line in lines)
    text = page.content.decode()
    for line in lines:
        assert f"{line.form.percent}%" in text
        assert f"± {line.form.spread}" in text
    assert "provisional" in text


def test_without_a_game_the_page_says_what_to_do(director: Client, db: None) -> None:
    EventSummary.objects.all().delete()
    assert "No game counts yet." in director.get("/desk/ratings/").content.decode()


def test_the_explanation_names_version_library_and_command(director: Client, db: None) -> None:
    text = director.get("/desk/ratings/explained/").content.decode()
    for part in ("version 1", "openskill 6.2.0", "manage.py ratings --from-archives", "no ranking of a federation"):
        assert part in text


def test_somebody_who_directs_nothing_sees_no_ratings(
    client: Client, finished: ClubGame, django_user_model: type
) -> None:
    client.force_login(django_user_model.objects.create(username="guest"))  # type: ignore[attr-defined]
    answer = client.get("/desk/ratings/")
    assert answer.status_code == 403
    assert not any(member.surname in answer.content.decode() for member in Member.objects.all())
