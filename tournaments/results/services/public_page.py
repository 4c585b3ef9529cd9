"""Public page of an event: switching it on and off, and changing its address."""

from __future__ import annotations

import secrets
from datetime import datetime

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from tournaments import signals
from tournaments.errors import Refused
from tournaments.events.queries.events import current_game
from tournaments.models import Event, PublicPage
from tournaments.play.services.game_lock import append_to_ledger, lock_game

MAX_DELAY = 50
_TOKEN_BYTES = 16


def set_page(
    *,
    event: Event,
    is_on: bool,
    delay: int,
    own_sheets: bool,
    may_be_found: bool,
    by: User | None,
    now: datetime,
) -> PublicPage:
    """Switch the page on or off, and set its delay in turns. Its address does not change."""
    if not 0 <= delay <= MAX_DELAY:
        raise Refused(_("The page stays 0 to %(most)d turns behind the hall.") % {"most": MAX_DELAY})
    with lock_game(current_game(event)) as game:
        page, _made = PublicPage.objects.get_or_create(event=event, defaults={"token": _new_token()})
        page.is_on, page.delay, page.own_sheets, page.may_be_found = is_on, delay, own_sheets, may_be_found
        page.save(update_fields=["is_on", "delay", "own_sheets", "may_be_found"])
        facts = {"on": is_on, "delay": delay, "own_sheets": own_sheets, "may_be_found": may_be_found}
        append_to_ledger(game=game, kind="public_page", by=by, now=now, data=facts)
        signals.send_game_changed(game)
    return page


def change_address(*, event: Event, by: User | None, now: datetime) -> PublicPage:
    """Give the page a new address; the old address and those of the players' own pages become invalid."""
    with lock_game(current_game(event)) as game:
        page = PublicPage.objects.filter(event=event).first()
        if page is None:
            raise Refused(_("There is no public page yet: switch it on first."))
        page.token = _new_token()
        page.save(update_fields=["token"])
        append_to_ledger(game=game, kind="public_page", by=by, now=now, data={"another_address": True})
        signals.send_game_changed(game)
    return page


def _new_token() -> str:
    return secrets.token_urlsafe(_TOKEN_BYTES)
