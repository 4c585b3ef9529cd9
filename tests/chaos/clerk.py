"""A process with the database of a run in its hands: makes the event, and afterwards reads what is stored.

Reads JSON lines `[act, argument ...]` and answers each with one JSON line; `tests.referee.live.actor.Actor` is the
other end. It holds no connection between two acts, for its database may die meanwhile.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any, cast

MOST_MOVES = 300


def main() -> None:
    import django

    django.setup()

    from django.db import connections

    connections.databases["default"].get("OPTIONS", {}).pop("pool", None)
    acts = {"new_event": new_event, "moves": moves, "facts": facts}
    for line in sys.stdin:
        act, *arguments = json.loads(line)
        answer = cast(Callable[..., Any], acts[act])(*arguments)
        connections.close_all()
        sys.stdout.write(json.dumps(answer, default=str) + "\n")
        sys.stdout.flush()


def new_event(players: int, clock_s: int, seed: int) -> dict[str, str]:
    """A club night with so many players at tables 1, 2, 3 ...; its code and the session of its judge."""
    from django.conf import settings
    from django.contrib.auth.models import User
    from django.test import Client

    from tests.chaos.words import NAME
    from tournaments.events.services import events
    from tournaments.now import utc_now
    from tournaments.players.roster_text import NewPlayer

    judge, _ = User.objects.get_or_create(username="judge")
    game = events.create_event(
        events.NewEvent(
            name=f"Night {seed}",
            date=utc_now().date(),
            place="Torino",
            language="it",
            edition="it",
            profile="it-box",
            switches={"clock_s": clock_s, "calls_s": []},
            draw_mode="seeded",
            lexicon=NAME,
        ),
        players=[NewPlayer(table, f"Player {table}") for table in range(1, players + 1)],
        by=judge,
        now=utc_now(),
        seed=seed.to_bytes(32, "big"),
    )
    browser = Client()
    browser.force_login(judge)
    return {"code": game.event.code, "session": browser.cookies[settings.SESSION_COOKIE_NAME].value}


def moves(code: str) -> list[tuple[str, str, int]]:
    """(word, reference, score) of the best moves of the turn that is drawn."""
    from tournaments.lexicons.word_lists import get_solver
    from tournaments.models import Turn
    from tournaments.play.position import board_before, edition_of, profile_of, rack_of

    turn = Turn.objects.filter(game__event__code=code).latest("number")
    edition, notation = edition_of(turn.game), profile_of(turn.game).notation
    ranked = get_solver(turn.game, turn.number).ranked(board_before(turn), rack_of(turn))[:MOST_MOVES]
    return [(move.word_text(edition), move.reference_text(notation), move.score) for move in ranked]


def facts(code: str) -> dict[str, Any]:
    """Everything that findings are made from: slips, ledger, turns, and what a replay of the archive says."""
    from django.db.models import Sum

    from engine.archive.ledger import find_bad_link_number
    from engine.archive.replay import verify
    from tournaments.lexicons.word_lists import graph_of, word_list_of_game
    from tournaments.models import Event, Slip, Turn, Verdict
    from tournaments.results.queries.archive import export_game

    event = Event.objects.get(code=code)
    game = event.games.get()
    archive = export_game(game)
    slips = Slip.objects.filter(turn__game=game).order_by("turn__number", "player__table", "version")
    return {
        "slips": [
            {
                "id": str(slip.client_id),
                "table": slip.player.table,
                "turn": slip.turn.number,
                "version": slip.version,
                "word": slip.word,
                "received": round(slip.received_at.timestamp() * 1000),
                "in_time": slip.in_time,
            }
            for slip in slips.select_related("player", "turn")
        ],
        "turns": list(Turn.objects.filter(game=game).values("number", "rack", "placed_at")),
        "ledger": archive["ledger"]["entries"],
        "bad_link": find_bad_link_number(archive["ledger"]["entries"]),
        "differences": [
            str(difference) for difference in verify(cast(Any, archive), graph_of(word_list_of_game(game)))
        ],
        "standings": archive["standings"],
        "points": dict(
            Verdict.objects.filter(turn__game=game).values_list("player__table").annotate(total=Sum("points"))
        ),
        "damage": damage(),
    }


def damage() -> str:
    """Result of the database's own check; empty when it is intact or cannot be queried."""
    from django.db import connection

    if connection.vendor != "sqlite":
        return ""
    with connection.cursor() as cursor:
        said = str(cursor.execute("PRAGMA integrity_check").fetchone()[0])
    return "" if said == "ok" else said


if __name__ == "__main__":
    main()
