from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import template
from django.contrib.auth.models import AnonymousUser, User
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.translation import gettext

from engine.rules.rules_text import switch_title
from referee.desk import registry
from referee.handbook.context_help import help_address, help_address_in
from referee.server.demo import get_demo_turn
from tournaments.enums import Role
from tournaments.lexicons.engine_build import get_engine_build
from tournaments.models import Club, Event
from tournaments.players.queries.retention import RetentionPeriod, get_retention_period
from tournaments.staff import queries

register = template.Library()


@register.inclusion_tag("desk/common/_button.html", takes_context=True)
def act(
    context: dict[str, Any],
    action: str,
    label: str,
    *,
    kind: str = "",
    key: str = "",
    note: str = "",
    title: str = "",
    confirm: str = "",
    verb: str = "",
    leave: str = "",
    **fields: Any,
) -> dict[str, Any]:
    """Return the context of a button for an action with these `fields`; it is hidden unless `allowed`.

    `note` is its second line. With `title`, a dialog asks first: `confirm` says what happens, `verb` and `leave` are
    the texts of its buttons.
    """
    return {
        "allowed": may_do(context, action),
        "code": context["desk_code"],
        "csrf_token": context["csrf_token"],
        "action": action,
        "label": label,
        "kind": kind,
        "key": key,
        "note": note,
        "title": title,
        "confirm": confirm,
        "verb": verb or label,
        "leave": leave,
        "fields": fields,
    }


@register.inclusion_tag("desk/words/_engine_build.html", takes_context=True)
def engine_build(context: dict[str, Any]) -> dict[str, Any]:
    """Return the context of the part that shows the compilation of the engine; it is empty once the engine is ready."""
    return {"build": get_engine_build(), "csrf_token": context["csrf_token"]}


@register.filter
def demo_turn(event: Event) -> int | None:
    """Return the number of the turn that the demo of an event plays; None if simulated players do not play in it."""
    return get_demo_turn(event)


@register.simple_tag
def is_engine_ready() -> bool:
    """Return True if racks can be drawn."""
    return get_engine_build() is None


@register.filter
def rule_title(switch: str) -> str:
    """Return the title of a rule."""
    return switch_title(switch, gettext)


@register.simple_tag(takes_context=True)
def help_here(context: dict[str, Any]) -> str:
    """Return the address of the page of the handbook for the page of the desk that is shown."""
    match = context["request"].resolver_match
    return help_address(match.url_name or "" if match else "")


@register.simple_tag
def help_in(phase: str) -> str:
    """Return the address of the page of the handbook for a phase of a turn."""
    return help_address_in(phase)


@register.simple_tag(takes_context=True)
def may(context: dict[str, Any], page: str) -> bool:
    """Return True if the role of the user may open a page of the desk."""
    return registry.may_open(_role(context), page, "GET")


@register.simple_tag(takes_context=True)
def may_do(context: dict[str, Any], action: str) -> bool:
    """Return True if the role of the user may do an action of the desk."""
    return registry.may_do(_role(context), action)


@register.filter
def owns_installation(user: User | AnonymousUser) -> bool:
    """Return True if a user may restore a backup in place of all events."""
    return isinstance(user, User) and queries.owns_installation(user)


@register.filter
def is_organiser(user: User | AnonymousUser) -> bool:
    """Return True if a user may open the pages of the club."""
    return isinstance(user, User) and queries.may_organise(user)


@register.simple_tag
def club_name() -> str:
    """Return the name of the club of this installation, empty if none is set."""
    return Club.objects.order_by("pk").values_list("name", flat=True).first() or ""


@register.simple_tag(takes_context=True)
def organises(context: dict[str, Any]) -> bool:
    """Return True if the user may open the pages of organisers; in an event, its director may."""
    return _role(context) == Role.DIRECTOR


def _role(context: dict[str, Any]) -> str:
    return getattr(context.get("request"), "desk_role", "")


@register.simple_tag
def keeping(event: Event) -> RetentionPeriod | None:
    """Return the period for which the names of an event are stored, once its end is near enough to be shown."""
    period = get_retention_period(event, timezone.localdate())
    return period if period is not None and period.is_announced else None


@register.filter
def row_key(number: int, letter: str) -> str:
    """Return the keys of a control in a row of a list: a letter, then the number of the row."""
    return f"{letter} {number}"


@register.filter
def people(tables: Sequence[int], names: Mapping[int, str]) -> str:
    """Return the first of these players by name, and the number of the others: “Anna Rossi +2”."""
    if not tables:
        return ""
    first = names.get(tables[0], str(tables[0]))
    return f"{first} +{len(tables) - 1}" if len(tables) > 1 else first


@register.filter
def clock_text(seconds: int) -> str:
    """Return seconds as the clock shows them: 1:05."""
    return f"{seconds // 60}:{seconds % 60:02}"


@register.filter
def minus(number: int) -> str:
    """Return a whole number with a true minus sign."""
    return str(number).replace("-", "−")


@register.filter
def arrow(direction: str) -> str:
    """Return the arrow for a direction; empty for none."""
    return {"across": "→", "down": "↓"}.get(direction, "")


@register.filter
def grouped(number: int) -> str:
    """Return a whole number with the thousands separators of the language."""
    return number_format(number, decimal_pos=0, force_grouping=True)
