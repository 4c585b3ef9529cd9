"""A judge comes in by a link that works once."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User

from tests.tournaments.club_game import START_TIME
from tournaments.models import LoginLink
from tournaments.staff.services import login_links

TOKEN = "t" * 43


def test_the_first_judge_has_no_password_and_is_made_once(db: None) -> None:
    judge = login_links.first_judge()
    assert not judge.has_usable_password()
    assert (judge.is_staff, judge.is_superuser) == (False, False)
    assert login_links.first_judge() == judge


def test_a_link_lets_in_once(judge: User) -> None:
    login_links.make_login_link(user=judge, now=START_TIME, token=TOKEN)
    assert login_links.use_login_link(token=TOKEN, now=START_TIME + timedelta(minutes=5)) == judge
    assert login_links.use_login_link(token=TOKEN, now=START_TIME + timedelta(minutes=6)) is None


def test_only_the_hash_is_stored(judge: User) -> None:
    login_links.make_login_link(user=judge, now=START_TIME, token=TOKEN)
    assert TOKEN not in str(LoginLink.objects.values().get())


@pytest.mark.parametrize("token", ["", "x", TOKEN.upper(), "\ud800", "\x00"])
def test_another_token_lets_nobody_in(judge: User, token: str) -> None:
    login_links.make_login_link(user=judge, now=START_TIME, token=TOKEN)
    assert login_links.use_login_link(token=token, now=START_TIME) is None


def test_an_old_link_is_void_and_swept(judge: User) -> None:
    login_links.make_login_link(user=judge, now=START_TIME, token=TOKEN)
    later = START_TIME + timedelta(hours=1)
    assert login_links.use_login_link(token=TOKEN, now=later) is None
    login_links.make_login_link(user=judge, now=later + timedelta(seconds=1), token="u" * 43)
    assert LoginLink.objects.count() == 1


def test_a_user_who_may_not_work_any_more_stays_out(judge: User) -> None:
    login_links.make_login_link(user=judge, now=START_TIME, token=TOKEN)
    User.objects.update(is_active=False)
    assert login_links.use_login_link(token=TOKEN, now=START_TIME) is None
