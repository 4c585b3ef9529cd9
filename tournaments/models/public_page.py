from __future__ import annotations

from django.db import models

from tournaments.models.event import Event


class PublicPage(models.Model):
    """What anybody on the net may read of an event. There is none, or it is off, until the director switches it on.

    `token` is the address: it opens nothing but this page and cannot be guessed. The page is `delay` turns behind what
    every room has been shown, until a game is over. `own_sheets`: each player has a page of his own there, at an
    address that only his sheet tells. `may_be_found`: search engines may list it.
    """

    event = models.OneToOneField(Event, on_delete=models.CASCADE, related_name="public_page")
    token = models.CharField(max_length=43, unique=True)
    is_on = models.BooleanField(default=False)
    delay = models.PositiveSmallIntegerField(default=1)
    own_sheets = models.BooleanField(default=False)
    may_be_found = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"{self.event}"
