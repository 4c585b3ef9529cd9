"""Pages of appeals: a typist enters paper appeals; a judge previews, rules and prints the differences."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.tournaments.club_game import ClubGame, create_club_game
from tournaments.enums import AppealState, Role
from tournaments.events.services import events
from tournaments.models import Appeal, Document, LedgerEntry, Membership
from tournaments.now import utc_now
from tournaments.play.services.game_end import end_game
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.django_db


@pytest.fixture
def club_game(client: Client) -> ClubGame:
    """A placed turn, and a running one after it."""
    judge: User = first_judge()
    client.force_login(judge, backend="django.contrib.auth.backends.ModelBackend")
    club_game = create_club_game(judge)
    club_game.now = utc_now()
    club_game.begin_turn("ACEIRST")
    club_game.phone(1, "CESTAI", "8C", 20)
    club_game.phone(2, "TRISCEA", "8H", 76)
    club_game.close()
    club_game.place()
    club_game.begin_turn()
    return club_game


def somebody(club_game: ClubGame, role: Role) -> Client:
    user = User.objects.create(username=f"the {role}")
    Membership.objects.create(event=club_game.event, user=user, role=role)
    client = Client()
    client.force_login(user)
    return client


def page(client: Client, club_game: ClubGame, path: str) -> str:
    answer = client.get(f"/desk/{club_game.event.code}/{path}")
    assert answer.status_code == 200
    return unescape(answer.content.decode())


def posts(client: Client, club_game: ClubGame, path: str, **fields: str) -> str:
    answer = client.post(f"/desk/{club_game.event.code}/{path}", fields, follow=True)
    assert answer.status_code == 200
    return unescape(answer.content.decode())


def on_paper(client: Client, club_game: ClubGame, table: int = 2, **more: str) -> str:
    told = {"table": str(table), "turn": "1", "sentence": "<b>It is a word</b>", "next": _queue(club_game)}
    return posts(client, club_game, "do/paper-appeal/", **{**told, **more})


def _queue(club_game: ClubGame) -> str:
    return f"/desk/{club_game.event.code}/appeals/"


def confirmed(client: Client, found: str) -> str:
    """Send the form of a preview page."""
    form = re.search(r'<form method="post" action="([^"]*/do/[^"]*)".*?</form>', found, re.DOTALL)
    assert form is not None
    fields = dict(re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)">', form[0]))
    return unescape(client.post(form[1], fields, follow=True).content.decode())


def test_a_typist_brings_paper_in_and_sees_no_verdict(club_game: ClubGame) -> None:
    typist = somebody(club_game, Role.TYPIST)
    found = on_paper(typist, club_game)
    assert "Table 2 appeals against turn 1." in found
    assert "TRISCEA" not in found
    assert Appeal.objects.get().by is not None
    assert typist.get(f"/desk/{club_game.event.code}/again/").status_code == 403


def test_a_typist_cannot_say_that_late_paper_was_in_time(club_game: ClubGame) -> None:
    club_game.game.appeal_minutes = 0
    club_game.game.save()
    typist, judge = somebody(club_game, Role.TYPIST), somebody(club_game, Role.JUDGE)
    assert "In this game nobody may appeal." in on_paper(typist, club_game, in_time="yes")
    assert not Appeal.objects.exists()
    on_paper(judge, club_game, in_time="yes")
    assert Appeal.objects.count() == 1


def test_a_judge_sees_the_ranking_before_upholding(client: Client, club_game: ClubGame) -> None:
    on_paper(client, club_game)
    queue = page(client, club_game, "appeals/")
    assert "TRISCEA 8H 76" in " ".join(queue.split())
    assert "TRISCEA is not in the word list." in queue
    assert "<blockquote><b>It is a word</b></blockquote>" in queue  # unescaped by the helper: it was text
    pk = str(Appeal.objects.get().pk)
    fields = {"turn": "1", "word": "TRISCEA", "ruling": "accepted", "reason": "page 1204", "appeal": pk}
    found = posts(client, club_game, "preview/again-word/", **fields, next=_queue(club_game))
    assert "Accept TRISCEA in turn 1" in found
    assert re.search(r"Bruno Verdi</th>\s*<td>0 → 76</td>\s*<td>\+76</td>\s*<td>\s*2 →\s*1\s*</td>", found)
    assert re.search(r"Anna Rossi</th>\s*<td>20</td>\s*<td>\s*1 →\s*2\s*</td>", found)
    assert "Solo of turn 1, table: – → 2." in found
    assert "stay as they were played" in found
    assert Appeal.objects.get().state == AppealState.OPEN
    done = confirmed(client, found)
    assert "Turn 1 is judged again; 1 result has changed" in done
    assert "No appeal is waiting." in done
    assert Appeal.objects.get().state == AppealState.UPHELD
    assert club_game.verdict(2, turn=1).points == 76


def test_an_appeal_is_rejected_from_the_queue(client: Client, club_game: ClubGame) -> None:
    on_paper(client, club_game)
    told = {"appeal": str(Appeal.objects.get().pk), "reason": "In no list.", "next": _queue(club_game)}
    found = posts(client, club_game, "do/reject-appeal/", **told)
    assert "The verdict of table 2 stands" in found
    assert "In no list." in found


def test_the_number_of_open_appeals_stands_at_the_link(client: Client, club_game: ClubGame) -> None:
    assert page(client, club_game, "appeals/open/").strip() == ""
    on_paper(client, club_game)
    assert page(client, club_game, "appeals/open/").strip() == "<span>(1)</span>"


def test_an_appeal_of_the_game_before_is_counted_found_and_answered(client: Client, club_game: ClubGame) -> None:
    on_paper(client, club_game)
    club_game.close()
    club_game.place()
    end_game(game=club_game.refresh(), why="judge", by=club_game.judge, now=club_game.later())
    events.add_game(event=club_game.event, by=club_game.judge, now=club_game.later(), seed=bytes(32))
    assert page(client, club_game, "appeals/open/").strip() == "<span>(1)</span>"
    now = page(client, club_game, "appeals/?game=2")
    assert "Game 1 (1)" in now
    assert "No appeal is waiting." in now
    assert "<b>It is a word</b>" in page(client, club_game, "appeals/")  # until game 2 has a turn
    told = {"appeal": str(Appeal.objects.get().pk), "reason": "In no list.", "next": f"{_queue(club_game)}?game=1"}
    found = posts(client, club_game, "do/reject-appeal/", **told)
    assert "The verdict of table 2 stands" in found
    assert "In no list." in found
    assert page(client, club_game, "appeals/open/").strip() == ""


def test_any_slip_of_an_earlier_turn_is_decided_on_again_and_the_differences_are_printed(
    client: Client, club_game: ClubGame
) -> None:
    found = page(client, club_game, "again/?turn=1")
    assert "CESTAI" in found
    told = {"turn": "1", "group": club_game.verdict(1, turn=1).group, "points": "12", "reason": "hard to read"}
    confirmed(client, posts(client, club_game, "preview/again-slip/", **told))
    assert club_game.verdict(1, turn=1).points == 12
    entry = LedgerEntry.objects.get(kind="reopened")
    differences = page(client, club_game, f"differences/{entry.n}/")
    assert re.search(r"Anna Rossi</th>\s*<td>20</td>\s*<td>12</td>", differences)
    assert "hard to read" in differences
    posts(client, club_game, "do/make-document/", kind="differences", choice=str(entry.n))
    assert Document.objects.get().choice == str(entry.n)


def test_a_warning_is_given_again_with_a_look_before(client: Client, club_game: ClubGame) -> None:
    told = {"turn": "1", "table": "1", "code": "discipline", "given": "yes", "reason": "noise"}
    found = posts(client, club_game, "preview/again-warning/", **told)
    assert "Warn table 1 in turn 1" in found
    confirmed(client, found)
    assert club_game.verdict(1, turn=1).warnings == ["discipline"]


def test_once_the_game_is_over_only_the_director_judges_again(client: Client, club_game: ClubGame) -> None:
    club_game.close()
    club_game.place()
    end_game(game=club_game.refresh(), why="judge", by=club_game.judge, now=club_game.later())
    told = {"turn": "1", "word": "TRISCEA", "ruling": "accepted", "reason": "page 1204"}
    judge = somebody(club_game, Role.JUDGE)
    assert "only the director may judge a turn" in posts(judge, club_game, "preview/again-word/", **told)
    assert "only the director may judge a turn" in posts(judge, club_game, "do/again-word/", **told)
    confirmed(client, posts(client, club_game, "preview/again-word/", **told))
    assert club_game.verdict(2, turn=1).points == 76


def test_the_director_sets_for_how_long_one_may_appeal(client: Client, club_game: ClubGame) -> None:
    posts(client, club_game, "do/set-appeals/", minutes="5", end_minutes="10")
    assert "for 5 minutes after a turn, and in any case until 10 minutes after the last one" in page(
        client, club_game, "appeals/"
    )
    assert "whole number" in posts(client, club_game, "do/set-appeals/", minutes="five", end_minutes="10")


@pytest.mark.parametrize(
    "path", ["again/?turn=9", "again/?turn=x", "again/?game=9", "differences/1/", "differences/999/"]
)
def test_what_is_not_there_is_no_fault_of_the_program(client: Client, club_game: ClubGame, path: str) -> None:
    assert client.get(f"/desk/{club_game.event.code}/{path}").status_code in (302, 404)
