"""System checks of this installation for `manage.py check`."""

from __future__ import annotations

from typing import Any

from django.core.checks import CheckMessage, Warning, register
from django.utils.translation import gettext as _

from engine.tiles.edition import find_edition_errors
from tournaments.lexicons import own_editions


def register_all() -> None:
    """Register the checks of this module with Django."""
    register(check_edition_files)


def check_edition_files(**_kwargs: Any) -> list[CheckMessage]:
    """A warning for each edition file that cannot be used; the others can be played with all the same."""
    hint = _("Correct or remove it; its folder is %(folder)s.") % {"folder": own_editions.editions_folder()}
    return [Warning(str(error), hint=hint, id="tournaments.W001") for error in find_edition_errors().values()]
