"""The secret key of the installation: the first one is recorded, another one is recognised."""

from __future__ import annotations

from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.db import connection

from tournaments.models import Installation

_ONLY_ROW = 1
_ROUNDS = 100_000
"""Iterations of PBKDF2: about 50 ms at each start. The key is random, so more would protect nothing."""
_hasher = PBKDF2PasswordHasher()


def claim_installation(*, key: str) -> bool:
    """Record the key if the database has none yet; return False if the database belongs to another key."""
    found = Installation.objects.filter(pk=_ONLY_ROW).first()
    if found is None:  # several processes may start at once: one of them records its key
        fingerprint = _make_fingerprint(key)
        found, _is_new = Installation.objects.get_or_create(pk=_ONLY_ROW, defaults={"key_fingerprint": fingerprint})
    return _hasher.verify(key, found.key_fingerprint)


def is_other_key(*, key: str) -> bool:
    """Return True if the database belongs to another key. Nothing is written; the tables may be those of 0.1.0."""
    if Installation._meta.db_table not in connection.introspection.table_names():
        return False
    found = Installation.objects.filter(pk=_ONLY_ROW).first()
    return found is not None and not _hasher.verify(key, found.key_fingerprint)


def change_key(*, key: str) -> None:
    """Record another key, with which all processes have to start from now on."""
    Installation.objects.update_or_create(pk=_ONLY_ROW, defaults={"key_fingerprint": _make_fingerprint(key)})


def _make_fingerprint(key: str) -> str:
    return _hasher.encode(key, _hasher.salt(), iterations=_ROUNDS)
