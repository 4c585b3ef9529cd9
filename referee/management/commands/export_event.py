from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import override

from referee.results.files import FILES
from referee.results.template_file import write_template_file
from tournaments.events.queries.events import event_by_code
from tournaments.models import ExportTemplate
from tournaments.results.queries.event_export import EventExport, event_export


class Command(BaseCommand):
    help = (
        "Write the results of an event into a file: CSV, XLSX, JSON, a page for the club's site, a list for SIGLES, or "
        "the form of an export template."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("code")
        form = parser.add_mutually_exclusive_group(required=True)
        form.add_argument("--format", choices=sorted(FILES))
        form.add_argument("--template", metavar="NAME", help="an export template, as it is called at the desk")
        parser.add_argument("--out", type=Path, required=True)
        parser.add_argument("--game", type=int, help="the number of one game; without it the whole event")
        parser.add_argument("--lang", choices=[code for code, _ in settings.LANGUAGES])

    def handle(self, *args: Any, **options: Any) -> None:
        event = event_by_code(options["code"])
        if event is None:
            raise CommandError(f"There is no event {options['code']}.", returncode=2)
        export = event_export(event, game=options["game"])
        if export is None:
            raise CommandError(f"The event {event.code} has no game {options['game']}.", returncode=2)
        with override(options["lang"] or event.language):
            content = _write(export, options["format"], options["template"])
        try:
            options["out"].write_bytes(content)
        except OSError as error:
            raise CommandError(f"{options['out']} cannot be written ({error.strerror}).", returncode=2) from None


def _write(export: EventExport, kind: str | None, template_name: str | None) -> bytes:
    if kind is not None:
        return FILES[kind].write(export)
    template = ExportTemplate.objects.filter(name=template_name).first()
    if template is None:
        raise CommandError(f"There is no export template “{template_name}”.", returncode=2)
    return write_template_file(template, export).content
