"""Several judges at one game: nobody decides again what a colleague has just decided."""

from __future__ import annotations

from collections.abc import Collection

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from tournaments.errors import AlreadyDone, Refused
from tournaments.models import Room, Turn
from tournaments.selectors.looks import judge_name, last_decided, present_version


def demand_version(
    turn: Turn, room: Room, groups: Collection[str], version: str | None, by: User | None, word: str = ""
) -> None:
    """Refuse what a judge decides who has not seen the newest decision on these groups; nothing is asked without a
    version. The caller has locked the game."""
    if version is None or present_version(turn, room, groups) == version:
        return
    decided = last_decided(turn, groups, word)
    if decided is None:
        raise Refused(_("Something has changed since you looked; look at the desk again."))
    if by is not None and decided.by == by:
        raise AlreadyDone(_("You have decided this already: %(what)s.") % {"what": decided.said})
    raise Refused(
        _("%(name)s has decided this already: %(what)s.") % {"name": judge_name(decided.by), "what": decided.said}
    )
