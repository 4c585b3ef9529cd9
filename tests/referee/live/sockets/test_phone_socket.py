"""A phone over a real socket to a real server: joining, slips, receipts, and everything that can go wrong."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from referee.security.player_tokens import new_token
from tests.referee.live.live_game import LiveGame, make_live_game, seat_cookie, slip
from tests.referee.live.live_server import ServerProcess, SocketClient
from tests.waiting import PATIENCE_S, until
from tournaments.models import Entry, Slip, TurnClock, Verdict
from tournaments.now import utc_now
from tournaments.players.services.disqualification import disqualify, reinstate

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def live_game() -> LiveGame:
    return make_live_game()


@pytest.fixture
def phone(served: ServerProcess, live_game: LiveGame, lines: list[SocketClient]) -> SocketClient:
    lines.append(served.phone(live_game.cookie(1)))
    return lines[-1]


def running(live_game: LiveGame, phone: SocketClient) -> None:
    """A turn that is announced, and seen on the phone."""
    live_game.draw("CORNOAT")
    live_game.announce()
    phone.phase("running")


def test_a_phone_is_greeted_shown_the_hall_and_told_about_itself(phone: SocketClient, live_game: LiveGame) -> None:
    hello, state, me = phone.receive(), phone.receive(), phone.receive()
    assert hello.pop("room") == live_game.event.code
    assert hello == {"t": "hello", "v": 1, "player": {"table": 1, "name": "Anna Ferri"}, "turn": 0, "slip": None}
    assert (state["t"], state["view"]["phase"], state["view"]["event_code"]) == ("state", "lobby", live_game.event.code)
    assert abs(state["now"] / 1000 - time.time()) < PATIENCE_S
    assert (me["t"], me["table"], me["total"], me["verdict"]) == ("me", 1, 0, None)


def test_a_slip_is_acknowledged_after_it_is_stored_as_it_was_written(phone: SocketClient, live_game: LiveGame) -> None:
    running(live_game, phone)
    sent = slip(1, word="coRno", ref=" 8d ", hook=" esc", direction="across", score=None, sent=1_800_000_000_000)
    ack = phone.hand_in(sent)
    stored = Slip.objects.get(client_id=sent["id"])
    assert ack == {
        "t": "ack",
        "id": sent["id"],
        "version": 1,
        "received": round(stored.received_at.timestamp() * 1000),
        "in_time": True,
    }
    assert (stored.word, stored.ref, stored.direction, stored.declared) == ("coRno", "8d", "across", None)
    assert stored.hook == "esc"
    assert stored.player.table == 1
    assert stored.in_time


def test_a_better_slip_replaces_the_first_and_both_are_kept(phone: SocketClient, live_game: LiveGame) -> None:
    running(live_game, phone)
    assert [phone.hand_in(slip(1, word=word))["version"] for word in ("ORO", "CORNO")] == [1, 2]
    assert list(Slip.objects.order_by("version").values_list("word", flat=True)) == ["ORO", "CORNO"]


def test_the_same_slip_sent_again_gets_the_same_receipt_and_is_stored_once(
    served: ServerProcess, phone: SocketClient, live_game: LiveGame, lines: list[SocketClient]
) -> None:
    running(live_game, phone)
    sent = slip(1)
    first = phone.hand_in(sent)
    assert phone.hand_in(sent) == first
    phone.close()
    lines.append(served.phone(live_game.cookie(1)))
    assert lines[-1].until("hello")["slip"]["id"] == sent["id"]
    assert lines[-1].hand_in(sent) == first
    assert Slip.objects.count() == 1


def test_after_a_reload_the_phone_is_told_its_newest_slip(
    served: ServerProcess, phone: SocketClient, live_game: LiveGame, lines: list[SocketClient]
) -> None:
    running(live_game, phone)
    sent = slip(1, word="CRONO", ref="H8", direction="down", score=19)
    ack = phone.hand_in(sent)
    lines.append(served.phone(live_game.cookie(1)))
    assert lines[-1].until("hello")["slip"] == {
        "id": sent["id"],
        "source": "phone",
        "version": 1,
        "word": "CRONO",
        "ref": "H8",
        "hook": "",
        "direction": "down",
        "score": 19,
        "received": ack["received"],
        "in_time": True,
    }


def test_a_slip_after_the_deadline_is_stored_as_late_and_changes_nothing(
    phone: SocketClient, live_game: LiveGame
) -> None:
    running(live_game, phone)
    in_time = phone.hand_in(slip(1, word="ORO"))
    TurnClock.objects.update(deadline=utc_now())
    phone.phase("closed")
    late = phone.hand_in(slip(1, word="CORNO"))
    assert (in_time["in_time"], late["in_time"], late["version"]) == (True, False, 2)
    until(lambda: Verdict.objects.count() == 4, "the verdicts")
    assert Verdict.objects.get(player__table=1).slip == Slip.objects.get(word="ORO")


def test_a_slip_within_the_grace_counts(phone: SocketClient, live_game: LiveGame) -> None:
    running(live_game, phone)
    TurnClock.objects.update(deadline=utc_now() - timedelta(milliseconds=300), grace_ms=60_000)
    assert phone.hand_in(slip(1))["in_time"] is True


def test_the_turn_is_closed_by_itself_after_deadline_and_grace(phone: SocketClient, live_game: LiveGame) -> None:
    running(live_game, phone)
    TurnClock.objects.update(deadline=utc_now() + timedelta(seconds=1.5))
    phone.phase("closed")
    until(lambda: Verdict.objects.count() == 4, "the verdicts")
    clock = live_game.clock
    assert clock.closed_at is not None
    assert clock.deadline is not None
    assert clock.closed_at > clock.deadline + timedelta(milliseconds=clock.grace_ms)


def test_the_judge_may_close_early_and_a_slip_under_way_is_still_judged(
    phone: SocketClient, live_game: LiveGame
) -> None:
    running(live_game, phone)
    TurnClock.objects.update(grace_ms=60_000)
    live_game.close()
    ack = phone.hand_in(slip(1, word="CORNO"))
    assert ack["in_time"] is True
    until(lambda: Verdict.objects.get(player__table=1).points > 0, "the verdict")


def test_after_the_placement_a_new_slip_is_refused_but_an_old_one_gets_its_receipt(
    phone: SocketClient, live_game: LiveGame
) -> None:
    running(live_game, phone)
    sent = slip(1)
    ack = phone.hand_in(sent)
    live_game.close()
    live_game.place()
    phone.phase("placed")
    refused = phone.hand_in(slip(1, word="ORO"))
    assert (refused["t"], refused["why"]) == ("refused", "turn_over")
    assert phone.hand_in(sent) == ack


def test_before_the_rack_is_announced_a_slip_is_refused(phone: SocketClient, live_game: LiveGame) -> None:
    assert phone.hand_in(slip(1))["why"] == "no_turn"
    live_game.draw("CORNOAT")
    phone.phase("drawn")
    assert phone.hand_in(slip(1))["why"] == "no_turn"
    assert not Slip.objects.exists()


def test_after_the_placement_each_phone_gets_its_own_result_and_no_other(
    served: ServerProcess, phone: SocketClient, live_game: LiveGame, lines: list[SocketClient]
) -> None:
    lines.append(served.phone(live_game.cookie(2), **{"Accept-Language": "it"}))
    running(live_game, phone)
    phone.hand_in(slip(1, word="CORNO", score=22))
    lines[-1].phase("running")
    lines[-1].hand_in(slip(1, word="CORNA", ref="8H"))
    live_game.close()
    live_game.place()
    phone.phase("placed")
    me = phone.until("me")
    assert (me["table"], me["rank"], me["total"], me["verdict"]["result"]) == (1, 1, 22, "valid")
    lines[-1].phase("placed")
    other = lines[-1].until("me")
    assert (other["table"], other["verdict"]["word"]) == (2, "CORNA")
    assert other["verdict"]["text"]


def test_a_ping_is_answered_with_the_servers_time(phone: SocketClient) -> None:
    phone.send({"t": "ping", "c": 1234.5})
    pong = phone.until("pong")
    assert pong["c"] == 1234.5
    assert abs(pong["now"] / 1000 - time.time()) < PATIENCE_S


def test_another_phone_takes_the_table_and_the_old_one_is_told(
    served: ServerProcess, phone: SocketClient, live_game: LiveGame, lines: list[SocketClient]
) -> None:
    phone.until("state")
    cookie = live_game.join(1)
    lines.append(served.phone(cookie))
    assert lines[-1].until("hello")["player"]["table"] == 1
    phone.until("moved")
    assert phone.end() == 4001


def test_the_slip_of_a_replaced_phone_is_not_taken(
    served: ServerProcess, phone: SocketClient, live_game: LiveGame, lines: list[SocketClient]
) -> None:
    running(live_game, phone)
    live_game.join(1)
    lines.append(served.phone(seat_cookie(new_token())))
    assert lines[-1].until("refused")["why"] == "no_seat"
    assert lines[-1].end() == 4401


def test_the_third_page_of_one_phone_ends_the_first(
    served: ServerProcess, phone: SocketClient, live_game: LiveGame, lines: list[SocketClient]
) -> None:
    phone.until("state")
    lines += [served.phone(live_game.cookie(1)) for _ in range(2)]
    assert phone.end() == 4001
    for line in lines[1:]:
        line.send({"t": "ping", "c": 1})
        line.until("pong")


@pytest.mark.parametrize("cookie", ["", "seat=abc", "seat=abc:def:ghi", "sessionid=1"])
def test_a_phone_without_a_seat_is_told_to_join(served: ServerProcess, cookie: str, lines: list[SocketClient]) -> None:
    lines.append(served.phone(cookie))
    refused = lines[-1].receive()
    assert (refused["t"], refused["why"]) == ("refused", "no_seat")
    assert lines[-1].end() == 4401


@pytest.mark.parametrize("origin", ["http://evil.example", "http://127.0.0.1:1", "null", ""])
def test_a_foreign_page_cannot_open_a_socket(served: ServerProcess, live_game: LiveGame, origin: str) -> None:
    with pytest.raises(InvalidStatus) as refusal:
        served.phone(live_game.cookie(1), Origin=origin)
    assert refusal.value.response.status_code == 403


def test_an_unknown_address_is_refused_quietly(served: ServerProcess, live_game: LiveGame) -> None:
    with pytest.raises(InvalidStatus) as refusal:
        served.socket("/ws/nowhere/", live_game.cookie(1))
    assert refusal.value.response.status_code == 403
    assert "Traceback" not in served.text


@pytest.mark.parametrize(
    "frame",
    [
        "",
        "CORNO 8D 22",
        "[]",
        '{"t":"slip"}',
        '{"t":"dance"}',
        b"\x00\x01",
        json.dumps(slip(1, word="")),
        json.dumps(slip(1, word="x" * 201)),
        json.dumps(slip(1, word="x" * 10_000)),
        json.dumps(slip(1, score="many")),
        '{"t":"ping","c":1' + "0" * 400 + "}",
        '{"t":"ping","c":' + "9" * 4_500 + "}",
        '{"t":"ping","c":1e999}',
        "[" * 8_000,
    ],
)
def test_what_is_no_slip_gets_one_sentence_and_the_line_stays(
    phone: SocketClient, live_game: LiveGame, frame: str | bytes
) -> None:
    running(live_game, phone)
    phone.send(frame)
    refused = phone.until("refused")
    assert refused["why"] == "malformed"
    assert refused["text"].endswith(".")
    assert phone.hand_in(slip(1))["t"] == "ack"


def test_a_frame_beyond_all_measure_ends_the_line_and_nothing_else(
    served: ServerProcess, phone: SocketClient, live_game: LiveGame, lines: list[SocketClient]
) -> None:
    running(live_game, phone)
    phone.send("x" * 40_000)
    assert phone.end() == 1009
    lines.append(served.phone(live_game.cookie(1)))
    assert lines[-1].hand_in(slip(1))["t"] == "ack"


@pytest.mark.parametrize("word", ["😀", "ZZZZZZZ", "corno", "(C)ORNO", "Ñandú", "x" * 200])
def test_nothing_hints_at_whether_a_word_is_any_good(phone: SocketClient, live_game: LiveGame, word: str) -> None:
    running(live_game, phone)
    ack = phone.hand_in(slip(1, word=word, ref="Z99"))
    assert set(ack) == {"t", "id", "version", "received", "in_time"}
    assert ack["version"] == 1


def test_a_phone_that_floods_is_slowed_down_and_ended_while_others_play_on(
    served: ServerProcess, phone: SocketClient, live_game: LiveGame, lines: list[SocketClient]
) -> None:
    lines.append(served.phone(live_game.cookie(2)))
    running(live_game, phone)
    answers: list[dict[str, Any]] = []
    began = time.monotonic()
    for _ in range(15):
        phone.send(slip(1))
    while len(answers) < 15:
        message = phone.receive()
        answers += [message] if message.get("t") in ("ack", "refused") else []
    refused = [answer for answer in answers if answer["t"] == "refused"]
    assert {answer["why"] for answer in refused} == {"too_fast"}
    assert all(answer["retry_ms"] > 0 for answer in refused)
    assert 8 <= Slip.objects.count() <= 12 + time.monotonic() - began  # one a second more
    with suppress(ConnectionClosed):  # it may be ended before it has sent everything
        for _ in range(400):
            phone.send({"t": "me"})
    assert phone.end() == 4429
    assert lines[-1].hand_in(slip(1))["t"] == "ack"


def test_two_slips_with_one_id_from_two_tables_cannot_be_mixed_up(
    served: ServerProcess, phone: SocketClient, live_game: LiveGame, lines: list[SocketClient]
) -> None:
    lines.append(served.phone(live_game.cookie(2)))
    running(live_game, phone)
    sent = slip(1)
    assert phone.hand_in(sent)["t"] == "ack"
    assert lines[-1].hand_in(sent)["t"] == "refused"
    assert Slip.objects.get(client_id=UUID(sent["id"])).player.table == 1


def test_a_player_who_came_after_the_start_waits_for_the_next_turn(
    served: ServerProcess, phone: SocketClient, live_game: LiveGame, lines: list[SocketClient]
) -> None:
    running(live_game, phone)
    lines.append(served.phone(live_game.join(9)))
    assert lines[-1].hand_in(slip(1))["why"] == "no_turn"


def test_a_player_without_a_place_in_the_game_is_greeted_and_told_so(
    served: ServerProcess, live_game: LiveGame, lines: list[SocketClient]
) -> None:
    Entry.objects.filter(player__table=4).delete()
    lines.append(served.phone(live_game.cookie(4)))
    for message in ({"t": "me"}, {"t": "ping", "c": 1}):
        lines[-1].send(message)
    lines[-1].until("pong")
    lines[-1].drain(0.5)
    kinds = [json.loads(text)["t"] for text in lines[-1].texts if '"count"' not in text]
    assert kinds[:2] == ["hello", "state"]
    assert set(kinds) == {"hello", "state", "no_place", "pong"}


def test_a_disqualified_player_is_told_from_which_turn_on_and_hands_in_no_more(
    phone: SocketClient, live_game: LiveGame
) -> None:
    phone.until("me")
    player = live_game.event.players.get(table=1)
    disqualify(player=player, reason="shouted at the judge", by=live_game.judge, now=utc_now())
    running(live_game, phone)
    assert phone.hand_in(slip(1))["text"] == (
        "You do not play in this turn: you joined after its start, left the game or were disqualified."
    )
    phone.send({"t": "me"})
    assert phone.until("me")["disqualified_from"] == 1
    phone.drain()
    reinstate(player=player, by=live_game.judge, now=utc_now())
    phone.until("state")
    phone.send({"t": "me"})
    assert phone.until("me", disqualified_from=None)


def test_sentences_are_in_the_language_of_the_browser(
    served: ServerProcess, live_game: LiveGame, lines: list[SocketClient]
) -> None:
    sentences = set()
    for language in ("en", "it"):
        lines.append(served.phone(live_game.cookie(1), **{"Accept-Language": language}))
        sentences.add(lines[-1].hand_in(slip(1))["text"])
    assert "Turn 1 has not begun yet." in sentences
    lines.append(served.phone(f"{live_game.cookie(1)}; django_language=it", **{"Accept-Language": "en"}))
    assert lines[-1].hand_in(slip(1))["text"] in sentences - {"Turn 1 has not begun yet."}


def test_the_count_of_slips_follows_without_a_new_state(
    served: ServerProcess, phone: SocketClient, live_game: LiveGame, lines: list[SocketClient]
) -> None:
    lines.append(served.phone(live_game.cookie(2)))
    running(live_game, phone)
    lines[-1].phase("running")
    phone.hand_in(slip(1))
    assert lines[-1].until("count", slips_in=1) == {"t": "count", "slips_in": 1, "players": 4}
    lines[-1].hand_in(slip(1))
    assert phone.until("count", slips_in=2)["players"] == 4


def test_many_slips_of_many_ids_are_all_acknowledged_and_none_is_lost(
    served: ServerProcess, live_game: LiveGame, lines: list[SocketClient]
) -> None:
    lines += [served.phone(live_game.cookie(table)) for table in (1, 2, 3, 4)]
    live_game.draw("CORNOAT")
    live_game.announce()
    for line in lines:
        line.phase("running")
    sent = {line: [str(uuid4()) for _ in range(8)] for line in lines}
    for number in range(8):
        for line in lines:
            line.send({**slip(1), "id": sent[line][number]})
    acked = {line: [line.until("ack")["id"] for _ in range(8)] for line in lines}
    assert acked == sent
    assert Slip.objects.count() == 32
