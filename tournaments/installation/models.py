from __future__ import annotations

from django.db import models


class Installation(models.Model):
    """The installation that owns this database, in a single row.

    `key_fingerprint` is a salted one-way hash of the secret key: it recognises the key and does not reveal it.
    """

    key_fingerprint = models.CharField(max_length=200)

    def __str__(self) -> str:
        return "Installation"
