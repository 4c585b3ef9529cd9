"""The page that checks an archive: a game as it was played, one that was changed, and what is no archive."""

from __future__ import annotations

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.tournaments.club_game import ClubGame, create_club_game, play_turn, seeded_random
from tournaments.ledger.queries import get_shown_head
from tournaments.models import Membership
from tournaments.now import utc_now
from tournaments.results.queries.archive import export_game
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.django_db


@pytest.fixture
def club_game(client: Client) -> ClubGame:
    client.force_login(first_judge(), backend="django.contrib.auth.backends.ModelBackend")
    club_game = create_club_game(first_judge())
    play_turn(club_game, seeded_random(11))
    return club_game


def check(client: Client, club_game: ClubGame, content: str, hashes: str = "") -> tuple[int, str]:
    file = SimpleUploadedFile("game.json", content.encode())
    answer = client.post(
        f"/desk/{club_game.event.code}/verify/",
        {"archive": file, "hashes": hashes},
        headers={"Accept-Language": "en"},
    )
    return answer.status_code, answer.content.decode()


def test_an_archive_and_a_hash_from_the_wall_are_confirmed(client: Client, club_game: ClubGame) -> None:
    head = get_shown_head(club_game.game)
    status, text = check(client, club_game, json.dumps(export_game(club_game.refresh())), head.hash[:16])
    assert status == 200
    assert "The archive agrees with its rules, its word list and its ledger." in text
    assert f"is that of entry {head.entry}" in text


def test_a_changed_score_and_a_foreign_hash_are_differences(client: Client, club_game: ClubGame) -> None:
    archive = export_game(club_game.refresh())
    archive["turns"][0]["top"] += 1
    _status, text = check(client, club_game, json.dumps(archive), "0123456789abcdef")
    assert "differences." in text
    assert "No entry of this ledger has the hash 0123456789abcdef" in text


def test_bad_input_gets_a_sentence_and_the_hashes_stay_in_the_form(client: Client, club_game: ClubGame) -> None:
    status, text = check(client, club_game, "no json", "")
    assert (status, 'role="alert"' in text) == (422, True)
    status, text = check(client, club_game, json.dumps(export_game(club_game.refresh())), "abc")
    assert (status, "abc is no hash of a ledger" in text, ">abc</textarea>" in text) == (422, True, True)
    archive = export_game(club_game.refresh())
    archive["lexicon"]["sha256"] = "0" * 64
    status, text = check(client, club_game, json.dumps(archive))
    assert (status, "is not installed here" in text, "--lexicon" in text) == (422, True, False)


def test_an_archive_is_checked_on_the_start_page_without_an_event(client: Client, club_game: ClubGame) -> None:
    assert "/desk/archive/" in client.get("/desk/").content.decode()
    assert "Check an archive" in client.get("/desk/archive/").content.decode()
    archive = json.dumps(export_game(club_game.refresh())).encode()

    def checked() -> tuple[int, str]:
        answer = client.post("/desk/archive/", {"archive": SimpleUploadedFile("game.json", archive)})
        return answer.status_code, answer.content.decode()

    status, text = checked()
    assert (status, "The archive agrees with its rules, its word list and its ledger." in text) == (200, True)
    club_game.now = utc_now()
    club_game.begin_turn()
    Membership.objects.filter(event=club_game.event).update(plays_as=club_game.player(1))
    status, text = checked()
    assert (status, "You play along in a turn that is under way" in text) == (422, True)
