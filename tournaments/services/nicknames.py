"""Nicknames: what wall and phones of others show instead of a name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from django.utils.translation import gettext as _

from tournaments import validators
from tournaments.errors import Refused
from tournaments.look_alikes import looks
from tournaments.models import Event, Player
from tournaments.services.player_lists import NewPlayer


class Called(Protocol):
    """Somebody with a name and perhaps a nickname."""

    @property
    def name(self) -> str: ...
    @property
    def nickname(self) -> str: ...


def chosen(event: Event, text: str, player: Player) -> str:
    """The nickname made fit to be stored; refused when another player of the event is called so. Empty for none."""
    cleaned = validators.nickname(text)
    others = Player.objects.filter(event=event).exclude(pk=player.pk)
    if cleaned and any(is_taken_for(other, cleaned) for other in others):
        raise _taken(cleaned)
    return cleaned


def give(player: Player, text: str) -> bool:
    """Store another nickname; False when he has it already."""
    if text == player.nickname:
        return False
    player.nickname = chosen(player.event, text, player)
    player.save(update_fields=["nickname"])
    return True


def demand_free(present: Iterable[Called], newcomers: Sequence[NewPlayer]) -> None:
    """Refuse when the nickname of a newcomer is how somebody else is called already."""
    if not any(newcomer.nickname for newcomer in newcomers):
        return
    called = {look for player in present for name in (player.name, player.nickname) if name for look in looks(name)}
    for newcomer in newcomers:
        nickname = validators.nickname(newcomer.nickname)
        if nickname and not looks(nickname).isdisjoint(called):
            raise _taken(nickname)
        called |= looks(validators.one_line(newcomer.name)) | (looks(nickname) if nickname else set())


def is_called(player: Called, text: str) -> bool:
    """Whether this is the name or the nickname of a player; case does not matter."""
    return text.casefold() in (player.name.casefold(), player.nickname.casefold())


def is_taken_for(player: Called, text: str) -> bool:
    """Whether this looks the same as the name or the nickname of a player."""
    wanted = looks(text)
    return any(name and not wanted.isdisjoint(looks(name)) for name in (player.name, player.nickname))


def _taken(nickname: str) -> Refused:
    return Refused(_("Another player is called %(name)s; choose another nickname.") % {"name": nickname})
