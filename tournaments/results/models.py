from __future__ import annotations

from django.db import models

from tournaments.events.models.event import Event


class PublicPage(models.Model):
    """The public page of an event. It does not exist or is off until the director switches it on.

    `token` is the secret part of the address. Until a game is over, the page is `delay` turns behind what every room
    has been shown. `own_sheets`: each player has a page there, at an address printed on their sheet only.
    `may_be_found`: search engines may list the page.
    """

    event = models.OneToOneField(Event, on_delete=models.CASCADE, related_name="public_page")
    token = models.CharField(max_length=43, unique=True)
    is_on = models.BooleanField(default=False)
    delay = models.PositiveSmallIntegerField(default=1)
    own_sheets = models.BooleanField(default=False)
    may_be_found = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"{self.event}"
