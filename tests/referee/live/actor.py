"""A judge in a process of his own, without any event loop, as a management command or a Celery worker would be.

Reads JSON lines `[act, argument ...]` and answers each with one JSON line.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from typing import Any

from tests.patience import PATIENCE_S
from tests.referee.live.serving import ROOT


class Actor:
    """The other end: started by a test."""

    def __init__(self, variables: Mapping[str, str], *, module: str = "tests.referee.live.actor") -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", module],
            cwd=ROOT,
            env=dict(variables),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def do(self, act: str, *arguments: Any) -> Any:
        """Have him act; gives what came of it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([act, *arguments]) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, f"the actor died while he was to {act}"
        return json.loads(line)

    def leave(self) -> None:
        """Send him home."""
        self._process.communicate(timeout=PATIENCE_S)


def main() -> None:
    import django

    django.setup()

    from tests.referee.live.evening import make_evening
    from tournaments.models import LedgerEntry, Slip, Verdict
    from tournaments.now import utc_now
    from tournaments.services import documents

    evening = make_evening()

    def event() -> dict[str, str]:
        return {"code": evening.event.code, "wall": evening.event.wall_token, "desk": evening.desk_cookie()}

    def sheet() -> int:
        document = documents.ask(game=evening.game, kind="standings", language="it", now=utc_now())
        documents.start(document=document)
        return document.pk

    def facts() -> dict[str, Any]:
        closings = LedgerEntry.objects.filter(game=evening.game, kind="close").count()
        points = dict(Verdict.objects.filter(turn__game=evening.game).values_list("player__table", "points"))
        stored = Slip.objects.filter(turn__game=evening.game).count()
        return {"slips": stored, "closings": closings, "points": points}

    acts: dict[str, Callable[..., Any]] = {
        "event": event,
        "cookie": evening.cookie,
        "join": evening.join,
        "draw": evening.draw,
        "announce": evening.announce,
        "close": evening.close,
        "place": evening.place,
        "sheet": sheet,
        "facts": facts,
    }
    for line in sys.stdin:
        act, *arguments = json.loads(line)
        sys.stdout.write(json.dumps(acts[act](*arguments), default=str) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
