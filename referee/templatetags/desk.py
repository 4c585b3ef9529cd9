from __future__ import annotations

from typing import Any

from django import template
from django.utils.formats import number_format

from referee.results_table import name_of_choice
from tournaments.selectors.event_results import read_choice

register = template.Library()


@register.inclusion_tag("desk/_button.html", takes_context=True)
def act(
    context: dict[str, Any], action: str, label: str, *, kind: str = "", key: str = "", confirm: str = "", **fields: Any
) -> dict[str, Any]:
    """A button that asks the server for one action of the judge; `fields` go with it."""
    return {
        "code": context["event"].code,
        "csrf_token": context["csrf_token"],
        "action": action,
        "label": label,
        "kind": kind,
        "key": key,
        "confirm": confirm,
        "fields": fields,
    }


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


@register.filter
def choice_name(text: str) -> str:
    """Which standings a document shows, by what it was asked with; nothing for other documents."""
    choice = read_choice(text)
    return name_of_choice(choice) if choice is not None else ""
