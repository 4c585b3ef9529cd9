"""The first minute of `serve`: pages before engine and word list are ready, and the first rack after that."""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from django.db import connection
from django.test import Client

from tests.referee.live.live_server import ServerProcess
from tests.referee.server.test_serve import link_of
from tests.tournaments.lexicons.small_english import use_small_english
from tests.waiting import until
from tournaments.lexicons import engine_build, word_lists
from tournaments.lexicons.engine_build import EngineBuild, EngineNotReady
from tournaments.models import Event, Turn
from tournaments.staff.services.login_links import first_judge

CSRF = "c" * 32


@pytest.fixture
def compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    """The state while the engine is being compiled; graphs that are open already are forgotten."""
    monkeypatch.setattr(engine_build, "_build", EngineBuild(0.5))
    word_lists._graph.cache_clear()
    word_lists._apply_rulings.cache_clear()


@pytest.mark.django_db
@pytest.mark.usefixtures("compiling")
def test_a_search_is_refused_with_the_time_that_remains_and_the_pages_show_it(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(EngineNotReady, match=r"50 %\. Racks can be drawn in about 10 seconds\."):
        word_lists.graph_of(word_lists.choose_list("it", None))
    client.force_login(first_judge())
    client.post("/desk/new/", {"name": "Evening", "preset": "it/it-box", "date": "2026-01-09", "draw_mode": "seeded"})
    for address in ("/desk/", "/desk/new/"):
        assert "The engine is being compiled, 50 %" in client.get(address).content.decode()
    words = client.get("/desk/word-lists/?q=CASA&list=it")
    assert (words.status_code, b"The engine is not ready" in words.content) == (503, True)
    assert (words.headers["Refresh"], b"loads again by itself" in words.content) == ("3", True)
    monkeypatch.setattr(engine_build, "_build", EngineBuild(complaint="it broke"))
    assert "Refresh" not in client.get("/desk/word-lists/?q=CASA&list=it").headers


@pytest.mark.django_db
def test_the_page_tells_when_the_engine_is_ready_and_offers_another_try_after_a_failure(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.force_login(first_judge())
    assert client.get("/desk/engine/progress/").headers["HX-Trigger"] == "engine-ready"
    monkeypatch.setattr(engine_build, "_build", EngineBuild(complaint="OSError: [Errno 28] No space left on device"))
    page = client.get("/desk/engine/progress/")
    assert "HX-Trigger" not in page.headers
    assert "because the disk is full: free about 100 MB" in page.content.decode()
    assert "Try again" in page.content.decode()


@pytest.fixture
def fresh_server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, transactional_db: None) -> Iterator[ServerProcess]:
    """A server without machine code and word list, in an English terminal."""
    use_small_english(tmp_path / "packages", monkeypatch)
    with tempfile.TemporaryDirectory(prefix="multiplo-fresh-") as folder:
        served = ServerProcess(
            data=Path(folder),
            database=str(connection.settings_dict["NAME"]),
            NUMBA_CACHE_DIR=str(tmp_path / "machine-code"),
            LANGUAGE="en",
            LC_ALL="en_GB.UTF-8",
        )
        yield served.ready()
        served.stop()


def _post(server: ServerProcess, session: str, address: str, **fields: str) -> str:
    headers = {"Cookie": f"csrftoken={CSRF}; {session}", "Content-Type": "application/x-www-form-urlencoded"}
    body = urlencode({"csrfmiddlewaretoken": CSRF, **fields}).encode()
    answer = server.request("POST", address, body, {**headers, "Accept": "application/json"})
    return answer.headers.get("location", "") or answer.text


@pytest.mark.endurance
@pytest.mark.django_db(transaction=True)
def test_the_first_page_comes_before_engine_and_list_and_the_first_rack_once_they_are_ready(
    fresh_server: ServerProcess,
) -> None:
    server, body = fresh_server, f"csrfmiddlewaretoken={CSRF}".encode()
    headers = {"Cookie": f"csrftoken={CSRF}", "Content-Type": "application/x-www-form-urlencoded"}
    entered = server.request("POST", link_of(server), body, headers)
    session = re.findall(r"sessionid=[^;]+", entered.headers["set-cookie"])[-1]

    def page(address: str) -> str:
        return server.request("GET", address, None, {"Cookie": session}).text

    def engine() -> str:
        return server.request("GET", "/desk/engine/progress/", None, {"Cookie": session}).text

    assert "The engine is being compiled" in page("/desk/")
    while "The engine is ready" not in engine():  # as long as a busy computer needs; the time limit of a test ends it
        time.sleep(1)
    until(lambda: "The word list is ready" in page("/desk/word-lists/"), "the word list")
    new = {"name": "Evening", "preset": "en/club", "date": "2026-01-09", "draw_mode": "seeded", "language": "en"}
    desk = _post(server, session, "/desk/new/", **new, lines="Anna\nBruno")
    assert desk == f"/desk/{Event.objects.get().code}/"
    assert '"ok": true' in _post(server, session, f"{desk}do/draw/", turn="0")
    assert Turn.objects.get().rack
