"""`python -m tests.chaos --runs 50 --seed 1 --store sqlite|postgres`: games in which processes are killed.

Starts its own servers, PostgreSQL and Redis on free ports of the loopback, in a temporary folder; touches nothing else.
"""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import astuple, fields
from pathlib import Path

from tests.chaos.findings import RunFigures, count_run, findings, overtaken_slips
from tests.chaos.game import GameRun, GameStuck
from tests.chaos.hall import ServerGroup
from tests.chaos.plan import KINDS, Plan, make_plan
from tests.chaos.programs import MissingProgram


def main(arguments: Sequence[str] | None = None) -> int:
    """0 when no run found anything, 1 when one did, 3 when this machine lacks a program."""
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1, help="of the first run; the next one has the next number")
    parser.add_argument("--store", choices=sorted(KINDS), default="sqlite")
    parser.add_argument("--kinds", nargs="+", help="what may die (default: everything that the store has)")
    options = parser.parse_args(arguments)
    kinds = options.kinds or KINDS[options.store]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that nothing outlives this process
    with tempfile.TemporaryDirectory(prefix="multiplo-crash-") as folder:
        hall = ServerGroup(options.store, Path(folder))
        try:
            plans = [make_plan(seed, kinds) for seed in range(options.seed, options.seed + options.runs)]
            return _report(hall.open(), plans)
        except MissingProgram as missing:
            print(missing, file=sys.stderr)
            return 3
        finally:
            hall.close()


def run(plan: Plan, hall: ServerGroup) -> tuple[RunFigures | None, list[str], Counter[str]]:
    """One run: its figures, what is wrong, and which processes died."""
    hall.mend()
    clerk = hall.clerk()
    try:
        club_game = GameRun(plan, hall, clerk)
        try:
            played = asyncio.run(club_game.play())
        except GameStuck as stuck:
            return None, [f"stuck: {stuck}"], Counter()
        facts = clerk.do("facts", played.code)
        wrong = findings(played, facts)
        wrong += [
            f"slip {slip} counts in the place of a later one"
            for phone in played.phones
            for slip in overtaken_slips(phone, facts)
        ]
        return count_run(played, facts), wrong, Counter(outage.kill.kind for outage in played.outages)
    finally:
        clerk.leave()


def _report(hall: ServerGroup, plans: Sequence[Plan]) -> int:
    total, died, bad = [0] * len(fields(RunFigures)), Counter[str](), 0
    for plan in plans:
        began = time.monotonic()
        figures, wrong, kinds = run(plan, hall)
        died += kinds
        bad += bool(wrong)
        if figures is not None:
            total = [sum(pair) for pair in zip(total, astuple(figures), strict=True)]
        seconds = time.monotonic() - began
        print(f"seed {plan.seed}, {plan.players} phones, {seconds:.0f} s, {dict(kinds)}: {figures}", flush=True)
        for sentence in wrong:
            print(f"    {sentence}", flush=True)
    print(f"{len(plans)} runs on {hall.store}, {bad} of them with findings; died: {dict(died)}")
    print(RunFigures(*total))
    for line, count in Counter(line[:150] for line in hall.complaints()).most_common(20):
        print(f"    in the logs {count} times: {line}")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
