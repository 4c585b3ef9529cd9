"""Prepared games at the desk: ordered, sealed, played, opened, printed, saved, imported, practised."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.leaks import leaked
from tests.referee.pdf.pages import pages_of
from tests.tournaments.club_game import ClubGame, create_club_game
from tests.tournaments.prepared.sample_game import (
    archive_text,
    create_prepared_game,
    find_other_move,
    follow_script,
    play_to_end,
)
from tournaments.models import Game, LedgerEntry, PracticeLink, PreparedGame
from tournaments.prepared import make_game as prepared_make_game
from tournaments.prepared.scripts import script_of
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.django_db
LIST = "/desk/prepared/"


@pytest.fixture
def judge() -> User:
    return first_judge()


@pytest.fixture
def desk(client: Client, judge: User) -> Client:
    client.force_login(judge, backend="django.contrib.auth.backends.ModelBackend")
    return client


@pytest.fixture
def prepared(judge: User) -> PreparedGame:
    return create_prepared_game(judge)


def text(answer: Any) -> str:
    content: bytes = answer.content
    return content.decode()


def wanted(**changes: object) -> dict[str, object]:
    given: dict[str, object] = {"title": "Winter cup", "edition": "it", "profile": "it-box", "turns": 4}
    return given | {"lexicon": "it"} | changes


def secrets_of(prepared: PreparedGame) -> list[str]:
    script = script_of(prepared)
    words = [f"{turn['master']['word']} " for turn in script["turns"] if turn["master"]]
    return [turn["rack"] for turn in script["turns"]] + [str(script["draw"]["seed"])] + words


def test_a_game_is_ordered_with_wishes_and_made(desk: Client) -> None:
    answer = desk.post(LIST, wanted(least_total=50, most_total=2000, variant="joker", time_control="120"))
    assert answer.status_code == 302, answer.context["form"].errors
    prepared = PreparedGame.objects.get()
    assert "<progress" in text(desk.get(LIST))
    prepared_make_game.make_game(prepared.pk)
    prepared.refresh_from_db()
    script = script_of(prepared)
    assert (script["formula"], script["rhythm_s"], len(script["turns"])) == ("joker", 120, 4)
    assert script["profile"]["board_takes"] == "top"
    part = desk.get(LIST, headers={"HX-Request": "true"})
    assert "<progress" not in text(part)
    assert "<html" not in text(part)


@pytest.mark.parametrize("changes", [{"title": ""}, {"bingo_turns": 21}, {"most_total": 10, "least_total": 20}])
def test_a_wrong_order_keeps_what_was_written(desk: Client, changes: dict[str, object]) -> None:
    answer = desk.post(LIST, wanted(single_tops=33, **changes))
    assert answer.status_code == 422
    assert 'value="33"' in text(answer)
    assert "errorlist" in text(answer)
    assert not PreparedGame.objects.exists()


def test_no_page_shows_the_inside_before_the_seal_is_broken(desk: Client, judge: User, prepared: PreparedGame) -> None:
    club_game = follow_script(create_club_game(judge), prepared)
    code, wall = club_game.event.code, club_game.event.wall_token
    pages = [LIST, f"{LIST}{prepared.pk}/", *(f"/desk/{code}/{page}" for page in ("", "main/", "log/", "rules/"))]
    pages += [f"/desk/{code}/archive.json", f"/wall/{wall}/", f"/desk/{code}/standings/"]
    for page in pages:
        answer = desk.get(page)
        assert answer.status_code == 200, page
        assert leaked(text(answer), secrets_of(prepared)) == [], page
    prepared.refresh_from_db()
    assert [act["kind"] for act in prepared.acts] == ["made"]


def test_breaking_the_seal_shows_everything_and_is_noted(desk: Client, judge: User, prepared: PreparedGame) -> None:
    club_game = follow_script(create_club_game(judge), prepared)
    inside = desk.post(f"{LIST}{prepared.pk}/", follow=True)
    racks = [turn["rack"] for turn in script_of(prepared)["turns"]]
    assert [rack for rack in racks if rack not in text(inside)] == []
    assert LedgerEntry.objects.filter(game=club_game.game, kind="script_opened").count() == 1
    assert racks[0] in text(desk.get(f"{LIST}{prepared.pk}/"))
    assert LedgerEntry.objects.filter(game=club_game.game, kind="script_opened").count() == 1


def test_the_call_sheets_of_a_prepared_game_break_its_seal_as_the_sheet_does(
    desk: Client, prepared: PreparedGame
) -> None:
    calls = desk.post(f"{LIST}{prepared.pk}/sheet.pdf", {"document": "prepared-calls"})
    assert (calls["Content-Type"], calls.content[:5]) == ("application/pdf", b"%PDF-")
    assert 'filename="prepared-calls-' in calls["Content-Disposition"]
    assert desk.post(f"{LIST}{prepared.pk}/sheet.pdf", {"document": "match"})["Content-Disposition"].count("prepared-")
    prepared.refresh_from_db()
    assert [act["kind"] for act in prepared.acts] == ["made", "printed", "printed"]


def test_the_sheet_and_the_file_are_noted_too_and_the_file_comes_back(desk: Client, prepared: PreparedGame) -> None:
    sheet = desk.post(f"{LIST}{prepared.pk}/sheet.pdf")
    assert (sheet["Content-Type"], sheet.content[:5]) == ("application/pdf", b"%PDF-")
    saved = desk.post(f"{LIST}{prepared.pk}/game.json")
    assert json.loads(saved.content) == prepared.script
    prepared.refresh_from_db()
    assert [act["kind"] for act in prepared.acts] == ["made", "printed", "saved"]
    upload = SimpleUploadedFile("game.json", saved.content)
    assert desk.post(f"{LIST}bring/", {"file": upload, "title": "Copy"}).status_code == 302
    assert PreparedGame.objects.get(title="Copy").script == prepared.script
    for address in ("sheet.pdf", "game.json", "practice/", "throw-away/", "play/"):
        assert desk.get(f"{LIST}{prepared.pk}/{address}").status_code == 405


def test_a_move_is_chosen_on_the_page_once_the_seal_is_broken(desk: Client, prepared: PreparedGame) -> None:
    word, ref = find_other_move(prepared, 1)
    address, fields = f"{LIST}{prepared.pk}/turn/", {"turn": 1, "word": word, "ref": ref, "why": "for the hall"}
    assert "Open the sealed game" in text(desk.post(address, fields, follow=True))
    desk.post(f"{LIST}{prepared.pk}/")
    assert "notice error" in text(desk.post(address, {"turn": 1, "word": "ZZZ", "ref": "8H"}, follow=True))
    desk.post(address, fields)
    prepared.refresh_from_db()
    master = script_of(prepared)["turns"][0]["master"]
    assert master is not None
    assert (master["word"], master["ref"], master["chosen_by"]) == (word, ref, "judge")


def test_it_is_played_in_an_event(desk: Client, judge: User, prepared: PreparedGame) -> None:
    club_game = create_club_game(judge)
    answer = desk.post(f"{LIST}{prepared.pk}/play/", {"event": club_game.event.code}, follow=True)
    assert answer.redirect_chain[-1][0] == f"/desk/{club_game.event.code}/"
    assert "Winter cup" in text(answer)
    assert "hall-word" not in text(answer)
    assert Game.objects.get(pk=club_game.game.pk).prepared == prepared
    assert desk.post(f"{LIST}{prepared.pk}/play/", {"event": "NONE"}).status_code == 404


def test_what_belongs_to_others_does_not_exist(client: Client, judge: User, prepared: PreparedGame) -> None:
    assert client.get(LIST).status_code == 302
    stranger = User.objects.create_user("stranger")
    create_club_game(stranger)  # directs events of his own
    client.force_login(stranger, backend="django.contrib.auth.backends.ModelBackend")
    assert "Winter cup" not in text(client.get(LIST))
    for address in ("", "sheet.pdf", "game.json", "play/", "practice/", "throw-away/", "turn/"):
        assert client.post(f"{LIST}{prepared.pk}/{address}").status_code == 404
    assert client.post(f"/desk/{create_club_game(judge).event.code}/practice/").status_code == 404


def replayed(desk: Client, judge: User) -> tuple[ClubGame, ClubGame]:
    """A finished game, and another event that has begun to replay it."""
    original = create_club_game(judge, switches={"max_turns": 3})
    play_to_end(original)
    upload = SimpleUploadedFile("archive.json", archive_text(original).encode())
    desk.post(f"{LIST}bring/", {"file": upload, "title": "Again"})
    return original, follow_script(create_club_game(judge), PreparedGame.objects.get(title="Again"))


def test_an_archive_is_met_again_among_its_players(desk: Client, judge: User) -> None:
    original, club_game = replayed(desk, judge)
    play_to_end(club_game, seed=5)
    page = text(desk.get(f"/desk/{club_game.event.code}/field/"))
    assert page.count("Anna Rossi") == 2
    assert page.count(">2026<") == 4
    assert f"/desk/{club_game.event.code}/field/" in text(desk.get(f"/desk/{club_game.event.code}/standings/"))
    assert desk.get(f"/desk/{original.event.code}/field/").status_code == 404


def test_a_replay_is_drawn_by_a_button(desk: Client, judge: User) -> None:
    _original, club_game = replayed(desk, judge)
    page = text(desk.get(f"/desk/{club_game.event.code}/"))
    assert "do/draw/" in page
    assert "do/type-rack/" not in page


def test_a_practice_link_is_made_once_and_closed(desk: Client, prepared: PreparedGame) -> None:
    for _ in range(2):
        desk.post(f"{LIST}{prepared.pk}/practice/")
    link = PracticeLink.objects.get()
    assert link.token in text(desk.get(LIST))
    assert desk.get(f"/practice/{link.token}/").status_code == 200
    desk.post(f"{LIST}{prepared.pk}/practice/", {"close": "1"})
    assert link.token not in text(desk.get(LIST))


def test_a_game_that_is_over_gets_a_link_on_its_page(desk: Client, judge: User) -> None:
    club_game = create_club_game(judge, switches={"max_turns": 1})
    play_to_end(club_game)
    address = f"/desk/{club_game.event.code}/practice/"
    assert address in text(desk.get(f"/desk/{club_game.event.code}/"))
    answer = text(desk.post(address, follow=True))
    assert re.search(r"plays the game alone: \S*/practice/" + PracticeLink.objects.get().token, answer)


def test_a_file_that_is_no_game_gets_its_sentence(desk: Client) -> None:
    for content in (b"{}", b"\xff\xfe\xff", b"nothing"):
        answer = desk.post(f"{LIST}bring/", {"file": SimpleUploadedFile("game.json", content)})
        assert answer.status_code == 422
        assert "errorlist" in text(answer)


def test_an_unused_game_is_thrown_away(desk: Client, prepared: PreparedGame) -> None:
    assert desk.post(f"{LIST}{prepared.pk}/throw-away/").status_code == 302
    assert not PreparedGame.objects.exists()


def test_the_label_for_the_envelope_shows_only_the_fingerprint_and_keeps_the_seal(
    desk: Client, prepared: PreparedGame
) -> None:
    entries = LedgerEntry.objects.count()
    answer = desk.get(f"{LIST}{prepared.pk}/envelope.pdf")
    [page] = pages_of(answer.content)
    printed = page.text.replace(" ", "")
    commitment = script_of(prepared)["draw"]["commitment"]
    assert commitment in printed
    assert [secret for secret in secrets_of(prepared) if secret.strip() in page.text.split()] == []
    assert LedgerEntry.objects.count() == entries
    assert "opened" not in text(desk.get(LIST))
