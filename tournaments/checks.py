"""What `manage.py check` says about this installation, besides Django's own checks."""

from __future__ import annotations

from typing import Any

from django.core.checks import CheckMessage, Warning, register
from django.utils.translation import gettext as _

from engine.edition import bad_editions
from tournaments import own_editions


def register_all() -> None:
    """Have Django ask for the checks of this module."""
    register(bad_edition_files)


def bad_edition_files(**_kwargs: Any) -> list[CheckMessage]:
    """A warning for each edition file that cannot be used; the others can be played with all the same."""
    hint = _("Mend or remove it; its folder is %(folder)s.") % {"folder": own_editions.folder()}
    return [Warning(str(error), hint=hint, id="tournaments.W001") for error in bad_editions().values()]
