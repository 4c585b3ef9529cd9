"""Nothing public depends on rack, tops, seed or other players' slips: changing them changes nothing.

Not only are secrets absent from a text; the text, and so its length, checksum and ETag, does not depend on them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.test import Client

from referee.live.rooms.snapshots import read_personal_views, read_slip_counts, read_snapshots
from referee.live.slips.slip_queue import store_batch
from tests.referee.live.live_game import LiveGame, make_live_game
from tests.referee.live.live_server import ServerProcess
from tests.referee.security.threats.handing import incoming
from tournaments.models import Game, Player, Slip, Turn, Verdict

pytestmark = pytest.mark.django_db(transaction=True)
PLANTED = "PLANTEDSECRET"
OTHER_TOPS = [{"word": PLANTED, "ref": "H8", "score": 9753, "why": PLANTED}]


def shown(live_game: LiveGame) -> tuple[Any, ...]:
    """Return everything sent to phones, wall and table 1: texts, count, and the data for table 1 alone."""
    event, room = live_game.event.pk, live_game.room.pk
    mine = Player.objects.get(event=live_game.event, table=1).pk
    picture, tally = read_snapshots(event, [room])[room], read_slip_counts(event, [room], desks=[])[room]
    personal = read_personal_views(event, room, "en")
    assert personal is not None
    return picture, tally and tally.for_all, personal[mine]


def change_tops(live_game: LiveGame) -> None:
    Turn.objects.filter(pk=live_game.turn.pk).update(tops=OTHER_TOPS, top=9753)


def change_rack(live_game: LiveGame) -> None:
    Turn.objects.filter(pk=live_game.turn.pk).update(rack="AEEIOST", kept="AE", rejected=[PLANTED])


def change_seed(live_game: LiveGame) -> None:
    Game.objects.filter(pk=live_game.game.pk).update(seed=b"z" * 32, typed_rejected=[PLANTED], end_bag=PLANTED)


def change_slips(live_game: LiveGame) -> None:
    slips = Slip.objects.filter(turn=live_game.turn).exclude(player__table=1)
    assert slips.exists()
    slips.update(word=PLANTED, ref="A1", declared=9753)


def change_verdicts(live_game: LiveGame) -> None:
    verdicts = Verdict.objects.filter(turn=live_game.turn)
    assert verdicts.exists()
    verdicts.update(points=975, result="valid", word=PLANTED, move_word=PLANTED, move_ref="A1", decision_reason=PLANTED)


def until_drawn(live_game: LiveGame) -> None:
    live_game.draw("CORNOAT")


def until_running(live_game: LiveGame) -> None:
    until_drawn(live_game)
    live_game.announce()
    store_batch([incoming(live_game, word, table) for table, word in ((1, "CORNO"), (2, "ORCA"), (3, "TRONO"))])


def until_closed(live_game: LiveGame) -> None:
    until_running(live_game)
    live_game.close()


@pytest.mark.parametrize(
    ("until", "change"),
    [
        (until_drawn, change_rack),
        (until_drawn, change_tops),
        (until_drawn, change_seed),
        (until_running, change_tops),
        (until_running, change_seed),
        (until_running, change_slips),
        (until_closed, change_tops),
        (until_closed, change_seed),
        (until_closed, change_slips),
        (until_closed, change_verdicts),
    ],
)
def test_what_the_hall_is_shown_does_not_depend_on_a_secret(
    until: Callable[[LiveGame], None], change: Callable[[LiveGame], None]
) -> None:
    live_game = make_live_game()
    until(live_game)
    before = shown(live_game)
    change(live_game)
    assert shown(live_game) == before


def test_the_same_secrets_are_shown_in_their_time() -> None:
    """Otherwise the test above would hold for an empty text."""
    live_game = make_live_game()
    until_running(live_game)
    before = shown(live_game)
    change_rack(live_game)
    running = shown(live_game)
    assert running != before
    assert "AEEIOST" in running[0].for_phones
    live_game = make_live_game()
    until_closed(live_game)
    live_game.place()
    before = shown(live_game)
    change_verdicts(live_game)
    assert shown(live_game) != before


def test_no_header_of_a_public_page_reveals_a_secret(served: ServerProcess) -> None:
    live_game = make_live_game()
    until_closed(live_game)
    change_tops(live_game)
    change_verdicts(live_game)
    code, wall = live_game.event.code, live_game.event.wall_token
    paths = ["/", f"/j/{code}/", "/play/", "/play/state.json", "/play/my-data.json", f"/wall/{wall}/", "/texts.js"]
    for path in paths:
        answer = served.request("GET", path, headers={"Cookie": live_game.cookie(1)})
        assert answer.status == 200, path
        told = answer.text + "\n".join(f"{name}: {value}" for name, value in answer.headers.items())
        assert [secret for secret in (PLANTED, "9753", "975,") if secret in told] == [], path
        assert live_game.game.seed.hex() not in told


def test_a_query_string_opens_no_door(served: ServerProcess) -> None:
    live_game = make_live_game()
    until_closed(live_game)
    change_tops(live_game)
    for query in ("?debug=1", "?tops=1", "?format=json", "?v=999", "?phase=placed", "?as=desk", "?htmx=1"):
        for path in ("/play/state.json", "/play/", f"/wall/{live_game.event.wall_token}/"):
            answer = served.request("GET", path + query, headers={"Cookie": live_game.cookie(1), "HX-Request": "true"})
            assert PLANTED not in answer.text


@pytest.mark.parametrize(
    "path",
    [
        "/static/../multiplo.sqlite3",
        "/static/%2e%2e/multiplo.sqlite3",
        "/static/..%2f..%2fvar/secret_key",
        "/static//etc/passwd",
        "/static/desk/../../settings.py",
        "/var/secret_key",
        "/secret_key",
        "/.git/config",
        "/.env",
        "/documents/",
        "/media/",
        "/lexicons/few.txt",
    ],
)
def test_no_address_leads_to_a_file_of_the_computer(served: ServerProcess, path: str) -> None:
    (served.data / "secret_key").write_text(PLANTED)
    (served.data / "documents").mkdir(exist_ok=True)
    answer = served.request("GET", path)
    assert answer.status in (400, 404), path
    assert PLANTED not in answer.text


def test_static_files_hold_no_word_list_edition_key_or_database() -> None:
    names = {name for finder in finders.get_finders() for name, _ in finder.list([])}
    assert len(names) > 30
    kinds = {name.rpartition(".")[2] for name in names}
    assert kinds <= {"css", "js", "svg", "mjs", "map", "txt", "html", "png", "woff2", "md"}, kinds
    assert not [name for name in names if "lexicon" in name or "secret" in name or name.endswith((".npy", ".toml"))]
    assert staticfiles_storage is not None


def test_the_page_of_a_fault_shows_neither_settings_nor_code(live_game_client: tuple[Client, LiveGame]) -> None:
    """Open the pages of a game whose rules cannot be read."""
    client, live_game = live_game_client
    Game.objects.filter(pk=live_game.game.pk).update(switches={"planted": PLANTED})
    assert settings.DEBUG is False
    answer = client.get(f"/desk/{live_game.event.code}/")
    assert answer.status_code == 500
    text = answer.content.decode()
    assert [
        secret for secret in (PLANTED, settings.SECRET_KEY, "Traceback", "settings", "/work", ".py") if secret in text
    ] == []


def test_the_page_of_nothing_lists_no_addresses(client: Client) -> None:
    text = client.get("/desk/nowhere/else/at/all/").content.decode()
    assert "urlconf" not in text.lower()
    assert "^" not in text


@pytest.fixture
def live_game_client() -> tuple[Client, LiveGame]:
    live_game = make_live_game()
    client = Client(raise_request_exception=False)
    client.force_login(live_game.judge)
    return client, live_game
