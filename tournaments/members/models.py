from __future__ import annotations

import secrets

from django.conf import settings
from django.db import models
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from tournaments.players.models import Player


def new_page_token() -> str:
    """Return the secret part of a member's private address."""
    return secrets.token_urlsafe(24)


class Member(models.Model):
    """A person of the club, known over all events. The number (`pk`) is never used for somebody else.

    `category` is the playing category, `team` the interclub team. `joined_on` is the date of entry, `left_on` that of
    leaving. `may_be_published`: agreed to appear on public pages. `wants_mail`: results go to `email`.
    `page_token` is the secret part of the address of the member's own page. `anonymised_at`: name and all that
    identifies the person are gone, the results stay under a pseudonym. `merged_into`: this record is a
    duplicate of that member; it is shown nowhere and can be separated again. `given_fields` are the fields that were
    empty there and were filled from this record.
    """

    surname = models.CharField(max_length=100)
    first_name = models.CharField(max_length=100, blank=True)
    club = models.CharField(max_length=200, blank=True)
    team = models.CharField(max_length=200, blank=True)
    licence = models.CharField(max_length=50, blank=True)
    category = models.CharField(max_length=50, blank=True)
    birth_year = models.PositiveSmallIntegerField(null=True, blank=True)
    country = models.CharField(max_length=50, blank=True)
    note = models.TextField(max_length=2000, blank=True)
    email = models.EmailField(blank=True)
    joined_on = models.DateField(null=True, blank=True)
    left_on = models.DateField(null=True, blank=True)
    may_be_published = models.BooleanField(default=False)
    wants_mail = models.BooleanField(default=False)
    page_token = models.CharField(max_length=43, unique=True, default=new_page_token)
    anonymised_at = models.DateTimeField(null=True, blank=True)
    merged_into = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, blank=True, related_name="duplicates")
    given_fields = models.JSONField(default=list)

    class Meta:
        ordering = ["surname", "first_name", "pk"]
        constraints = [
            models.UniqueConstraint(
                Lower("licence"),
                condition=~models.Q(licence="") & models.Q(merged_into__isnull=True),
                name="one_member_of_a_licence",
            )
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """First name and surname."""
        return f"{self.first_name} {self.surname}".strip()


class DistinctMembers(models.Model):
    """Two members who are not the same person, as somebody decided; they are not proposed as duplicates again. The
    number of `first` is the smaller one."""

    first = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="distinct_from_later")
    second = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="distinct_from_earlier")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["first", "second"], name="one_decision_a_pair_of_members")]

    def __str__(self) -> str:
        return f"{self.first} is not {self.second}"


class PlayerMember(models.Model):
    """A player of an event is this member. Two members with the same player are a pair: one slip, table and rank.

    `position` is that of the name in the name of the pair, 0 or 1; 0 for a player alone. The row stays when the names
    of the event are removed, so that the member's results stay in the seasons.
    """

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="member_links")
    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="player_links")
    position = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["player", "member"], name="one_link_a_player_and_member")]

    def __str__(self) -> str:
        return f"{self.player} is {self.member}"


class KnownGuest(models.Model):
    """Somebody who is no member, as a person decided: the name at a `position` of a player, or an imported result. The
    review asks no more. There is no name here, so that none is left when those of the event are removed."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, null=True, blank=True, related_name="guest_decisions")
    position = models.PositiveSmallIntegerField(default=0)
    result = models.OneToOneField(
        "PlayerResult", on_delete=models.CASCADE, null=True, blank=True, related_name="guest_decision"
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["player", "position"], name="one_guest_decision_a_name")]

    def __str__(self) -> str:
        return f"{self.player or self.result} is a guest"


class MemberAct(models.Model):
    """An act on a member, for the page of everything that is stored about a person: who, when, what kind."""

    class Kind(models.TextChoices):
        CREATED = "created", _("added")
        CHANGED = "changed", _("changed")
        IMPORTED = "imported", _("updated from a file")
        MERGED = "merged", _("merged with another record")
        UNMERGED = "unmerged", _("separated from another record")
        DISTINCT = "distinct", _("told apart from another member")
        LINKED = "linked", _("linked to a player of an event")
        UNLINKED = "unlinked", _("separated from a player of an event")
        ANONYMISED = "anonymised", _("anonymised")

    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="acts")
    kind = models.CharField(max_length=20, choices=Kind.choices)
    at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True)

    class Meta:
        ordering = ["at", "pk"]

    def __str__(self) -> str:
        return f"{self.kind} of {self.member}"


class ColumnChoice(models.Model):
    """The meaning of a heading in lists of members, as the user assigned it; `field` is empty for a column that is
    left out. The heading is stored in small letters."""

    heading = models.CharField(max_length=200, unique=True)
    field = models.CharField(max_length=20, blank=True)

    def __str__(self) -> str:
        return f"{self.heading}: {self.field}"
