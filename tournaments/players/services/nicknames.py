"""Nicknames: what wall and phones of others show instead of a name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from django.utils.translation import gettext as _

from tournaments import validators
from tournaments.errors import Refused
from tournaments.models import Event, Player
from tournaments.players.look_alikes import name_skeletons
from tournaments.players.name_folding import fold_text
from tournaments.players.roster_text import NewPlayer


class NamedPerson(Protocol):
    """Somebody with a name and perhaps a nickname."""

    @property
    def name(self) -> str: ...
    @property
    def nickname(self) -> str: ...


def validate_nickname(event: Event, text: str, player: Player) -> str:
    """Clean a nickname; refuse the name or nickname of another player of the event. Empty for none."""
    cleaned = validators.nickname(text)
    others = Player.objects.filter(event=event).exclude(pk=player.pk)
    if cleaned and any(is_taken_for(other, cleaned) for other in others):
        raise _taken_error(cleaned)
    return cleaned


def set_nickname(player: Player, text: str) -> bool:
    """Store another nickname; False when the player has it already."""
    if text == player.nickname:
        return False
    player.nickname = validate_nickname(player.event, text, player)
    player.save(update_fields=["nickname"])
    return True


def require_free_nicknames(present: Iterable[NamedPerson], newcomers: Sequence[NewPlayer]) -> None:
    """Refuse a new player's nickname that is the name or nickname of another player."""
    if not any(newcomer.nickname for newcomer in newcomers):
        return
    called = {
        look for player in present for name in (player.name, player.nickname) if name for look in name_skeletons(name)
    }
    for newcomer in newcomers:
        nickname = validators.nickname(newcomer.nickname)
        if nickname and not name_skeletons(nickname).isdisjoint(called):
            raise _taken_error(nickname)
        called |= name_skeletons(validators.one_line(newcomer.name)) | (name_skeletons(nickname) if nickname else set())


def is_called(player: NamedPerson, text: str) -> bool:
    """Return True when this is the name or the nickname of a player; case, accents and apostrophes do not matter."""
    return fold_text(text) in {fold_text(name) for name in (player.name, player.nickname) if name}


def is_taken_for(player: NamedPerson, text: str) -> bool:
    """Return True when this looks the same as the name or the nickname of a player."""
    wanted = name_skeletons(text)
    return any(name and not wanted.isdisjoint(name_skeletons(name)) for name in (player.name, player.nickname))


def _taken_error(nickname: str) -> Refused:
    return Refused(_("Another player is called %(name)s; choose another nickname.") % {"name": nickname})
