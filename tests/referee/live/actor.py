"""A judge in a process of his own, without any event loop, as a management command or a Celery worker would be.

Reads JSON lines `[act, argument ...]` and answers each with one JSON line.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from typing import Any

from tests.referee.live.live_server import ROOT
from tests.waiting import PATIENCE_S


class DatabaseProcess:
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

    from tests.referee.live.live_game import make_live_game
    from tournaments.documents.services import documents
    from tournaments.models import LedgerEntry, Slip, Verdict
    from tournaments.now import utc_now

    live_game = make_live_game()

    def event() -> dict[str, str]:
        return {"code": live_game.event.code, "wall": live_game.event.wall_token, "desk": live_game.desk_cookie()}

    def sheet() -> int:
        document = documents.request_document(game=live_game.game, kind="standings", language="it", now=utc_now())
        documents.claim_document(document=document)
        return document.pk

    def facts() -> dict[str, Any]:
        closings = LedgerEntry.objects.filter(game=live_game.game, kind="close").count()
        points = dict(Verdict.objects.filter(turn__game=live_game.game).values_list("player__table", "points"))
        stored = Slip.objects.filter(turn__game=live_game.game).count()
        return {"slips": stored, "closings": closings, "points": points}

    acts: dict[str, Callable[..., Any]] = {
        "event": event,
        "cookie": live_game.cookie,
        "join": live_game.join,
        "draw": live_game.draw,
        "announce": live_game.announce,
        "close": live_game.close,
        "place": live_game.place,
        "sheet": sheet,
        "facts": facts,
    }
    for line in sys.stdin:
        act, *arguments = json.loads(line)
        sys.stdout.write(json.dumps(acts[act](*arguments), default=str) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
