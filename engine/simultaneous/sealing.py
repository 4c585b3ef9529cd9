"""Sealing of a prepared game turn by turn.

Each part, a turn or the end, is encrypted with AES-256-GCM. Its key is derived with HKDF-SHA256 from the key of the
package and the content of all parts before it, so parts can only be opened in their order. Parts are filled with
spaces to a multiple of `BLOCK` bytes, so that their length tells nothing about a turn.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from binascii import Error as NoBase64
from collections.abc import Callable
from hashlib import sha256
from typing import TypedDict

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from engine.archive.schema import EndEntry
from engine.prepared.script import Script

KEY_BYTES, NONCE_BYTES, BLOCK = 32, 12, 2048
RandomBytes = Callable[[int], bytes]
NO_END: EndEntry = {"why": "judge", "kept": "", "bag": ""}


class SealBroken(ValueError):
    """A sealed text that was altered, or is opened with a wrong key."""


class SealedGame(TypedDict):
    """Game of a package. `head` is its script without turns, seed and end; `parts` are the sealed turns and the end."""

    number: int
    head: Script
    parts: list[str]


class OpenableGame(SealedGame):
    """Game of a package that a club has opened: `key` is that of the package, in hex."""

    key: str


def derive_key(secret: bytes, salt: bytes, purpose: str) -> bytes:
    """Derive a key of 32 bytes for one purpose."""
    return HKDF(algorithm=SHA256(), length=KEY_BYTES, salt=salt, info=purpose.encode()).derive(secret)


def seal(key: bytes, content: bytes, bound_to: bytes, random_bytes: RandomBytes) -> str:
    """Encrypt a content; it opens only with the same `bound_to`."""
    nonce = random_bytes(NONCE_BYTES)
    return b64encode(nonce + AESGCM(key).encrypt(nonce, content, bound_to)).decode()


def unseal(key: bytes, sealed: str, bound_to: bytes) -> bytes:
    """Decrypt a content. Raises `SealBroken` if it was altered, or sealed with another key or `bound_to`."""
    try:
        content = b64decode(sealed, validate=True)
        return AESGCM(key).decrypt(content[:NONCE_BYTES], content[NONCE_BYTES:], bound_to)
    except (InvalidTag, NoBase64, ValueError):
        raise SealBroken from None


def seal_game(script: Script, number: int, key: bytes, random_bytes: RandomBytes) -> SealedGame:
    """Seal a prepared game with the key of the package; `number` counts the games of the package from 1."""
    head: Script = {**script, "turns": [], "end": NO_END, "draw": {**script["draw"], "seed": None}}
    parts, before = [], _first_chain(number)
    contents: list[object] = [*script["turns"], {"end": script["end"]}]
    for at, content in enumerate(contents, 1):
        text = json.dumps(content, ensure_ascii=False).encode()
        padded = text + b" " * (-len(text) % BLOCK)
        parts.append(seal(_part_key(key, number, at, before), padded, b"", random_bytes))
        before = _next_chain(before, padded)
    return {"number": number, "head": head, "parts": parts}


def open_turns(game: OpenableGame, turns: int) -> Script:
    """Return the script with its first `turns` turns; its end, when they are more than it has.

    Raises `SealBroken` if a part was altered.
    """
    key, before = bytes.fromhex(game["key"]), _first_chain(game["number"])
    script: Script = {**game["head"], "turns": [], "end": NO_END}
    for at, part in enumerate(game["parts"][:turns], 1):
        padded = unseal(_part_key(key, game["number"], at, before), part, b"")
        content, before = json.loads(padded), _next_chain(before, padded)
        if at == len(game["parts"]):
            script["end"] = content["end"]
        else:
            script["turns"].append(content)
    return script


def _first_chain(number: int) -> bytes:
    return sha256(f"multiplo simultaneous game {number}".encode()).digest()


def _next_chain(before: bytes, content: bytes) -> bytes:
    return sha256(before + content).digest()


def _part_key(key: bytes, number: int, at: int, before: bytes) -> bytes:
    return derive_key(key, before, f"multiplo game {number} part {at}")
