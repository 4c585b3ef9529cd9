"""No page that a player, the wall or a stranger can open holds a secret before its time, in any phase."""

from __future__ import annotations

import re

import pytest

from tests.leaks import leaked
from tests.referee.live.evening import Evening, make_evening, slip
from tests.referee.live.serving import Line, Served
from tournaments.models import PublicPage
from tournaments.now import utc_now
from tournaments.selectors.groups import groups_of
from tournaments.services import ending, public_page

pytestmark = pytest.mark.django_db(transaction=True)

RACK = "CORNOAT"
RACK_IN_PAGE = re.compile(r"ACNOORT|CORNOAT")
FOREIGN_WORD = "PLANTEDWORD"


def pages(evening: Evening) -> list[str]:
    code, wall = evening.event.code, evening.event.wall_token
    names = ("", "main/", "tops/", "log/", "standings/", "analysis/", "players/", "archive.json")
    desk = [f"/desk/{code}/{page}" for page in names]
    hall = ["/", f"/j/{code}/", "/play/", "/play/state.json", f"/wall/{wall}/", f"/wall/{wall}/texts.js", "/texts.js"]
    hall += ["/play/my-sheet/", f"/wall/{wall}/charts/", *public_pages(evening)]
    return [*hall, *desk, "/desk/", f"/desk/{code}/echo/?line=1+8H+CORNO+1", f"/desk/{code}/documents/"]


def public_pages(evening: Evening) -> list[str]:
    """Those of an event whose director shows everybody on the net what the wall shows."""
    page = PublicPage.objects.filter(event=evening.event).first()
    if page is None:
        return []
    base = f"/p/{page.token}/"
    return [base, *(f"{base}{path}" for path in ("standings/", "game/1/", "game/1/turn/1/"))]


def read_by(served: Served, evening: Evening, cookie: str) -> str:
    """Everything that somebody with this cookie gets to see on any page, and where he is sent."""
    answers = [served.request("GET", path, headers={"Cookie": cookie}) for path in pages(evening)]
    assert {answer.status for answer in answers} <= {200, 302, 304, 401, 403, 404, 422}
    return "\n".join(answer.text + answer.headers.get("location", "") for answer in answers)


def test_pages_keep_rack_tops_foreign_slips_and_seed_until_their_time(served: Served, lines: list[Line]) -> None:
    evening = make_evening()
    public_page.set_page(
        event=evening.event,
        is_on=True,
        delay=0,
        own_sheets=True,
        may_be_found=False,
        by=evening.judge,
        now=utc_now(),
    )
    other = served.phone(evening.cookie(2))
    lines.append(other)
    watchers = {"player": evening.cookie(1), "stranger": ""}
    evening.draw(RACK)
    tops = [top["word"] for top in evening.turn.tops or ()]
    assert {"CONTRO", "TRONCO"} <= set(tops)
    for name, cookie in watchers.items():
        assert not RACK_IN_PAGE.search(read_by(served, evening, cookie)), name

    evening.announce()
    other.phase("running")
    other.hand_in(slip(1, word=FOREIGN_WORD, ref="H8", score=8642))
    assert RACK_IN_PAGE.search(read_by(served, evening, watchers["player"]))
    for phase in ("running", "closed"):
        for name, cookie in watchers.items():
            text = read_by(served, evening, cookie)
            assert leaked(text, (*tops, FOREIGN_WORD, "8642")) == [], (name, phase)
        if phase == "running":
            evening.close()
    assert any(group.word == FOREIGN_WORD for group in groups_of(evening.turn))

    evening.place()
    for name, cookie in watchers.items():
        text = read_by(served, evening, cookie)
        assert leaked(text, (FOREIGN_WORD, "8642")) == [], name


def test_the_seed_is_on_no_page_before_the_end(served: Served) -> None:
    seed = bytes(range(100, 132))
    evening = make_evening(draw_mode="seeded", seed=seed)
    evening.draw()
    evening.announce()
    evening.close()
    evening.place()
    for cookie in (evening.cookie(1), "", evening.desk_cookie()):
        assert seed.hex() not in read_by(served, evening, cookie)
    ending.end_game(game=evening.game, why="judge", by=evening.judge, now=utc_now())
    assert seed.hex() in read_by(served, evening, evening.desk_cookie())


def test_the_judges_own_page_hides_the_tops_until_the_close_or_his_key(served: Served) -> None:
    evening = make_evening()
    evening.draw(RACK)
    evening.announce()
    cookie = {"Cookie": evening.desk_cookie()}
    code = evening.event.code
    for page in ("", "main/", "log/", "standings/"):
        answer = served.request("GET", f"/desk/{code}/{page}", headers=cookie)
        assert answer.status == 200
        assert "TRONCO" not in answer.text, page
    assert "TRONCO" in served.request("GET", f"/desk/{code}/tops/", headers=cookie).text
