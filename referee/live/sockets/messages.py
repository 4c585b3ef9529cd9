"""Messages of the socket protocol (docs/protocol.md). Every field is listed here, so nothing else can leak.

Times are milliseconds since 1970, UTC. `state` and `count` are encoded once for an audience; others are personal.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from referee.live.rooms.judge_presence import JudgeFocus
from referee.views.hall import PublicView
from referee.views.last_moves import LastMove
from referee.views.player import OwnSlip, OwnVerdict, PersonalView
from tournaments.judging.queries.appeals import AppealLimit, OwnAppeal
from tournaments.judging.queries.rejudged_turns import reason_text
from tournaments.play.queries.live import DocumentLine, SeatedPlayer, StoredSlip
from tournaments.play.queries.phases import PHASES_WITH_PUBLIC_RACK, Phase
from tournaments.play.queries.room_states import SlipCounts
from tournaments.play.services.slips import Receipt
from tournaments.results.queries.event_results import EventPlace
from tournaments.results.queries.results import StandingRow

VERSION = 1
ROWS_FOR_PHONES = 10


def to_ms(moment: datetime | None) -> int | None:
    """Convert a time to milliseconds since 1970."""
    return None if moment is None else round(moment.timestamp() * 1000)


def encode_message(message: dict[str, Any]) -> str:
    """Encode a message as compact JSON."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))


def state_message(seq: int, now: datetime, view: str) -> str:
    """Build the state message; `view` is the encoded `hall_fields` of the audience, shared by all its sockets."""
    return f'{{"t":"state","seq":{seq},"now":{to_ms(now)},"view":{view}}}'


def phone_view(view: PublicView) -> str:
    """Encode the public view for phones and desks, with the first rows of the standings only."""
    return encode_message(hall_fields(view, view.standings[:ROWS_FOR_PHONES]))


def wall_view(view: PublicView) -> str:
    """Encode the public view for walls, with the full standings, also of the event and of all rooms."""
    fields = hall_fields(view, view.standings, view.event_places, view.merged)
    return encode_message(fields | {"season_on_wall": view.season_on_wall})


def hall_fields(
    view: PublicView,
    standings: Sequence[StandingRow],
    event_places: Sequence[EventPlace] = (),
    merged: Sequence[StandingRow] = (),
) -> dict[str, Any]:
    """Return the fields of the public view, without those that are secret in its phase."""
    announced, finished = view.phase in PHASES_WITH_PUBLIC_RACK, view.phase is Phase.FINISHED
    return {
        "event_name": view.event_name,
        "event_code": view.event_code,
        "game_number": view.game_number,
        "seq": view.seq,
        "phase": str(view.phase),
        "turn": view.turn,
        "notation": view.notation,
        "hooks": view.hooks,
        "edition": view.edition,
        "language": view.language,
        "values": view.values,
        "board": view.board,
        "new": view.new,
        "rack": view.rack if announced else None,
        "rack_size": view.rack_size,
        "open_dictionary": view.open_dictionary,
        "stock": view.stock if announced else None,
        "clock_s": view.clock_s,
        "calls": view.calls,
        "started_at": to_ms(view.started_at),
        "deadline": to_ms(view.deadline),
        "remaining_ms": view.remaining_ms,
        "players": view.players,
        "slips_in": view.slips_in,
        "last": None if view.last is None else _last(view.last),
        "tiles_left": view.tiles_left,
        "commitment": view.commitment,
        "hall_word": view.hall_word,
        "seed": view.seed if finished else None,
        "earlier_draws": [_earlier(draw) for draw in view.earlier_draws],
        "draw_acts": [{"entry": act.entry, "kind": act.kind, "turn": act.turn} for act in view.draw_acts],
        "ledger_entry": view.ledger_entry,
        "ledger_head": view.ledger_head,
        "end_why": view.end_why,
        "highlights": [{"word": one.word, "score": one.score, "name": one.name} for one in view.highlights]
        if finished
        else [],
        "standings": [_row(row) for row in standings],
        "standings_count": sum(row.rank is not None for row in view.standings),
        "provisional": view.provisional,
        "settles_at": to_ms(view.settles_at),
        "event_places": [_place(place) for place in event_places],
        "room": view.room,
        "merged": [_row(row) for row in merged],
        "merged_turns": view.merged_turns if merged else 0,
    }


def _earlier(draw: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a seed revealed before the game was resumed."""
    return {name: draw[name] for name in ("from_turn", "commitment", "seed", "hall_word")}


def _last(last: LastMove) -> dict[str, Any]:
    return {
        "turn": last.turn,
        "word": last.word,
        "ref": last.ref,
        "score": last.score,
        "top": last.top,
        "solo": last.solo,
        "finders": last.finders,
        "players": last.players,
        "top_word": last.top_word,
        "top_ref": last.top_ref,
        "top_finders": last.top_finders,
        "next_best": None
        if last.next_best is None
        else {"word": last.next_best.word, "ref": last.next_best.ref, "score": last.next_best.score},
    }


def _row(row: StandingRow) -> dict[str, Any]:
    return {
        "rank": row.rank,
        "table": row.table,
        "name": row.name,
        "club": row.club,
        "series": row.series,
        "total": row.total,
        "negative": row.negative,
        "percent": float(row.percent),
        "solos": row.solos,
    }


def _place(place: EventPlace) -> dict[str, Any]:
    return {
        "rank": place.rank,
        "table": place.table,
        "name": place.name,
        "club": place.club,
        "total": place.total,
        "negative": place.negative,
        "percent": float(place.percent),
    }


def count_message(counts: SlipCounts, missing: Sequence[int] | None = None) -> str:
    """Build the slip count message; for desks with the tables whose slips are missing."""
    message: dict[str, Any] = {"t": "count", "slips_in": counts.slips_in, "players": counts.players}
    if missing is not None:
        message["missing"] = list(missing)
    return encode_message(message)


def hello_message(seat: SeatedPlayer, turn: int, view: PersonalView | None) -> str:
    """Build the first message to a phone: the player, and their newest slip of this turn.

    `view` is None for a player who is not in the game.
    """
    who = {"table": seat.table if view is None else view.table, "name": seat.name if view is None else view.name}
    slip = _own_slip(view.slip) if view is not None else None
    room = {"room": seat.room}  # its route: the page may have been loaded before a move to another room
    return encode_message({"t": "hello", "v": VERSION, "player": who, **room, "turn": turn, "slip": slip})


def me_message(view: PersonalView | None) -> str:
    """Build the message with a player's own results, or that the player has no place in the game."""
    return encode_message({"t": "no_place"} if view is None else {"t": "me", **personal_fields(view)})


def personal_fields(view: PersonalView) -> dict[str, Any]:
    """Return the fields of the `me` message."""
    return {
        "table": view.table,
        "name": view.name,
        "first_turn": view.first_turn,
        "last_turn": view.last_turn,
        "disqualified_from": view.disqualified_from,
        "turn": view.turn,
        "slip": _own_slip(view.slip),
        "verdict": _verdict(view.verdict),
        "rank": view.rank,
        "total": view.total,
        "negative": view.negative,
        "percent": float(view.percent),
        "event_rank": view.event_rank,
        "event_players": view.event_players,
        "solos": view.solos,
        "best": None if view.best is None else {"word": view.best.word, "points": view.best.points},
        "appeals": [_appeal(appeal) for appeal in view.appeals],
        "changes": [
            {"turn": one.turn, "before": one.before, "after": one.after, "text": reason_text(one.why)}
            for one in view.changes
        ],
    }


def appeal_fields(limit: AppealLimit) -> dict[str, Any]:
    """Return the deadline for appeals. During a game `until` is null and the deadline is `end_minutes` after the last
    turn; both are null if appeals are not possible."""
    return {"until": to_ms(limit.until), "end_minutes": limit.end_minutes}


def _appeal(appeal: OwnAppeal) -> dict[str, Any]:
    return {
        "turn": appeal.turn,
        "word": appeal.word,
        "sentence": appeal.sentence,
        "state": appeal.state,
        "answer": appeal.answer,
        "made": to_ms(appeal.made_at),
    }


def _own_slip(slip: OwnSlip | None) -> dict[str, Any] | None:
    if slip is None:
        return None
    return {
        "id": str(slip.client_id),
        "source": slip.source,
        "version": slip.version,
        "word": slip.word,
        "ref": slip.ref,
        "hook": slip.hook,
        "direction": slip.direction or None,
        "score": slip.declared,
        "received": to_ms(slip.received_at),
        "in_time": slip.in_time,
    }


def _verdict(verdict: OwnVerdict | None) -> dict[str, Any] | None:
    if verdict is None:
        return None
    return {
        "turn": verdict.turn,
        "top": verdict.top,
        "word": verdict.word,
        "ref": verdict.ref,
        "hook": verdict.hook,
        "score": verdict.declared,
        "result": verdict.result,
        "reason": verdict.reason,
        "points": verdict.points,
        "move_score": verdict.move_score,
        "warnings": verdict.warnings,
        "penalty": verdict.penalty,
        "bonus": verdict.bonus,
        "solo": verdict.solo,
        "decided_by": verdict.decided_by,
        "decision_reason": verdict.decision_reason,
        "text": verdict.sentence,
        "appeal": None if verdict.appeal_until.never else appeal_fields(verdict.appeal_until),
    }


def ack_message(receipt: Receipt | StoredSlip) -> str:
    """Build the acknowledgement of a stored slip. Formatted by hand for speed: thousands are sent at once."""
    in_time = "true" if receipt.in_time else "false"
    return (
        f'{{"t":"ack","id":"{receipt.client_id}","version":{receipt.version},'
        f'"received":{to_ms(receipt.received_at)},"in_time":{in_time}}}'
    )


def refused_message(client_id: UUID | str | None, why: str, sentence: str, retry_ms: int | None = None) -> str:
    """Build the refusal of a slip. With `retry_ms` the phone may send the same slip again after that time."""
    message: dict[str, Any] = {"t": "refused", "id": None if client_id is None else str(client_id), "why": why}
    if retry_ms is not None:
        message["retry_ms"] = retry_ms
    return encode_message({**message, "text": sentence})


def moved_message() -> str:
    """Build the message to a phone that another one replaces."""
    return encode_message({"t": "moved"})


def removed_message() -> str:
    """Build the message to the phone of a player whom the judge has removed."""
    return encode_message({"t": "removed"})


def outdated_message(sentence: str) -> str:
    """Build the message to an outdated client, which reloads once nothing can be lost."""
    return encode_message({"t": "outdated", "v": VERSION, "text": sentence})


def pong_message(client_ms: float | None, now: datetime) -> str:
    """Build the answer to a ping, which lets the phone compare clocks."""
    return encode_message({"t": "pong", "c": client_ms, "now": to_ms(now)})


def document_message(line: DocumentLine) -> str:
    """Build the message about a document's progress, for desks."""
    fields = {"id": line.document_id, "kind": line.kind, "state": line.state, "progress": line.progress}
    return encode_message({"t": "document", **fields})


def alarm_message(kind: str, sentence: str) -> str:
    """Build an alarm message, for desks."""
    return encode_message({"t": "alarm", "kind": kind, "text": sentence})


def outage_message(sentence: str) -> str:
    """Build the message about an outage of the server's services, for phones; empty at its end."""
    return encode_message({"t": "outage", "text": sentence})


def review_message(look_id: int) -> str:
    """Build the message about reviewed slips, for judges' desks, which reload that part of the page."""
    return encode_message({"t": "looked", "look": look_id})


def judge_presence_message(focuses: Iterable[JudgeFocus]) -> str:
    """Build the message with the focus of the other judges, for a judge's desk."""
    return encode_message({"t": "looking", "at": [{"who": focus.name, "at": focus.at} for focus in focuses]})
