"""A game saved by Eliot is imported by a command or at the desk, and players are recognised in the next import."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client

from engine.archive.schema import read_archive
from tests.engine.archive.test_published_games import FILES, GAMES, RULES
from tests.engine.interchange.eliot_games import eliot_game
from tests.tournaments.club_game import create_club_game
from tests.tournaments.hiersac import install_some_words
from tournaments.models import PreparedGame
from tournaments.prepared.queries.replayed_game import field_standings
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.django_db
NAME = "hiersac-2023-11-10"


@pytest.fixture
def judge(db: None) -> User:
    return first_judge()


@pytest.fixture(autouse=True)
def _french_words() -> None:
    install_some_words(Path(settings.DATA_DIR))


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "game.xml"
    path.write_text(eliot_game(NAME), encoding="utf-8")
    return path


def command(*arguments: object) -> dict[str, object]:
    out = StringIO()
    call_command("import_eliot", *(str(each) for each in arguments), stdout=out)
    told: dict[str, object] = json.loads(out.getvalue())
    return told


def test_the_command_writes_an_archive_and_says_what_it_has_read(saved: Path, tmp_path: Path) -> None:
    out = tmp_path / "game.json"
    assert command(saved, "--out", out) == {
        **{"edition": "fr", "formula": "joker", "turns": len(GAMES[NAME]), "players": 3},
        "top_total": FILES[NAME]["total"],
    }
    assert len(read_archive(out.read_text("utf-8"))["turns"]) == len(GAMES[NAME])


def test_an_event_plays_the_saved_game_again_among_its_first_players(judge: User, saved: Path) -> None:
    club_game = create_club_game(judge)
    command(saved, "--event", club_game.event.code, "--lexicon", "fr")
    for played in GAMES[NAME][:3]:
        club_game.draw()
        assert club_game.turn.rack == played.rack.text
        club_game.announce()
        club_game.phone(1, played.word, played.move.reference_text(RULES.notation), played.points)
        club_game.close()
        club_game.place()
    found = field_standings(club_game.refresh())
    assert found is not None
    lines = {line.name: line.total for line in found.lines}
    assert lines["Anna Rossi"] == lines["Odile"] == sum(played.points for played in GAMES[NAME][:3])


def test_the_desk_knows_a_saved_game_by_what_is_in_it(judge: User, client: Client) -> None:
    create_club_game(judge)
    client.force_login(judge, backend="django.contrib.auth.backends.ModelBackend")
    upload = SimpleUploadedFile("anything.txt", eliot_game(NAME).encode())
    answer = client.post("/desk/prepared/bring/", {"file": upload, "title": "", "lexicon": "fr"})
    assert answer.status_code == 302
    assert PreparedGame.objects.get().title == "Eliot ODS 8"


def test_a_damaged_file_is_reported_with_its_turn(judge: User, client: Client) -> None:
    create_club_game(judge)
    client.force_login(judge, backend="django.contrib.auth.backends.ModelBackend")
    text = eliot_game(NAME).replace("<GameRack>", "<GameRack>ZZ", 1)
    upload = SimpleUploadedFile("game.xml", text.encode())
    answer = client.post("/desk/prepared/bring/", {"file": upload, "title": "", "lexicon": "fr"})
    assert answer.status_code == 422
    assert "Turn 1: the rack ZZ" in answer.content.decode()


def test_the_command_says_what_is_wrong(judge: User, saved: Path, tmp_path: Path) -> None:
    for arguments, sentence in (
        ([tmp_path / "nothing.xml"], "cannot be read"),
        ([saved, "--event", "NOPE9"], "There is no event NOPE9"),
        ([saved, "--out", tmp_path], "cannot be written"),
        ([saved, "--edition", "it"], "Turn"),
        ([saved, "--event", create_club_game(judge).event.code], "is not installed: choose another one"),
    ):
        with pytest.raises(CommandError, match=sentence):
            command(*arguments)
