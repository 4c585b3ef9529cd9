"""Rack, tops, seed and foreign slips are not in anything that is made for the hall: changing them changes nothing.

Not only is a secret not found in a text; the text, and so its length, its checksum and its ETag, does not depend on it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.test import Client

from referee.live.intake import store
from referee.live.stage import read_persons, read_picture, read_tally
from tests.referee.live.evening import Evening, make_evening
from tests.referee.live.serving import Served
from tests.referee.security.handing import incoming
from tournaments.models import Game, Player, Slip, Turn, Verdict

pytestmark = pytest.mark.django_db(transaction=True)
PLANTED = "PLANTEDSECRET"
OTHER_TOPS = [{"word": PLANTED, "ref": "H8", "score": 9753, "why": PLANTED}]


def shown(evening: Evening) -> tuple[Any, ...]:
    """Everything that phones, wall and table 1 can be sent: texts, count, and what only table 1 may know."""
    game = Game.objects.select_related("event").get(pk=evening.game.pk)
    mine = Player.objects.get(event=evening.event, table=1).pk
    picture, tally = read_picture(game, evening.room), read_tally(game, evening.room)
    return picture, tally and tally.for_all, read_persons(game, evening.room, "en")[mine]


def change_tops(evening: Evening) -> None:
    Turn.objects.filter(pk=evening.turn.pk).update(tops=OTHER_TOPS, top=9753)


def change_rack(evening: Evening) -> None:
    Turn.objects.filter(pk=evening.turn.pk).update(rack="AEEIOST", kept="AE", rejected=[PLANTED])


def change_seed(evening: Evening) -> None:
    Game.objects.filter(pk=evening.game.pk).update(seed=b"z" * 32, typed_rejected=[PLANTED], end_bag=PLANTED)


def change_slips(evening: Evening) -> None:
    slips = Slip.objects.filter(turn=evening.turn).exclude(player__table=1)
    assert slips.exists()
    slips.update(word=PLANTED, ref="A1", declared=9753)


def change_verdicts(evening: Evening) -> None:
    verdicts = Verdict.objects.filter(turn=evening.turn)
    assert verdicts.exists()
    verdicts.update(points=975, result="valid", word=PLANTED, move_word=PLANTED, move_ref="A1", decision_reason=PLANTED)


def until_drawn(evening: Evening) -> None:
    evening.draw("CORNOAT")


def until_running(evening: Evening) -> None:
    until_drawn(evening)
    evening.announce()
    store([incoming(evening, word, table) for table, word in ((1, "CORNO"), (2, "ORCA"), (3, "TRONO"))])


def until_closed(evening: Evening) -> None:
    until_running(evening)
    evening.close()


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
    until: Callable[[Evening], None], change: Callable[[Evening], None]
) -> None:
    evening = make_evening()
    until(evening)
    before = shown(evening)
    change(evening)
    assert shown(evening) == before


def test_the_same_secrets_are_shown_in_their_time() -> None:
    """Otherwise the test above would hold for a picture of nothing."""
    evening = make_evening()
    until_running(evening)
    before = shown(evening)
    change_rack(evening)
    running = shown(evening)
    assert running != before
    assert "AEEIOST" in running[0].for_phones
    evening = make_evening()
    until_closed(evening)
    evening.place()
    before = shown(evening)
    change_verdicts(evening)
    assert shown(evening) != before


def test_no_header_of_any_page_of_the_hall_tells_a_secret(served: Served) -> None:
    evening = make_evening()
    until_closed(evening)
    change_tops(evening)
    change_verdicts(evening)
    code, wall = evening.event.code, evening.event.wall_token
    paths = ["/", f"/j/{code}/", "/play/", "/play/state.json", "/play/my-data.json", f"/wall/{wall}/", "/texts.js"]
    for path in paths:
        answer = served.request("GET", path, headers={"Cookie": evening.cookie(1)})
        assert answer.status == 200, path
        told = answer.text + "\n".join(f"{name}: {value}" for name, value in answer.headers.items())
        assert [secret for secret in (PLANTED, "9753", "975,") if secret in told] == [], path
        assert evening.game.seed.hex() not in told


def test_a_query_string_opens_no_door(served: Served) -> None:
    evening = make_evening()
    until_closed(evening)
    change_tops(evening)
    for query in ("?debug=1", "?tops=1", "?format=json", "?v=999", "?phase=placed", "?as=desk", "?htmx=1"):
        for path in ("/play/state.json", "/play/", f"/wall/{evening.event.wall_token}/"):
            answer = served.request("GET", path + query, headers={"Cookie": evening.cookie(1), "HX-Request": "true"})
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
def test_no_address_leads_to_a_file_of_the_computer(served: Served, path: str) -> None:
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


def test_the_page_of_a_fault_shows_neither_settings_nor_code(evening_client: tuple[Client, Evening]) -> None:
    """A game whose rules cannot be read breaks its pages."""
    client, evening = evening_client
    Game.objects.filter(pk=evening.game.pk).update(switches={"planted": PLANTED})
    assert settings.DEBUG is False
    answer = client.get(f"/desk/{evening.event.code}/")
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
def evening_client() -> tuple[Client, Evening]:
    evening = make_evening()
    client = Client(raise_request_exception=False)
    client.force_login(evening.judge)
    return client, evening
