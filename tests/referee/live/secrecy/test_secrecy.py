"""No message to a phone or the wall holds a secret before its time. The test also checks that the secrets exist."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import uuid4

import pytest

from tests.leaks import leaked
from tests.referee.live.live_game import LiveGame, make_live_game, slip
from tests.referee.live.live_server import ServerProcess, SocketClient
from tournaments.enums import DrawMode
from tournaments.models import Game
from tournaments.now import utc_now
from tournaments.play.services import clocks, game_end

pytestmark = pytest.mark.django_db(transaction=True)

RACK, SORTED_RACK = "CORNOAT", "ACNOORT"
FOREIGN_WORD, OWN_WORD = "PLANTEDWORD", "CORNO"


def found(texts: Iterable[str], *secrets: str) -> list[str]:
    return leaked("\n".join(texts), secrets)


def audience(served: ServerProcess, live_game: LiveGame, lines: list[SocketClient]) -> list[SocketClient]:
    """Table 1's phone and the wall; table 2's phone, which is not looked through, comes last."""
    lines += [
        served.phone(live_game.cookie(1)),
        served.socket(f"/ws/wall/{live_game.event.wall_token}/"),
        served.phone(live_game.cookie(2)),
    ]
    return lines


def test_before_the_announcement_the_rack_is_unknown(served: ServerProcess, lines: list[SocketClient]) -> None:
    live_game = make_live_game()
    phone, wall, _ = audience(served, live_game, lines)
    live_game.draw(RACK)
    assert live_game.turn.rack == SORTED_RACK
    for line in (phone, wall):
        line.phase("drawn")
        line.drain()
        line.send({"t": "me"})
        line.drain()
        assert found(line.texts, RACK, SORTED_RACK) == []


def test_until_the_placement_tops_verdicts_and_foreign_words_are_unknown(
    served: ServerProcess, lines: list[SocketClient]
) -> None:
    live_game = make_live_game()
    phone, wall, other = audience(served, live_game, lines)
    live_game.draw(RACK)
    tops = [top["word"] for top in live_game.turn.tops or ()]
    assert {"CONTRO", "TRONCO"} <= set(tops)
    secrets = (*tops, FOREIGN_WORD, "8642", '"valid"', '"zero"', '"points"')
    live_game.announce()
    for line in lines:
        line.phase("running")
    other.hand_in(slip(1, word=FOREIGN_WORD, ref="H8", score=8642))
    phone.hand_in(slip(1, word=OWN_WORD, ref="8D", score=22))
    live_game.close()
    for line in (phone, wall):
        line.phase("closed")
        line.drain()
        line.send({"t": "me"})
        line.drain()
        assert found(line.texts, *secrets) == []
    lines += [served.phone(live_game.cookie(1)), served.socket(f"/ws/wall/{live_game.event.wall_token}/")]
    for line in lines[-2:]:
        line.drain()
        assert found(line.texts, *secrets) == []
    live_game.place()
    assert wall.phase("placed")["last"]["word"] == OWN_WORD
    phone.phase("placed")
    phone.send({"t": "me"})
    assert phone.until("me", rank=1)["verdict"]["result"] == "valid"
    for line in (phone, wall):
        line.drain()
        assert found(line.texts, FOREIGN_WORD, "8642") == []


def test_the_finders_of_the_top_and_the_next_best_word_are_told_after_the_placement(
    served: ServerProcess, lines: list[SocketClient]
) -> None:
    live_game = make_live_game()
    phone, wall, other = audience(served, live_game, lines)
    live_game.draw(RACK)
    top = next(iter(live_game.turn.tops or ()))
    live_game.announce()
    for line in lines:
        line.phase("running")
    phone.hand_in(slip(1, word=OWN_WORD, ref="8D", score=22))
    other.hand_in(slip(1, word=top["word"], ref=top["ref"], score=top["score"]))
    live_game.close()
    told = ('"top_word"', '"next_best"', '"top_finders"')
    for line, secrets in ((phone, (top["word"],)), (wall, (top["word"], OWN_WORD)), (other, (OWN_WORD,))):
        line.phase("closed")
        line.drain()
        assert found(line.texts, *secrets, *told) == []
    live_game.place()
    for line in (phone, wall, other):
        last = line.phase("placed")["last"]
        assert (last["top_word"], last["top_ref"], last["top_finders"]) == (top["word"], top["ref"], 1)
        assert last["next_best"] == {"word": OWN_WORD, "ref": "8D", "score": 22}


def test_a_pause_and_more_time_tell_nothing_more(served: ServerProcess, lines: list[SocketClient]) -> None:
    live_game = make_live_game()
    phone, wall, _ = audience(served, live_game, lines)
    live_game.draw(RACK)
    tops = [top["word"] for top in live_game.turn.tops or ()]
    live_game.announce()
    clocks.pause_clock(turn=live_game.turn, room=live_game.room, now=utc_now(), by=live_game.judge)
    for line in (phone, wall):
        assert 170_000 < line.phase("paused")["remaining_ms"] <= 180_000
        line.drain()
        assert tops
        assert found(line.texts, *tops) == []


def test_the_seed_is_unknown_until_the_game_is_over(served: ServerProcess, lines: list[SocketClient]) -> None:
    seed = bytes(range(32))
    live_game = make_live_game(draw_mode=DrawMode.SEEDED, seed=seed)
    phone, wall, _ = audience(served, live_game, lines)
    commitment = Game.objects.get(pk=live_game.game.pk).commitment
    for turn in (1, 2):
        live_game.draw()
        live_game.announce()
        live_game.close()
        if turn == 1:
            live_game.place()
    for line in (phone, wall):
        line.phase("closed")
        line.drain()
        assert found(line.texts, seed.hex()) == []
        assert found(line.texts, commitment) == [commitment]
    live_game.place()
    for line in (phone, wall):
        line.phase("placed")
        assert found(line.texts, seed.hex()) == []
    game_end.end_game(game=live_game.game, why="judge", by=live_game.judge, now=utc_now())
    assert wall.phase("finished")["seed"] == seed.hex()


def test_a_foreign_slip_is_not_told_by_its_id(served: ServerProcess, lines: list[SocketClient]) -> None:
    live_game = make_live_game()
    phone, _, other = audience(served, live_game, lines)
    live_game.draw(RACK)
    live_game.announce()
    for line in lines:
        line.phase("running")
    sent = slip(1, word=FOREIGN_WORD, ref="B13", score=8642)
    other.hand_in(sent)
    stolen = phone.hand_in({**slip(1), "id": sent["id"]})
    assert stolen["t"] == "refused"
    assert "received" not in stolen
    unknown = phone.hand_in({**slip(7), "id": sent["id"]})
    assert unknown == {**phone.hand_in({**slip(7), "id": str(uuid4())}), "id": sent["id"]}
