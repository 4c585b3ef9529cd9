"""Storage of rulings on words, slips and warnings; each is a part of an act that records it in the ledger.

The move of turn N was chosen with the rulings whose `known_since` is at most N.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from tournaments.judging.services.ruling_request import RulingRequest
from tournaments.models import Game, GivenWarning, Player, SlipRuling, Turn, WordRuling


def store_word_ruling(turn: Turn, word: str, ruling: str, request: RulingRequest) -> WordRuling:
    """Store a ruling as of a turn, in place of another of the same turn with which no other move was chosen."""
    subject: dict[str, Any] = {"game": turn.game, "word": word, "from_turn": turn.number}
    subject["known_since"] = _next_turn_to_place(turn.game)
    WordRuling.objects.filter(**subject, revoked_at=None).update(revoked_at=request.now)
    return WordRuling.objects.create(
        **subject,
        event_id=turn.game.event_id,
        ruling=ruling,
        reason=request.reason,
        by=request.by,
        at=request.now,
    )


def store_decision(turn: Turn, group: str, points: int, request: RulingRequest) -> SlipRuling:
    """Store a decision on a group of slips that have not been shown."""
    return _create_decision(turn, group, points, turn.number, request)


def store_late_decision(turn: Turn, group: str, points: int | None, request: RulingRequest) -> SlipRuling:
    """Store a decision on slips of a placed turn in place of another late one; None: the verdict by rule counts again.

    The decision with which the move was chosen stays.
    """
    late = SlipRuling.objects.filter(turn=turn, group=group, known_since__gt=turn.number, revoked_at=None)
    late.update(revoked_at=request.now)
    return _create_decision(turn, group, points, _next_turn_to_place(turn.game), request)


def store_warning(turn: Turn, player: Player, code: str, request: RulingRequest, *, given: bool) -> GivenWarning:
    """Store a warning, or that it is revoked."""
    if given:
        return GivenWarning.objects.create(
            turn=turn, player=player, code=code, reason=request.reason, by=request.by, at=request.now
        )
    warning = GivenWarning.objects.get(turn=turn, player=player, code=code, revoked_at=None)
    warning.revoked_at = request.now
    warning.save(update_fields=["revoked_at"])
    return warning


def mark_rulings_in_time(turn: Turn, now: datetime) -> None:
    """Treat rulings made after placement as made before it, because the placement was undone.

    The caller has locked the game.
    """
    words = WordRuling.objects.filter(game=turn.game_id, from_turn__lte=turn.number, revoked_at=None)
    late = words.filter(known_since__gt=turn.number)
    for word, first in late.values_list("word", "from_turn"):
        words.filter(word=word, from_turn=first, known_since=turn.number).update(revoked_at=now)
    late.update(known_since=turn.number)
    slips = SlipRuling.objects.filter(turn__game=turn.game_id, revoked_at=None)
    decided = slips.filter(known_since__gt=turn.number)
    groups = list(decided.filter(turn=turn).values_list("group", flat=True))
    slips.filter(turn=turn, group__in=groups, known_since=turn.number).update(revoked_at=now)
    decided.filter(turn=turn, points=None).update(revoked_at=now)
    decided.update(known_since=turn.number)


def _create_decision(
    turn: Turn, group: str, points: int | None, known_since: int, request: RulingRequest
) -> SlipRuling:
    return SlipRuling.objects.create(
        turn=turn,
        group=group,
        points=points,
        known_since=known_since,
        reason=request.reason,
        by=request.by,
        at=request.now,
    )


def _next_turn_to_place(game: Game) -> int:
    """Number of the first turn whose master move is chosen with a ruling that is made now."""
    last = Turn.objects.filter(game=game, placed_at__isnull=False).order_by("-number").first()
    return (last.number if last else 0) + 1
