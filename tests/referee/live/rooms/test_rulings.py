"""A judge rules on words at the desk of a running server: tops and verdicts follow without a new start."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlencode

import pytest

from tests.referee.live.live_game import LiveGame, make_live_game, slip
from tests.referee.live.live_server import ServerProcess, SocketClient
from tournaments.models import Turn, Verdict

pytestmark = pytest.mark.django_db(transaction=True)
BINGO = "COTORNA"  # no word of the list, and all seven tiles of the rack


class DeskByHttp:
    """The judge's browser at the served desk."""

    def __init__(self, served: ServerProcess, live_game: LiveGame) -> None:
        self._served, self._path = served, f"/desk/{live_game.event.code}/"
        session = live_game.desk_cookie()
        page = served.request("GET", self._path, headers={"Cookie": session})
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page.text)
        assert token is not None
        self._token = token[1]
        self._cookie = f"{session}; {page.headers['set-cookie'].split(';')[0]}"

    def act(self, action: str, **fields: str) -> str:
        """The part of the page that changes, as it is after the act."""
        headers = {
            "Cookie": self._cookie,
            "Origin": f"http://{self._served.host}",
            "Content-Type": "application/x-www-form-urlencoded",
            "HX-Request": "true",
            "Accept": "text/html",
        }
        body = urlencode({**fields, "csrfmiddlewaretoken": self._token}).encode()
        answer = self._served.request("POST", f"{self._path}do/{action}/", body, headers)
        assert answer.status == 200, answer.text
        return answer.text

    def rule(self, word: str, ruling: str) -> str:
        return self.act("rule-word", word=word, ruling=ruling, reason="looked up")


@pytest.fixture
def live_game() -> LiveGame:
    live_game = make_live_game()
    live_game.draw("CORNOAT")
    live_game.announce()
    return live_game


@pytest.fixture
def phones(served: ServerProcess, live_game: LiveGame, lines: list[SocketClient]) -> list[SocketClient]:
    """Table 1 hands in the top, table 2 a word that is not in the list."""
    top = top_of(live_game)
    lines += [served.phone(live_game.cookie(table)) for table in (1, 2)]
    lines[0].hand_in(slip(1, word=top["word"], ref=top["ref"], score=top["score"]))
    lines[1].hand_in(slip(1, word=BINGO, ref="8D", score=None))
    return list(lines)


def top_of(live_game: LiveGame) -> dict[str, Any]:
    tops = Turn.objects.get(game=live_game.game).tops
    assert tops
    return dict(tops[0])


def verdict(live_game: LiveGame, table: int) -> Verdict:
    return Verdict.objects.get(turn__game=live_game.game, player__table=table)


def test_a_word_struck_while_the_clock_runs_is_no_top_any_more(served: ServerProcess, live_game: LiveGame) -> None:
    before = top_of(live_game)
    DeskByHttp(served, live_game).rule(before["word"], "struck")
    tops = Turn.objects.get(game=live_game.game).tops
    assert tops
    assert before["word"] not in [top["word"] for top in tops]


def test_a_word_struck_after_the_close_takes_the_points_of_who_wrote_it(
    served: ServerProcess, live_game: LiveGame, phones: list[SocketClient]
) -> None:
    top, desk = top_of(live_game), DeskByHttp(served, live_game)
    assert f"Place {top['word']}" in desk.act("close")
    assert verdict(live_game, 1).points == top["score"]
    page = desk.rule(top["word"], "struck")
    assert f"Place {top_of(live_game)['word']}" in page
    assert top_of(live_game)["word"] != top["word"]
    assert (verdict(live_game, 1).points, verdict(live_game, 1).reason) == (0, "not_a_word")
    assert f"Place {top['word']}" in desk.act("revoke-word", word=top["word"])
    assert verdict(live_game, 1).points == top["score"]


def test_an_accepted_word_is_the_top_and_counts_for_who_wrote_it(
    served: ServerProcess, live_game: LiveGame, phones: list[SocketClient], lines: list[SocketClient]
) -> None:
    desk = DeskByHttp(served, live_game)
    desk.act("close")
    assert verdict(live_game, 2).reason == "not_a_word"
    desk.rule(BINGO, "accepted")
    assert top_of(live_game)["word"] == BINGO
    # C 2, doubled at 8D, O 1, T 2, O 1, R 2, N 3, A 1: 14, doubled at 8H, and 50 for all seven.
    assert verdict(live_game, 2).move_score == 78
    desk.act("place")
    lines.append(served.phone(live_game.cookie(2)))
    told = lines[-1].until("me")["verdict"]
    assert (told["word"], told["points"]) == (BINGO, verdict(live_game, 2).points)
    assert told["points"] > 0
