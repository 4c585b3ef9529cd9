"""The feed of a game for a room that plays on its own server: what the drawing room has done, every turn sealed.

A rack is in it once the drawing room has announced it, its move once that can no longer be taken back: with the next
announcement, or the end. Where the drawing room keeps to a prepared game, the rest of that is in it too.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import Any, cast

from django.db.models import Q

from engine.feed import FEED, VERSION, FeedTurn
from tournaments import lexicons, scripts
from tournaments.draws import draws_of
from tournaments.enums import GameState, Ruling
from tournaments.feed_seal import END, MASTER, RACK, seal
from tournaments.models import FeedLink, Game, Room, Turn, TurnClock, WordRuling
from tournaments.position import edition_of, what_is_left
from tournaments.selectors.events import current_game
from tournaments.selectors.players import hash_of

Words = dict[str, list[dict[str, Any]]]


def link_by_token(token: str) -> FeedLink | None:
    """The link that this secret opens, with its room and event; None for one that was taken back."""
    known = FeedLink.objects.filter(token_hash=hash_of(token))
    return known.select_related("room__event").first() if token else None


def feed_of(link: FeedLink, token: str) -> str:
    """The feed as JSON text: the same text as long as nothing is new."""
    game = current_game(link.room.event)
    found = {
        "format": FEED,
        "version": VERSION,
        "event": {"name": game.event.name, "date": game.event.date.isoformat(), "place": game.event.place},
        "language": game.event.language,
        "room": link.room.name,
        "game": game.number,
        "edition": game.edition,
        "edition_file": edition_of(game).toml,
        "formula": game.formula,
        "rhythm_s": game.rhythm_s,
        "profile": game.switches,
        "lexicon": lexicons.facts_of(game),
        "draw": {"mode": game.draw_mode, "commitment": first_commitment(game), "hall_word": game.hall_word or None},
        "turns": list(_turns(game, token)),
        "end": _end(game, token),
    }
    return json.dumps(found, ensure_ascii=False, sort_keys=True)


def first_commitment(game: Game) -> str:
    """The commitment with which a game began, by which it is known elsewhere."""
    return str(draws_of(game, over=False)[0]["commitment"])


def etag_of(text: str) -> str:
    """What names this version of a feed."""
    return f'"{hashlib.sha256(text.encode()).hexdigest()[:32]}"'


def plays_elsewhere(room: Room) -> bool:
    """Whether this room plays on its own server."""
    return not room.is_drawing and FeedLink.objects.filter(room=room, token_hash__isnull=False).exists()


def _turns(game: Game, token: str) -> Iterator[FeedTurn]:
    announced = _announced(game)
    rulings = _rulings(game)
    for at, turn in enumerate(announced):
        is_final = turn.placed_at is not None and (at + 1 < len(announced) or game.state == GameState.FINISHED)
        ahead = None if is_final else _scripted_master(game, turn)
        master = _sealed_master(token, turn.number, _master_of(turn), rulings) if is_final else None
        if ahead is not None:
            master = _sealed_master(token, turn.number, ahead, rulings)
        rack = {"kept": turn.kept, "rejected": turn.rejected, "rack": turn.rack, "board": turn.board}
        yield FeedTurn(
            number=turn.number,
            announced=True,
            placed=is_final,
            rack=seal(token, RACK, turn.number, rack),
            master=master,
        )
    yield from _ahead(game, token, len(announced), rulings)


def _announced(game: Game) -> list[Turn]:
    begun = TurnClock.objects.filter(room__number=Room.DRAWING, turn__game=game, started_at__isnull=False)
    return list(Turn.objects.filter(Q(pk__in=begun.values("turn")), game=game).order_by("number"))


def _ahead(game: Game, token: str, announced: int, rulings: Words) -> Iterator[FeedTurn]:
    """The turns of a prepared game that the drawing room has not announced, while it keeps to the script."""
    for scripted in _script_from_here(game):
        if scripted["number"] <= announced:
            continue
        rack = {name: scripted[name] for name in ("kept", "rejected", "rack", "board")}
        number = scripted["number"]
        yield FeedTurn(
            number=number,
            announced=False,
            placed=False,
            rack=seal(token, RACK, number, rack),
            master=_sealed_master(token, number, scripted["master"], rulings),
        )


def _scripted_master(game: Game, turn: Turn) -> dict[str, Any] | None:
    """The move of the script in the turn that the drawing room plays, None where it is not known in advance."""
    for scripted in _script_from_here(game):
        if scripted["number"] == turn.number and scripted["rack"] == turn.rack:
            return cast(dict[str, Any], scripted["master"])
    return None


def _script_from_here(game: Game) -> Sequence[dict[str, Any]]:
    """The turns of the script from the first one on that is not placed; none when the game has left it."""
    if game.prepared is None or game.state == GameState.FINISHED:
        return []
    left = what_is_left(game)
    if scripts.next_turn(game, left) is None:
        return []
    turns = scripts.script_of(game.prepared)["turns"]
    return cast(Sequence[dict[str, Any]], turns[left.turn - 1 :])


def _master_of(turn: Turn) -> dict[str, Any] | None:
    if turn.master_score is None:
        return None
    return {
        "word": turn.master_word,
        "ref": turn.master_ref,
        "score": turn.master_score,
        "chosen_by": turn.master_chosen_by,
        "why": turn.master_why or None,
    }


def _sealed_master(token: str, number: int, master: dict[str, Any] | None, rulings: Words) -> str:
    ruled = {name: [row for row in rows if row["from_turn"] == number] for name, rows in rulings.items()}
    return seal(token, MASTER, number, {"master": master, **ruled})


def _rulings(game: Game) -> Words:
    """The words ruled on, by what became of them."""
    ruled: Words = {"accepted": [], "struck": []}
    names = {Ruling.ACCEPTED: "accepted", Ruling.STRUCK: "struck"}
    for row in WordRuling.objects.filter(game=game, revoked_at=None).order_by("from_turn", "pk"):
        facts = {"word": row.word, "from_turn": row.from_turn, "reason": row.reason}
        ruled[names[Ruling(row.ruling)]].append(facts)
    return ruled


def _end(game: Game, token: str) -> str | None:
    """Sealed; of a prepared game also before it is reached."""
    if game.state == GameState.FINISHED:
        turns = Turn.objects.filter(game=game, placed_at__isnull=False).count()
        end = {"why": game.end_why, "kept": game.end_kept, "bag": game.end_bag, "turns": turns}
        return seal(token, END, 0, end)
    if game.prepared is None or not _script_from_here(game):
        return None
    script = scripts.script_of(game.prepared)
    return seal(token, END, 0, {**script["end"], "turns": len(script["turns"])})
