"""Encoding of WebSocket text frames, so that one encoded frame can be sent to all phones."""

from __future__ import annotations

import struct

_TEXT = 0x81


def encode_frame(text: str) -> bytes:
    """Encode a text as an unmasked, final frame (RFC 6455, section 5.2)."""
    payload = text.encode()
    length = len(payload)
    if length < 126:
        return bytes((_TEXT, length)) + payload
    if length < 65_536:
        return struct.pack("!BBH", _TEXT, 126, length) + payload
    return struct.pack("!BBQ", _TEXT, 127, length) + payload
