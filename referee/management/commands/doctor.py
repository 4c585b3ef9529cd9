"""`manage.py doctor`: check if this computer is ready for an event."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import translation
from django.utils.translation import gettext as _

from referee.readiness.finding import Finding, State
from referee.readiness.report import TITLES, Report, make_report
from referee.server.terminal_language import get_terminal_language

SIGNS: dict[State, str] = {"ok": "  ok ", "warning": "   ! ", "fault": "   X "}


class Command(BaseCommand):
    """Command that runs the checks of the page “Is everything ready?” and ends with 1 if one of them finds a fault."""

    help = "Check Python, data, clock, fonts, words and network; each fault comes with its remedy."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Define the options."""
        parser.add_argument("--port", type=int, default=8000, help="port of the program (default: 8000)")
        parser.add_argument("--data", metavar="DIR", help="folder that keeps the data (default: var)")
        parser.add_argument("--json", action="store_true", help="print the findings as JSON")

    def handle(self, *, port: int, json: bool, **_options: Any) -> None:
        """Print the findings; end with 1 if there is a fault."""
        with translation.override(get_terminal_language()):
            report = make_report(port, is_serving=False)
            self.stdout.write(_as_json(report) if json else _as_text(report))
        if report.state == "fault":
            sys.exit(1)


def _as_json(report: Report) -> str:
    content = {
        "state": report.state,
        "findings": [asdict(finding) for finding in report.findings],
        "remedies": [asdict(remedy) for remedy in report.remedies],
    }
    return json.dumps(content, ensure_ascii=False, indent=2)


def _as_text(report: Report) -> str:
    width = max(len(str(title)) for title in TITLES.values())
    lines = [_line(finding, width) for finding in report.findings]
    lines += ["", _("If a phone cannot open the address:")]
    for remedy in (remedy for remedy in report.remedies if remedy.is_likely):
        lines += [f"  {remedy.title}", *(f"    {n}. {step}" for n, step in enumerate(remedy.steps, 1))]
    ends = {
        "ok": _("Everything is ready."),
        "warning": _("Multiplo can start; the lines with ! deserve a look."),
        "fault": _("Something is wrong: see the lines with X."),
    }
    return "\n".join([*lines, "", ends[report.state]])


def _line(finding: Finding, width: int) -> str:
    line = f"{SIGNS[finding.state]}{TITLES[finding.name]!s:<{width}}  {finding.text}"
    return f"{line}\n{' ' * (len(SIGNS['ok']) + width + 2)}{finding.remedy}" if finding.remedy else line
