"""The line of a game to the hall that it follows, as the desk shows it, and which lines are to be asked."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count

from tournaments import fed
from tournaments.enums import GameState
from tournaments.models import FollowedFeed, Game
from tournaments.selectors.phases import current_turn

ASKED_FOR = timedelta(days=7)
PAUSE_OF_HAND_IN = timedelta(seconds=5)


@dataclass(frozen=True, slots=True)
class LineView:
    """`since`: when the drawing server was last heard, where it is not now. `in_store`: turns that can be played
    without it, from the one that is due. `drawing_at`: the turn that the drawing room is at, as far as we know."""

    is_down: bool
    since: datetime | None
    told: str
    refused: str
    in_store: int
    due: int
    drawing_at: int
    handed_in_at: datetime | None
    all_handed_in: bool
    ended_here: bool
    other_list: bool
    list_there: str


def line_view(game: Game) -> LineView | None:
    """None for a game that follows no other hall."""
    if game.feed_id is None:
        return None
    line = fed.line_of(game)
    feed = fed.feed_in(line)
    turn = current_turn(game)
    due = 1 if turn is None else turn.number + (turn.placed_at is not None)
    return LineView(
        is_down=fed.is_down(line),
        since=fed.since(line),
        told=line.told,
        refused=line.refused,
        in_store=fed.turns_in_store(line, due),
        due=due,
        drawing_at=max((turn["number"] for turn in feed["turns"] if turn["announced"]), default=0),
        handed_in_at=line.handed_in_at if line.handed_in else None,
        all_handed_in=line.handed_in == game.ledger.count() and not line.again,
        ended_here=line.given_up_at is not None,
        other_list=feed["lexicon"]["sha256"] != game.lexicon_sha256,
        list_there=feed["lexicon"]["name"],
    )


def lines_to_ask(now: datetime) -> list[FollowedFeed]:
    """The lines of the games that are going on, and of those that have not handed in everything."""
    young = Game.objects.filter(feed__isnull=False, event__created_at__gte=now - ASKED_FOR).select_related("feed")
    return [game.feed for game in young.annotate(written=Count("ledger")) if game.feed and _is_open(game, game.feed)]


def is_to_hand_in(game: Game, line: FollowedFeed, now: datetime) -> bool:
    """Whether something is there that the drawing server does not have: after each turn, and at the end."""
    if line.handed_in_at is not None and now - line.handed_in_at < PAUSE_OF_HAND_IN:
        return False
    turn = current_turn(game)
    rests = turn is not None and turn.placed_at is not None
    over = game.state == GameState.FINISHED or line.given_up_at is not None
    return (rests or over) and (line.again or game.ledger.count() != line.handed_in)


def _is_open(game: Game, line: FollowedFeed) -> bool:
    going_on = game.state != GameState.FINISHED and line.given_up_at is None
    return going_on or line.again or line.handed_in != game.written  # type: ignore[attr-defined]  # annotated
