from __future__ import annotations

import secrets
from datetime import timedelta

from django.db import models

from engine.standings.person_names import is_pair, name_parts, pair_names, short_pair_name
from tournaments.events.models.event import Event, Room

UNDO_TIME = timedelta(minutes=10)
"""The time within which a `ReversibleAct` can be undone."""


def new_salt() -> str:
    """128 random bits in hex."""
    return secrets.token_hex(16)


class Player(models.Model):
    """A player of an event, at a table. `token_hash` is the SHA-256 of the token in the player's phone, empty without
    a phone.

    `nickname` is shown on the wall and on other phones, empty for the name. `seat_code_number` counts the codes
    that this table has had (tournaments/players/seat_codes.py). `arrived_at` is the time of check-in, null before.
    `salt` is part of the seal that represents name, club, series … in the ledger
    (`tournaments.ledger.sealed_slips.seal_of`); a new name gets a new salt, so that seals of removed names reveal
    nothing. `self_joined`: created by a phone that joined, not by the desk. A pair is one player, named "Anna Rossi
    / Bruno Neri". `stated_surname` is the surname that a list or a judge gave, the end of `name`; empty when only
    one string is known. `licence` is the number of a federation's licence, never shown in public.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="players")
    room = models.ForeignKey(Room, on_delete=models.PROTECT, related_name="players")
    table = models.PositiveIntegerField()
    name = models.CharField(max_length=200)
    stated_surname = models.CharField(max_length=200, blank=True)
    nickname = models.CharField(max_length=200, blank=True)
    licence = models.CharField(max_length=50, blank=True)
    club = models.CharField(max_length=200, blank=True)
    series = models.CharField(max_length=50, blank=True)
    age_class = models.CharField(max_length=50, blank=True)
    country = models.CharField(max_length=50, blank=True)
    team = models.CharField(max_length=200, blank=True)
    salt = models.CharField(max_length=32, default=new_salt)
    token_hash = models.CharField(max_length=64, blank=True, db_index=True)
    seat_code_number = models.PositiveSmallIntegerField(default=0)
    joined_at = models.DateTimeField()
    self_joined = models.BooleanField(default=False)
    arrived_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["table"]
        constraints = [models.UniqueConstraint(fields=["event", "table"], name="one_player_a_table")]

    def __str__(self) -> str:
        return f"{self.table} {self.name}"

    @property
    def shown_name(self) -> str:
        """The public name: the nickname, else the name. A pair has initials: it must fit the wall and a phone."""
        return self.nickname or short_pair_name(self.name)

    @property
    def is_pair(self) -> bool:
        """Return True when two people share this slip, table and rank."""
        return is_pair(self.name)

    @property
    def person_names(self) -> tuple[str, ...]:
        """The names of the people who play here: two for a pair, else one."""
        return pair_names(self.name)

    @property
    def surname(self) -> str:
        """The surname, by the rule of `engine.standings.person_names` where none was given."""
        return name_parts(self.name, self.stated_surname).surname

    @property
    def first_name(self) -> str:
        """The first name, by the same rule."""
        return name_parts(self.name, self.stated_surname).first_name


class ReversibleAct(models.Model):
    """An act on players that can be undone for some minutes (`tournaments.players.services.undo`).

    `entry` is its number in the ledger of the game that was current. `data` of a removal are the deleted rows as
    Django serialises them, and of tables the moved players with their old and new table. Rows are deleted when the time
    is over, since they hold names.
    """

    class Kind(models.TextChoices):
        REMOVAL = "removal"
        TABLES = "tables"

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="reversible_acts")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    at = models.DateTimeField()
    entry = models.PositiveIntegerField()
    data = models.JSONField()

    class Meta:
        ordering = ["at", "pk"]

    def __str__(self) -> str:
        return f"{self.kind} at {self.at}"
