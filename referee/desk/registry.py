"""The pages and actions of the desk, each declared once by a decorator at its function.

A declaration states the roles that may use a page or an action, and whether it may reveal the turn that is being
played. Permissions, the spoiler guard and the URLs read these declarations; what is not declared does not exist.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from django.core.exceptions import ImproperlyConfigured
from django.http import QueryDict

from referee.desk.desk import Desk
from referee.security.permissions import NOBODY, Roles

Act = Callable[[Desk, QueryDict, datetime], str | None]
READING_METHODS = ("GET", "HEAD")


class Access(Enum):
    """The users who may open a page that belongs to no event."""

    ANYBODY = "anybody"
    USER = "user"
    ORGANISER = "organiser"
    OWNER = "owner"


class RoomScope(Enum):
    """The rooms at whose desks an action is done."""

    ANY = "any"
    DRAWING = "drawing"


DRAWING = RoomScope.DRAWING


@dataclass(frozen=True, slots=True)
class DeskPage:
    """A page of an event: the roles that may read it (GET), the roles that may post to it, and `spoiler`.

    A page with `spoiler` may reveal the turn that is being played.
    """

    name: str
    get: Roles
    post: Roles
    spoiler: bool

    @property
    def methods(self) -> list[str]:
        """The HTTP methods that the page takes."""
        return [method for method, roles in (("GET", self.get), ("POST", self.post)) if roles]


@dataclass(frozen=True, slots=True)
class DeskAction:
    """An action behind a button or key: `act` returns the sentence to show, or None.

    An action with `spoiler` may reveal the turn that is being played.
    """

    name: str
    act: Act
    roles: Roles
    room: RoomScope
    spoiler: bool


PAGES: dict[str, DeskPage] = {}
ACTIONS: dict[str, DeskAction] = {}
GENERAL_PAGES: dict[str, Access] = {}


def declare_page(name: str, *, get: Roles, post: Roles, spoiler: bool) -> DeskPage:
    """Enter a page of an event."""
    _require_new_page(name)
    _require_roles(name, get | post)
    PAGES[name] = DeskPage(name, get, post, spoiler)
    return PAGES[name]


def declare_general_page(name: str, access: Access) -> None:
    """Enter a page that belongs to no event."""
    _require_new_page(name)
    GENERAL_PAGES[name] = access


def desk_action(name: str, *, roles: Roles, spoiler: bool, room: RoomScope = RoomScope.ANY) -> Callable[[Act], Act]:
    """Declare a function as the action with this name."""
    if name in ACTIONS:
        raise ImproperlyConfigured(f"The desk action {name} is declared twice.")
    _require_roles(name, roles)

    def declare(act: Act) -> Act:
        ACTIONS[name] = DeskAction(name, act, roles, room, spoiler)
        return act

    return declare


def may_open(role: str, page: str, method: str, action: str | None = None) -> bool:
    """Return True if a role may send this request to a page of an event; `action` is the one in its address."""
    declared = PAGES.get(page)
    if declared is None:
        return False
    roles = declared.get if method in READING_METHODS else declared.post
    return role in roles and (action is None or may_do(role, action))


def may_do(role: str, action: str) -> bool:
    """Return True if a role may do an action."""
    return role in (ACTIONS[action].roles if action in ACTIONS else NOBODY)


def may_reveal_turn(page: str, action: str | None) -> bool:
    """Return True if a page, or the action that its address names, may reveal the turn that is being played."""
    if page not in PAGES or PAGES[page].spoiler:
        return True
    return action is not None and (action not in ACTIONS or ACTIONS[action].spoiler)


def _require_new_page(name: str) -> None:
    if name in PAGES or name in GENERAL_PAGES:
        raise ImproperlyConfigured(f"The desk page {name} is declared twice.")


def _require_roles(name: str, roles: Roles) -> None:
    if not roles:
        raise ImproperlyConfigured(f"No role may use {name}.")
