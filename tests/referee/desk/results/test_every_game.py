"""Every game of an event stays available: pages, sheets, archives and exports of each game and of the event."""

from __future__ import annotations

import json
from collections import Counter
from io import BytesIO
from urllib.parse import urlencode
from zipfile import ZipFile

import pytest
from asgiref.sync import async_to_sync
from django.http import QueryDict, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.test import Client
from pypdf import PdfReader

from engine.archive.replay import verify
from engine.archive.schema import check_archive
from referee.desk.desk import Desk
from referee.desk.results.printing import read_order
from referee.pdf.catalogue import DOCUMENTS, EVERY_GAME
from referee.pdf.make_document import draw_document
from referee.views.hall import get_public_view
from tests.leaks import leaked
from tests.tournaments.club_game import ClubGame, create_club_game, play_turn, seeded_random
from tournaments.enums import EndReason, Role
from tournaments.events.services import events, rounds
from tournaments.lexicons import word_lists
from tournaments.models import Appeal, Document, Membership, TurnClock
from tournaments.now import utc_now
from tournaments.play.services import game_end, playing_judge
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.django_db
PAGES = ("documents/", "standings/", "analysis/", "log/", "again/", "appeals/")
FOREIGN_WORD = "PLANTEDWORD"


def end_and_start_next(club_game: ClubGame) -> None:
    game_end.end_game(game=club_game.refresh(), why=EndReason.JUDGE, by=club_game.judge, now=club_game.later())
    club_game.game = events.add_game(event=club_game.event, by=club_game.judge, now=club_game.later(), seed=bytes(32))


@pytest.fixture
def club_game() -> ClubGame:
    """A finished game of two turns, and a second one without a turn."""
    club_game, rng = create_club_game(first_judge()), seeded_random(11)
    play_turn(club_game, rng)
    play_turn(club_game, rng)
    end_and_start_next(club_game)
    return club_game


@pytest.fixture
def judge(client: Client) -> Client:
    client.force_login(first_judge(), backend="django.contrib.auth.backends.ModelBackend")
    return client


def load(judge: Client, club_game: ClubGame, address: str) -> bytes:
    answer = judge.get(f"/desk/{club_game.event.code}/{address}", headers={"Accept-Language": "en"})
    assert answer.status_code == 200, address
    return answer.content


def page(judge: Client, club_game: ClubGame, address: str) -> str:
    return load(judge, club_game, address).decode()


async def read_stream(answer: HttpResponseBase) -> bytes:
    assert isinstance(answer, StreamingHttpResponse)
    return b"".join([piece async for piece in answer])


def files_of_event(judge: Client, club_game: ClubGame) -> dict[str, bytes]:
    answer = judge.get(f"/desk/{club_game.event.code}/event.zip?language=en")
    with ZipFile(BytesIO(async_to_sync(read_stream)(answer))) as packed:
        return {name.partition("/")[2]: packed.read(name) for name in packed.namelist()}


def desk_of(club_game: ClubGame) -> Desk:
    return Desk(club_game.event, club_game.game, club_game.room, club_game.judge, Role.DIRECTOR)


def pdf_text(content: bytes) -> str:
    return "\n".join(sheet.extract_text() for sheet in PdfReader(BytesIO(content)).pages)


def secrets_of_running_turn(club_game: ClubGame) -> list[str]:
    """Begin a turn, with a slip in it; return its rack, its tops and the slip."""
    turn = club_game.begin_turn("CORNOAT")
    club_game.phone(2, FOREIGN_WORD, "H8", 8642)
    return [turn.rack, FOREIGN_WORD, "8642", *(top["word"] for top in turn.tops or ())]


def test_the_finished_game_is_the_default_until_the_next_one_has_a_turn(judge: Client, club_game: ClubGame) -> None:
    for address in PAGES:
        text = page(judge, club_game, address)
        assert 'aria-current="page">Game 1' in text or 'aria-current="true">' in text, address
        assert "Game 2" in text, address
    assert json.loads(load(judge, club_game, "archive.json"))["turns"][1]["number"] == 2
    play_turn(club_game, seeded_random(3))
    assert 'aria-current="page">Game 2' in page(judge, club_game, "log/")
    assert 'aria-current="page">Whole event' in page(judge, club_game, "standings/")


def test_an_earlier_game_is_printed_previewed_and_saved_while_the_next_one_is_played(
    judge: Client, club_game: ClubGame
) -> None:
    club_game.begin_turn()
    code = club_game.event.code
    asked = {"kind": "match", "game": "1"}
    answer = judge.post(f"/desk/{code}/do/make-document/", asked, headers={"Accept": "application/json"})
    assert answer.json()["ok"]
    assert Document.objects.get().game.number == 1
    assert "Match sheet" in page(judge, club_game, "documents/?game=1&language=en")
    preview = load(judge, club_game, "documents/preview/?kind=match&game=1&language=en")
    assert json.loads(load(judge, club_game, "archive.json?game=1"))["turns"][0]["rack"][:3] in pdf_text(preview)
    assert "Whole event" in page(judge, club_game, "documents/?game=event")
    assert "game" in pdf_text(load(judge, club_game, "documents/preview/?kind=standings&game=event&language=en"))
    refused = judge.get(f"/desk/{code}/documents/preview/?kind=slips&game=event", headers={"Accept-Language": "en"})
    assert (refused.status_code, "choose the game" in refused.content.decode()) == (404, True)
    assert b"Game 1" in load(judge, club_game, "results/?as=html&game=1")
    charts = page(judge, club_game, "analysis/?game=event")
    assert '<h2 id="game-1">Game 1</h2>' in charts
    turns = page(judge, club_game, "log/?game=event&ledger=1")
    assert turns.count("The ledger is complete") == 2
    for name in (*PAGES, "archive.json", "results/"):
        for wrong in ("9", "x"):
            assert judge.get(f"/desk/{code}/{name}?as=csv&game={wrong}").status_code in (302, 404), name


@pytest.mark.endurance
def test_the_file_of_the_event_has_every_game_and_its_archives_are_verified(judge: Client, club_game: ClubGame) -> None:
    play_turn(club_game, seeded_random(5))
    files = files_of_event(judge, club_game)
    code = club_game.event.code
    assert {f"{code}-results.csv", f"{code}-results.xlsx", f"{code}-standings.pdf"} <= set(files)
    for number in (1, 2):
        own = {name.partition("/")[2] for name in files if name.startswith(f"game-{number}/")}
        sheets = {f"{code}-{number}-{name}.pdf" for name in ("match", "analysis", "rulings", "rules", "standings")}
        assert {*sheets, f"{code}-{number}-archive.json", f"{code}-{number}-results.csv"} <= own
        archive = check_archive(json.loads(files[f"game-{number}/{code}-{number}-archive.json"]))
        assert verify(archive, word_lists.graph_of(word_lists.word_list_of_game(club_game.game))) == []
    assert f"game-1/{code}-1-player-sheets.pdf" in files
    assert "Anna Rossi" in pdf_text(files[f"game-1/{code}-1-player-sheets.pdf"])


def test_no_page_of_an_earlier_game_or_file_of_the_event_has_the_turn_that_is_played(
    judge: Client, club_game: ClubGame
) -> None:
    secrets = secrets_of_running_turn(club_game)
    addresses = [f"{name}?game=1" for name in (*PAGES, "archive.json")]
    addresses += [f"results/?as={kind}&game={game}" for kind in ("csv", "json", "html") for game in ("1", "2", "event")]
    addresses += [
        "archive.json?game=2",
        "standings/?game=event",
        "standings.csv?game=2",
        "analysis/?game=2",
        "analysis/?game=event",
    ]
    for phase in ("running", "closed"):
        for address in addresses:
            assert leaked(page(judge, club_game, address), secrets) == [], (phase, address)
        for name, content in files_of_event(judge, club_game).items():
            text = pdf_text(content) if name.endswith(".pdf") else content.decode("utf-8", "replace")
            assert leaked(text, secrets) == [], (phase, name)
        if phase == "running":
            club_game.close()


def test_a_judge_who_plays_along_gets_no_files_while_the_turn_is_hidden(judge: Client, club_game: ClubGame) -> None:
    club_game.now = utc_now()  # the clock runs in real time
    place = Membership.objects.get(event=club_game.event, user=club_game.judge)
    playing_judge.start_playing(place=place, table=1, by=club_game.judge, now=club_game.later())
    secrets = secrets_of_running_turn(club_game)
    code = club_game.event.code
    for address in ("event.zip", "archive.json?game=2", "documents/?game=1", "documents/preview/?kind=match&game=2"):
        assert judge.get(f"/desk/{code}/{address}").status_code == 403, address
    for address in ("log/?game=event", "standings/?game=event", "standings/?game=2"):
        assert leaked(page(judge, club_game, address), secrets[1:]) == [], address


def test_standings_say_after_a_turn_provisional_or_final(judge: Client, club_game: ClubGame) -> None:
    club_game.event.games.update(appeal_minutes=0)
    assert "Game 1 · final" in page(judge, club_game, "standings/?game=1")
    assert "provisional" in page(judge, club_game, "standings/?game=event")
    play_turn(club_game, seeded_random(5))
    assert "Game 2 · after turn 1" in page(judge, club_game, "standings/?game=2")
    assert "after turn 1" in pdf_text(load(judge, club_game, "documents/preview/?kind=standings&game=2&language=en"))
    game_end.end_game(game=club_game.refresh(), why=EndReason.JUDGE, by=club_game.judge, now=club_game.later())
    assert "after 2 games · final" in page(judge, club_game, "standings/")
    rounds.plan_round(
        event=club_game.event, number=3, name="Night", starts_at=None, by=club_game.judge, now=club_game.later()
    )
    assert "after 2 games · provisional" in page(judge, club_game, "standings/?game=event")


def test_the_wall_is_provisional_until_nobody_may_appeal(club_game: ClubGame) -> None:
    game = club_game.event.games.get(number=1)
    assert get_public_view(game, club_game.room, club_game.now).provisional
    assert not get_public_view(game, club_game.room, club_game.later(16 * 60)).provisional


ONE_GAME = {
    *("hall-plan", "table-plan", "player-files", "table-cards", "slips", "badges"),
    *("score-sheets", "board", "appeals", "envelope", "call"),
}
WHOLE_EVENT_TOO = {
    *("standings", "rules", "rules-poster", "club-standings", "match", "analysis", "player-sheets"),
    *("certificates", "warnings", "calls", "rulings", "differences", "verification"),
}
GAMES_ONE_AFTER_THE_OTHER = ("match", "analysis", "calls", "rules", "warnings")


@pytest.mark.endurance
def test_every_document_is_made_of_any_game_and_of_the_event_where_it_makes_sense(
    judge: Client, club_game: ClubGame
) -> None:
    """Walk the catalogue: the page offers each document, previews it or makes it, and refuses it with a sentence."""
    assert {each.name for each in DOCUMENTS.values() if each.has_desk} == ONE_GAME | WHOLE_EVENT_TOO
    play_turn(club_game, seeded_random(5))
    code, pages_of_game = club_game.event.code, Counter[str]()
    for game in ("1", "2", "event"):
        offered = page(judge, club_game, f"documents/?game={game}")
        for name, wanted in ((name, DOCUMENTS[name]) for name in ONE_GAME | WHOLE_EVENT_TOO):
            has_it = game != "event" or name in WHOLE_EVENT_TOO
            assert (f'name="kind" value="{name}"' in offered) is has_it, (name, game)
            asked = {"kind": name, "game": game, "language": "en"}
            if not wanted.previewed:
                chosen = read_order(desk_of(club_game), QueryDict(urlencode(asked)))
                made = draw_document(
                    wanted, chosen.game, club_game.room, choice=chosen.choice, language="en", paper="a4"
                )
            else:
                answer = judge.get(f"/desk/{code}/documents/preview/", asked, headers={"Accept-Language": "en"})
                assert (answer.status_code == 200) is has_it, (name, game)
                made = answer.content
            if has_it and wanted.suffix == "pdf":
                count = len(PdfReader(BytesIO(made)).pages)
                assert count, (name, game)
                pages_of_game[name] += -count if game == "event" else count
    assert {name: pages_of_game[name] for name in GAMES_ONE_AFTER_THE_OTHER} == dict.fromkeys(
        GAMES_ONE_AFTER_THE_OTHER, 0
    )


def test_player_sheets_of_the_event_are_one_file(club_game: ClubGame) -> None:
    play_turn(club_game, seeded_random(5))
    wanted = DOCUMENTS["player-sheets"]
    own = [
        draw_document(wanted, game, club_game.room, choice="", language="en", paper="a4")
        for game in club_game.event.games.order_by("number")
    ]
    together = draw_document(wanted, club_game.game, club_game.room, choice=EVERY_GAME, language="en", paper="a4")
    assert pdf_text(together) == "\n".join(map(pdf_text, own))


def test_the_appeals_of_all_games_are_on_one_page(judge: Client, club_game: ClubGame) -> None:
    play_turn(club_game, seeded_random(5))
    for game in (1, 2):
        fields = {"game": game, "table": 1, "turn": 1, "sentence": f"It counts in game {game}", "in_time": "yes"}
        judge.post(f"/desk/{club_game.event.code}/do/paper-appeal/", fields)
    both = page(judge, club_game, "appeals/?game=event")
    assert 'aria-current="true"> Whole event (2)' in " ".join(both.split())
    assert "It counts in game 1" in both
    assert "It counts in game 2" in both
    assert both.count('name="next" value="/desk/' + club_game.event.code + '/appeals/?game=event"') > 2
    assert "It counts in game 1" not in page(judge, club_game, "appeals/?game=2")
    fields = {"appeal": Appeal.objects.get(turn__game__number=1).pk, "reason": "In no list."}
    judge.post(f"/desk/{club_game.event.code}/do/reject-appeal/", fields)
    assert "In no list." in page(judge, club_game, "appeals/?game=event")


def test_sheets_from_an_archive_say_the_state_of_the_standings(judge: Client, club_game: ClubGame) -> None:
    play_turn(club_game, seeded_random(5))

    def states(game: str) -> list[str]:
        archive = check_archive(json.loads(load(judge, club_game, f"archive.json?game={game}")))
        made = [pdf_text(DOCUMENTS[name].make(archive, language="en")) for name in ("standings", "club-standings")]
        return [next(word for word in ("after turn 1", "provisional", "final") if word in text) for text in made]

    assert states("2") == ["after turn 1"] * 2
    TurnClock.objects.filter(turn__game__number=1).update(shown_at=utc_now())
    assert states("1") == ["provisional"] * 2
    club_game.event.games.update(appeal_minutes=0)
    assert states("1") == ["final"] * 2
