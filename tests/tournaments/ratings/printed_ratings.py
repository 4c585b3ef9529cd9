"""The output of `manage.py ratings`."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

from django.core.management import call_command


def printed_ratings(*arguments: str) -> dict[str, Any]:
    """Run the command and read its JSON."""
    out = StringIO()
    call_command("ratings", *arguments, stdout=out)
    found = json.loads(out.getvalue())
    assert isinstance(found, dict)
    return found
