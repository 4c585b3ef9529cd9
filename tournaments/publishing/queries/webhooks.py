"""Webhooks: the placed turns and finished games that they are told of, and their deliveries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from tournaments.models import Event, Game, Turn, Webhook, WebhookDelivery
from tournaments.publishing.queries.public_events import describe_line, describe_turn, get_public_page
from tournaments.results.queries.public_game import FIRST_ROWS, public_standings, public_turns
from tournaments.results.queries.public_page import count_known_turns, is_finished, state_of_game

RECENT = timedelta(days=7)
VERSION = 1
TURN_PLACED, GAME_FINISHED, TEST = "turn_placed", "game_finished", "test"
MOST_SHOWN = 50


@dataclass(frozen=True, slots=True)
class News:
    """A placed turn, or a finished game if `turn` is None. A turn that is placed again is new."""

    game: int
    turn: int | None
    at: datetime

    @property
    def key(self) -> str:
        """The text by which a message is told from all others."""
        what = "end" if self.turn is None else f"turn{self.turn}"
        return f"game{self.game}.{what}.{self.at.timestamp():.3f}"


def list_news(since: datetime) -> list[News]:
    """Return what has happened since then, whether it may be told already or not."""
    turns = Turn.objects.filter(placed_at__gte=since, game__event__is_rehearsal=False).order_by("placed_at", "pk")
    games = Game.objects.filter(finished_at__gte=since, event__is_rehearsal=False).order_by("finished_at", "pk")
    placed = [News(game, number, at) for game, number, at in turns.values_list("game", "number", "placed_at") if at]
    return [*placed, *(News(game, None, at) for game, at in games.values_list("pk", "finished_at") if at)]


def list_queued(keys: Sequence[str]) -> set[tuple[int, str]]:
    """Return the (webhook, key) of deliveries that exist."""
    return set(WebhookDelivery.objects.filter(key__in=keys).values_list("webhook", "key"))


def build_bodies(game: Game, news: Sequence[News], now: datetime) -> dict[str, tuple[str, dict[str, Any]]]:
    """Return kind and body of the news of a game that the public page may show, by key."""
    page = get_public_page(game.event)
    known = count_known_turns(game, page.delay)
    numbers = {each.turn for each in news if each.turn is not None and each.turn <= known}
    turns = {turn.number: turn for turn in public_turns(page, game, numbers)} if numbers else {}
    bodies: dict[str, tuple[str, dict[str, Any]]] = {}
    for each in news:
        if each.turn is not None and each.turn in turns:
            told = {"turn": describe_turn(turns[each.turn]), **_standings(game, each.turn, now)}
            bodies[each.key] = TURN_PLACED, {**_head(TURN_PLACED, each.key, game), **told}
        elif each.turn is None and is_finished(game):
            told = {"turn": None, **_standings(game, known, now)}
            bodies[each.key] = GAME_FINISHED, {**_head(GAME_FINISHED, each.key, game), **told}
    return bodies


def build_test_body(key: str) -> dict[str, Any]:
    """Return the body of a test message."""
    return {"version": VERSION, "kind": TEST, "key": key, "event": None, "game": None, "turn": None, "standings": None}


def list_webhooks() -> QuerySet[Webhook]:
    """Return all webhooks, oldest first."""
    return Webhook.objects.order_by("pk")


def list_deliveries() -> Sequence[WebhookDelivery]:
    """Return the newest deliveries."""
    return list(WebhookDelivery.objects.select_related("webhook", "event").order_by("-created_at", "-pk")[:MOST_SHOWN])


def explain_error(error: str) -> str:
    """Return the sentence for the reason why a try failed."""
    kind, _colon, detail = error.partition(":")
    if kind == "status":
        return _("The server answered with the status %s instead of 200.") % detail
    if kind == "redirect":
        return _("The server answered with a redirect (%s): write the address to which it leads.") % detail
    sentences = {
        "timeout": _("The server did not answer within five seconds."),
        "unknown_host": _("The name of the server is not known: check the address and the network."),
        "no_connection": _("Nothing answers at this address: is the program running?"),
        "forbidden": _("The name leads to an address to which nothing is sent."),
        "tls": _("The certificate of the server is not valid."),
        "fault": _("The message could not be sent; the log of the server says why."),
        "bad_answer": _("The server did not answer in HTTP."),
    }
    return sentences.get(kind, "")


def _head(kind: str, key: str, game: Game) -> dict[str, Any]:
    event: Event = game.event
    return {
        "version": VERSION,
        "kind": kind,
        "key": key,
        "event": {"id": event.pk, "name": event.name, "date": event.date.isoformat()},
        "game": game.number,
    }


def _standings(game: Game, turn: int, now: datetime) -> dict[str, Any]:
    """Return the first lines of the standings after this turn."""
    page = get_public_page(game.event)
    rows, ranked = public_standings(page, game, 0, FIRST_ROWS, after=turn)
    state = state_of_game(page, game, now).stage.value
    lines = [describe_line(row) for row in rows]
    return {"standings": {"state": state, "after_turn": turn, "players": ranked, "lines": lines}}
