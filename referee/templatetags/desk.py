from __future__ import annotations

from typing import Any

from django import template
from django.utils import timezone
from django.utils.formats import number_format

from referee.security import rights
from tournaments.models import Event
from tournaments.selectors.keeping import Keeping, keeping_of

register = template.Library()


@register.inclusion_tag("desk/_button.html", takes_context=True)
def act(
    context: dict[str, Any], action: str, label: str, *, kind: str = "", key: str = "", confirm: str = "", **fields: Any
) -> dict[str, Any]:
    """A button that asks the server for one action of the judge; `fields` go with it. None for who may not."""
    return {
        "allowed": may_do(context, action),
        "code": context["desk_code"],
        "csrf_token": context["csrf_token"],
        "action": action,
        "label": label,
        "kind": kind,
        "key": key,
        "confirm": confirm,
        "fields": fields,
    }


@register.simple_tag(takes_context=True)
def may(context: dict[str, Any], page: str) -> bool:
    """Whether the role of whoever looks may open a page of the desk."""
    return rights.may_open(_role(context), page, "GET")


@register.simple_tag(takes_context=True)
def may_do(context: dict[str, Any], action: str) -> bool:
    """Whether the role of whoever looks may do an action of the desk."""
    return rights.may_do(_role(context), action)


def _role(context: dict[str, Any]) -> str:
    return getattr(context.get("request"), "desk_role", "")


@register.simple_tag
def keeping(event: Event) -> Keeping | None:
    """Until when the names of an event are kept, once that is near enough to be said."""
    found = keeping_of(event, timezone.localdate())
    return found if found is not None and found.is_announced else None


@register.filter
def row_key(number: int, letter: str) -> str:
    """The keys of a control in a row of a list: a letter, then the number of the row."""
    return f"{letter} {number}"


@register.filter
def minus(number: int) -> str:
    """A whole number with a true minus sign."""
    return str(number).replace("-", "−")


@register.filter
def arrow(direction: str) -> str:
    """The sign for a direction; nothing when none was written."""
    return {"across": "→", "down": "↓"}.get(direction, "")


@register.filter
def grouped(number: int) -> str:
    """A whole number with its thousands parted as the language does."""
    return number_format(number, decimal_pos=0, force_grouping=True)
