"""How the turns of a feed are sealed, so that files, logs, backups and a look at the database show nothing of them.

Every part has a key of its own, HKDF-SHA256 of the secret of the link (docs/formats.md, section 10), and is sealed
by AES-GCM. The nonce follows from key and content, so the same part is the same text at every asking.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import secrets
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

_KEY_BYTES = 32
_NONCE_BYTES = 12
_SECRET_BYTES = 16
_BLOCK_BYTES = 512  # so that the length of a part does not tell the length of a word
RACK, MASTER, END = "rack", "master", "end"


class Unopenable(ValueError):
    """A part that this secret does not open: another link, or somebody has changed it."""


def new_token() -> str:
    """The secret of a link: 128 random bits."""
    return secrets.token_urlsafe(_SECRET_BYTES)


def seal(token: str, kind: str, turn: int, content: object) -> str:
    """A part of a turn as sealed text."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    padded = text + b" " * (-len(text) % _BLOCK_BYTES)
    return _sealed(_key(token.encode(), f"{kind} {turn}"), padded)


def unseal(token: str, kind: str, turn: int, text: str) -> Any:
    """What a sealed part holds; `Unopenable` for another secret, another turn, another kind, or a changed text."""
    return json.loads(_opened(_key(token.encode(), f"{kind} {turn}"), text))


def kept(text: str) -> str:
    """A secret as this installation keeps it in its database, which alone opens nothing."""
    return _sealed(_own_key(), text.encode())


def unkept(text: str) -> str:
    """The secret again; `Unopenable` when the key of the installation is another one now."""
    return _opened(_own_key(), text).decode()


def _own_key() -> bytes:
    return _key(settings.SECRET_KEY.encode(), "line to another hall")


def _key(secret: bytes, what: str) -> bytes:
    info = f"duplicate-feed 1 {what}".encode()
    return HKDF(algorithm=SHA256(), length=_KEY_BYTES, salt=None, info=info).derive(secret)


def _sealed(key: bytes, content: bytes) -> str:
    nonce = hmac.new(key, content, hashlib.sha256).digest()[:_NONCE_BYTES]
    return base64.urlsafe_b64encode(nonce + AESGCM(key).encrypt(nonce, content, None)).decode()


def _opened(key: bytes, text: str) -> bytes:
    try:
        raw = base64.urlsafe_b64decode(text.encode("ascii", "replace"))
        return AESGCM(key).decrypt(raw[:_NONCE_BYTES], raw[_NONCE_BYTES:], None)
    except (InvalidTag, ValueError, binascii.Error):
        raise Unopenable("this part is sealed with another secret, or was changed") from None
