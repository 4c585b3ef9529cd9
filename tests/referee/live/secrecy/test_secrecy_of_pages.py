"""No page that a player, the wall or a stranger can open holds a secret before its time, in any phase."""

from __future__ import annotations

import re

import pytest

from tests.leaks import leaked
from tests.referee.live.live_game import LiveGame, make_live_game, slip
from tests.referee.live.live_server import ServerProcess, SocketClient
from tournaments.judging.queries.slip_groups import groups_of
from tournaments.models import PublicPage
from tournaments.now import utc_now
from tournaments.play.services import game_end
from tournaments.results.services import public_page

pytestmark = pytest.mark.django_db(transaction=True)

RACK = "CORNOAT"
RACK_IN_PAGE = re.compile(r"ACNOORT|CORNOAT")
FOREIGN_WORD = "PLANTEDWORD"


def pages(live_game: LiveGame) -> list[str]:
    code, wall = live_game.event.code, live_game.event.wall_token
    names = ("", "main/", "tops/", "log/", "standings/", "analysis/", "players/", "archive.json")
    desk = [f"/desk/{code}/{page}" for page in names]
    hall = ["/", f"/j/{code}/", "/play/", "/play/state.json", f"/wall/{wall}/", f"/wall/{wall}/texts.js", "/texts.js"]
    hall += ["/play/my-sheet/", "/play/card/", f"/wall/{wall}/charts/", *public_pages(live_game)]
    return [*hall, *desk, "/desk/", f"/desk/{code}/echo/?line=1+8H+CORNO+1", f"/desk/{code}/documents/"]


def public_pages(live_game: LiveGame) -> list[str]:
    """Those of an event whose director shows everybody on the net what the wall shows."""
    page = PublicPage.objects.filter(event=live_game.event).first()
    if page is None:
        return []
    base = f"/p/{page.token}/"
    return [base, *(f"{base}{path}" for path in ("standings/", "game/1/", "game/1/turn/1/"))]


def read_by(served: ServerProcess, live_game: LiveGame, cookie: str) -> str:
    """Everything that somebody with this cookie gets to see on any page, and where he is sent."""
    answers = [served.request("GET", path, headers={"Cookie": cookie}) for path in pages(live_game)]
    assert {answer.status for answer in answers} <= {200, 302, 304, 401, 403, 404, 422}
    return "\n".join(answer.text + answer.headers.get("location", "") for answer in answers)


def test_pages_keep_rack_tops_foreign_slips_and_seed_until_their_time(
    served: ServerProcess, lines: list[SocketClient]
) -> None:
    live_game = make_live_game()
    public_page.set_page(
        event=live_game.event,
        is_on=True,
        delay=0,
        own_sheets=True,
        may_be_found=False,
        by=live_game.judge,
        now=utc_now(),
    )
    other = served.phone(live_game.cookie(2))
    lines.append(other)
    watchers = {"player": live_game.cookie(1), "stranger": ""}
    live_game.draw(RACK)
    tops = [top["word"] for top in live_game.turn.tops or ()]
    assert {"CONTRO", "TRONCO"} <= set(tops)
    for name, cookie in watchers.items():
        assert not RACK_IN_PAGE.search(read_by(served, live_game, cookie)), name

    live_game.announce()
    other.phase("running")
    other.hand_in(slip(1, word=FOREIGN_WORD, ref="H8", score=8642))
    assert RACK_IN_PAGE.search(read_by(served, live_game, watchers["player"]))
    for phase in ("running", "closed"):
        for name, cookie in watchers.items():
            text = read_by(served, live_game, cookie)
            assert leaked(text, (*tops, FOREIGN_WORD, "8642")) == [], (name, phase)
        if phase == "running":
            live_game.close()
    assert any(group.word == FOREIGN_WORD for group in groups_of(live_game.turn))

    live_game.place()
    for name, cookie in watchers.items():
        text = read_by(served, live_game, cookie)
        assert leaked(text, (FOREIGN_WORD, "8642")) == [], name


def test_the_seed_is_on_no_page_before_the_end(served: ServerProcess) -> None:
    seed = bytes(range(100, 132))
    live_game = make_live_game(draw_mode="seeded", seed=seed)
    live_game.draw()
    live_game.announce()
    live_game.close()
    live_game.place()
    for cookie in (live_game.cookie(1), "", live_game.desk_cookie()):
        assert seed.hex() not in read_by(served, live_game, cookie)
    game_end.end_game(game=live_game.game, why="judge", by=live_game.judge, now=utc_now())
    assert seed.hex() in read_by(served, live_game, live_game.desk_cookie())


def test_the_judges_own_page_hides_the_tops_until_the_close_or_his_key(served: ServerProcess) -> None:
    live_game = make_live_game()
    live_game.draw(RACK)
    live_game.announce()
    cookie = {"Cookie": live_game.desk_cookie()}
    code = live_game.event.code
    for page in ("", "main/", "log/", "standings/"):
        answer = served.request("GET", f"/desk/{code}/{page}", headers=cookie)
        assert answer.status == 200
        assert "TRONCO" not in answer.text, page
    assert "TRONCO" in served.request("GET", f"/desk/{code}/tops/", headers=cookie).text
