"""The pages of appeals: a typist brings paper in, a judge looks what would follow, rules, prints the differences."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.tournaments.night import Night, begin
from tournaments.enums import AppealState, Role
from tournaments.models import Appeal, Document, LedgerEntry, Membership
from tournaments.now import utc_now
from tournaments.services import events
from tournaments.services.access import first_judge
from tournaments.services.ending import end_game

pytestmark = pytest.mark.django_db


@pytest.fixture
def night(client: Client) -> Night:
    """The turn of the tests is on the board, and the next one is played."""
    judge: User = first_judge()
    client.force_login(judge, backend="django.contrib.auth.backends.ModelBackend")
    night = begin(judge)
    night.now = utc_now()
    night.begin_turn("ACEIRST")
    night.phone(1, "CESTAI", "8C", 20)
    night.phone(2, "TRISCEA", "8H", 76)
    night.close()
    night.place()
    night.begin_turn()
    return night


def somebody(night: Night, role: Role) -> Client:
    user = User.objects.create(username=f"the {role}")
    Membership.objects.create(event=night.event, user=user, role=role)
    client = Client()
    client.force_login(user)
    return client


def page(client: Client, night: Night, path: str) -> str:
    answer = client.get(f"/desk/{night.event.code}/{path}")
    assert answer.status_code == 200
    return unescape(answer.content.decode())


def posts(client: Client, night: Night, path: str, **fields: str) -> str:
    answer = client.post(f"/desk/{night.event.code}/{path}", fields, follow=True)
    assert answer.status_code == 200
    return unescape(answer.content.decode())


def on_paper(client: Client, night: Night, table: int = 2, **more: str) -> str:
    told = {"table": str(table), "turn": "1", "sentence": "<b>It is a word</b>", "next": _queue(night)}
    return posts(client, night, "do/paper-appeal/", **{**told, **more})


def _queue(night: Night) -> str:
    return f"/desk/{night.event.code}/appeals/"


def confirmed(client: Client, found: str) -> str:
    """Send the form of a preview page."""
    form = re.search(r'<form method="post" action="([^"]*/do/[^"]*)".*?</form>', found, re.DOTALL)
    assert form is not None
    fields = dict(re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)">', form[0]))
    return unescape(client.post(form[1], fields, follow=True).content.decode())


def test_a_typist_brings_paper_in_and_sees_no_verdict(night: Night) -> None:
    typist = somebody(night, Role.TYPIST)
    found = on_paper(typist, night)
    assert "Table 2 appeals against turn 1." in found
    assert "TRISCEA" not in found
    assert Appeal.objects.get().by is not None
    assert typist.get(f"/desk/{night.event.code}/again/").status_code == 403


def test_a_typist_cannot_say_that_late_paper_was_in_time(night: Night) -> None:
    night.game.appeal_minutes = 0
    night.game.save()
    typist, judge = somebody(night, Role.TYPIST), somebody(night, Role.JUDGE)
    assert "In this game nobody may appeal." in on_paper(typist, night, in_time="yes")
    assert not Appeal.objects.exists()
    on_paper(judge, night, in_time="yes")
    assert Appeal.objects.count() == 1


def test_a_judge_looks_at_the_ranking_before_he_upholds(client: Client, night: Night) -> None:
    on_paper(client, night)
    queue = page(client, night, "appeals/")
    assert "TRISCEA 8H 76" in queue
    assert "TRISCEA is not in the word list." in queue
    assert "<blockquote><b>It is a word</b></blockquote>" in queue  # unescaped by the helper: it was text
    pk = str(Appeal.objects.get().pk)
    fields = {"turn": "1", "word": "TRISCEA", "ruling": "accepted", "reason": "page 1204", "appeal": pk}
    found = posts(client, night, "preview/again-word/", **fields, next=_queue(night))
    assert "Accept TRISCEA in turn 1?" in found
    assert re.search(r"Bruno Verdi</th><td>0 → 76</td><td>\+76</td><td>2 → 1</td>", found)
    assert re.search(r"Anna Rossi</th><td>20</td><td>1 → 2</td>", found)
    assert "Solo of turn 1, table: – → 2." in found
    assert "stay as they were played" in found
    assert Appeal.objects.get().state == AppealState.OPEN
    done = confirmed(client, found)
    assert "Turn 1 is judged again; 1 result is another one" in done
    assert "No appeal waits." in done
    assert Appeal.objects.get().state == AppealState.UPHELD
    assert night.verdict(2, turn=1).points == 76


def test_an_appeal_is_rejected_from_the_queue(client: Client, night: Night) -> None:
    on_paper(client, night)
    told = {"appeal": str(Appeal.objects.get().pk), "reason": "In no list.", "next": _queue(night)}
    found = posts(client, night, "do/reject-appeal/", **told)
    assert "The verdict of table 2 stands" in found
    assert "In no list." in found


def test_the_number_of_open_appeals_stands_at_the_link(client: Client, night: Night) -> None:
    assert page(client, night, "appeals/open/").strip() == ""
    on_paper(client, night)
    assert page(client, night, "appeals/open/").strip() == "(1)"


def test_an_appeal_of_the_game_before_is_counted_found_and_answered(client: Client, night: Night) -> None:
    on_paper(client, night)
    night.close()
    night.place()
    end_game(game=night.refresh(), why="judge", by=night.judge, now=night.later())
    events.add_game(event=night.event, by=night.judge, now=night.later(), seed=bytes(32))
    assert page(client, night, "appeals/open/").strip() == "(1)"
    now = page(client, night, "appeals/")
    assert "Game 1 (1)" in now
    assert "No appeal waits." in now
    assert "<b>It is a word</b>" in page(client, night, "appeals/?game=1")
    told = {"appeal": str(Appeal.objects.get().pk), "reason": "In no list.", "next": f"{_queue(night)}?game=1"}
    found = posts(client, night, "do/reject-appeal/", **told)
    assert "The verdict of table 2 stands" in found
    assert "In no list." in found
    assert page(client, night, "appeals/open/").strip() == ""


def test_any_slip_of_an_earlier_turn_is_decided_on_again_and_the_differences_are_printed(
    client: Client, night: Night
) -> None:
    found = page(client, night, "again/?turn=1")
    assert "CESTAI" in found
    told = {"turn": "1", "group": night.verdict(1, turn=1).group, "points": "12", "reason": "hard to read"}
    confirmed(client, posts(client, night, "preview/again-slip/", **told))
    assert night.verdict(1, turn=1).points == 12
    entry = LedgerEntry.objects.get(kind="reopened")
    differences = page(client, night, f"differences/{entry.n}/")
    assert re.search(r"Anna Rossi</th><td>20</td><td>12</td>", differences)
    assert "hard to read" in differences
    posts(client, night, "do/make-document/", kind="differences", choice=str(entry.n))
    assert Document.objects.get().choice == str(entry.n)


def test_a_warning_is_given_again_with_a_look_before(client: Client, night: Night) -> None:
    told = {"turn": "1", "table": "1", "code": "discipline", "given": "yes", "reason": "noise"}
    found = posts(client, night, "preview/again-warning/", **told)
    assert "Warn table 1 in turn 1?" in found
    confirmed(client, found)
    assert night.verdict(1, turn=1).warnings == ["discipline"]


def test_once_the_game_is_over_only_the_director_judges_again(client: Client, night: Night) -> None:
    night.close()
    night.place()
    end_game(game=night.refresh(), why="judge", by=night.judge, now=night.later())
    told = {"turn": "1", "word": "TRISCEA", "ruling": "accepted", "reason": "page 1204"}
    judge = somebody(night, Role.JUDGE)
    assert "only the director may judge a turn" in posts(judge, night, "preview/again-word/", **told)
    assert "only the director may judge a turn" in posts(judge, night, "do/again-word/", **told)
    confirmed(client, posts(client, night, "preview/again-word/", **told))
    assert night.verdict(2, turn=1).points == 76


def test_the_director_sets_for_how_long_one_may_appeal(client: Client, night: Night) -> None:
    posts(client, night, "do/set-appeals/", minutes="5", end_minutes="10")
    assert "for 5 minutes after a turn, and in any case until 10 minutes after the last one" in page(
        client, night, "appeals/"
    )
    assert "whole number" in posts(client, night, "do/set-appeals/", minutes="five", end_minutes="10")


@pytest.mark.parametrize(
    "path", ["again/?turn=9", "again/?turn=x", "again/?game=9", "differences/1/", "differences/999/"]
)
def test_what_is_not_there_is_no_fault_of_the_program(client: Client, night: Night, path: str) -> None:
    assert client.get(f"/desk/{night.event.code}/{path}").status_code in (302, 404)
