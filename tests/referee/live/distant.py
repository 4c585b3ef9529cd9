"""The process of a `DistantJudge`: reads JSON lines `[act, argument ...]` and answers each with one JSON line."""

from __future__ import annotations

import json
import sys


def main() -> None:
    import django

    django.setup()

    from tests.referee.live.distant_judge import DistantJudge

    judge = DistantJudge()
    for line in sys.stdin:
        act, *arguments = json.loads(line)
        sys.stdout.write(json.dumps(getattr(judge, act)(*arguments), default=str) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
