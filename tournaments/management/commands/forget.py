"""`manage.py forget CODE`: replace the names of an event by pseudonyms; `--due` for all whose time is up."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.errors import AlreadyDone, Refused
from tournaments.events.queries.events import event_by_code
from tournaments.models import Event
from tournaments.now import utc_now
from tournaments.players.queries.retention import list_due_events
from tournaments.players.services import anonymise


class Command(BaseCommand):
    """Show the effect and apply it after a confirmation."""

    help = "Forget who played an event: results stay under pseudonyms, names and sheets with names are deleted."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the arguments of the command line."""
        which = parser.add_mutually_exclusive_group(required=True)
        which.add_argument("code", nargs="?", help="code of the event")
        which.add_argument("--due", action="store_true", help="all events whose names were to be kept no longer")
        parser.add_argument("--yes", action="store_true", help="do it without asking")

    def handle(self, *, code: str | None, due: bool, yes: bool, **_options: Any) -> None:
        """Forget one event, or those that are due."""
        for event in _list_due_events() if due else [_event(code or "")]:
            try:
                self._forget(event, confirmed=yes)
            except (AlreadyDone, Refused) as refused:
                if not due:
                    raise CommandError(str(refused)) from None
                self.stderr.write(f"{event.code}: {refused}")

    def _forget(self, event: Event, *, confirmed: bool) -> None:
        effect = anonymise.preview_anonymisation(event)
        facts = {"event": event.name, "code": event.code, "players": effect.players, "documents": effect.documents}
        self.stdout.write(
            _(
                "%(event)s (%(code)s): the names of %(players)d players and %(documents)d sheets will be forgotten for "
                "good."
            )
            % facts
        )
        if effect.sealed_entries:
            sentence = _("%(n)d ledger entries, written by an older version, hold names and stay; see the handbook.")
            self.stdout.write(sentence % {"n": effect.sealed_entries})
        if not confirmed and not _confirm_code(event.code):
            raise CommandError(_("Nothing was forgotten. Type the code of the event, or use --yes."))
        anonymise.anonymise_event(event=event, by=None, now=utc_now())
        self.stdout.write(_("Done. What was printed, saved or backed up before is not changed: destroy it yourself."))


def _event(code: str) -> Event:
    event = event_by_code(code)
    if event is None:
        raise CommandError(_("There is no event with the code %(code)s.") % {"code": code[:20]})
    return event


def _list_due_events() -> list[Event]:
    return list_due_events(Event.objects.order_by("date"), timezone.localdate())


def _confirm_code(code: str) -> bool:
    if not sys.stdin.isatty():
        return False
    return input(_("Type %(code)s to go on: ") % {"code": code}).strip().upper() == code
