"""The WebSocket client of simulated phones, against frames as a server sends them."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest

from referee.live.sockets.frame_encoding import encode_frame
from referee.rehearsal.wire import WebSocketClient, handshake, text_frame

ACCEPTED = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n"


class Wire:
    """Transport that stores what is written."""

    def __init__(self) -> None:
        self.written = b""
        self.was_aborted = self.was_closed = False

    def write(self, data: bytes) -> None:
        self.written += data

    def abort(self) -> None:
        self.was_aborted = True

    def close(self) -> None:
        self.was_closed = True


@pytest.fixture
def heard() -> list[bytes]:
    return []


@pytest.fixture
def wire() -> Wire:
    return Wire()


@pytest.fixture
def line(wire: Wire, heard: list[bytes]) -> WebSocketClient:
    line = WebSocketClient(b"GET", lambda text, _now: heard.append(text), lambda: None)
    line.connection_made(cast(asyncio.BaseTransport, cast(Any, wire)))
    return line


@pytest.mark.parametrize("length", [0, 1, 125, 126, 127, 65_535, 65_536, 70_000])
def test_texts_of_every_length_arrive_whole(line: WebSocketClient, heard: list[bytes], length: int) -> None:
    line.data_received(ACCEPTED)
    line.data_received(encode_frame("x" * length))
    assert heard == [b"x" * length]


@pytest.mark.parametrize("step", [1, 2, 3, 7, 100])
def test_texts_arrive_however_the_network_cuts_them(line: WebSocketClient, heard: list[bytes], step: int) -> None:
    stream = ACCEPTED + b"".join(encode_frame(text) for text in ("one", "é" * 100, "three"))
    for at in range(0, len(stream), step):
        line.data_received(stream[at : at + step])
    assert [text.decode() for text in heard] == ["one", "é" * 100, "three"]


def test_a_ping_is_answered_with_what_it_brought(line: WebSocketClient, wire: Wire, heard: list[bytes]) -> None:
    line.data_received(ACCEPTED + b"\x89\x04abcd" + encode_frame("text"))
    assert wire.written == b"GET" + b"\x8a\x84\0\0\0\0abcd"
    assert heard == [b"text"]


def test_the_end_is_answered(line: WebSocketClient, wire: Wire) -> None:
    line.data_received(ACCEPTED + b"\x88\x02\x0f\xa1")
    assert wire.written.endswith(b"\x88\x82\0\0\0\0\x0f\xa1")
    assert wire.was_closed


def test_a_server_that_does_not_accept_is_hung_up_on(line: WebSocketClient, wire: Wire, heard: list[bytes]) -> None:
    line.data_received(b"HTTP/1.1 403 Forbidden\r\n\r\n" + encode_frame("text"))
    assert wire.was_aborted
    assert heard == []


def test_frames_of_a_phone_are_masked_as_the_standard_demands() -> None:
    assert text_frame(b"ab") == b"\x81\x82\0\0\0\0ab"
    assert text_frame(b"x" * 126)[:4] == b"\x81\xfe\0\x7e"


def test_the_handshake_comes_from_a_page_of_the_server_itself() -> None:
    head = handshake("192.168.1.5:8000", "/ws/phone/", "seat=x", secure=True).decode()
    assert "Origin: https://192.168.1.5:8000\r\n" in head
    assert head.endswith("Cookie: seat=x\r\n\r\n")
