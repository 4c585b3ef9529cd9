"""The texts of the socket protocol (docs/protocol.md). Every field is named here: what is not named cannot leak.

Times are milliseconds since 1970, UTC. `state` and `count` are made once for an audience; the others are personal.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from referee.live.looking import Glance
from tournaments.selectors.appeals import Limit, OwnAppeal
from tournaments.selectors.event_results import EventPlace
from tournaments.selectors.hall import HallView, Last
from tournaments.selectors.live import Counts, DocumentLine, SeatedPlayer, StoredSlip
from tournaments.selectors.personal import OwnSlip, OwnVerdict, PersonalView
from tournaments.selectors.phases import RACK_IS_PUBLIC, Phase
from tournaments.selectors.reopened import why_text
from tournaments.selectors.results import StandingRow
from tournaments.services.slips import Receipt

VERSION = 1
ROWS_FOR_PHONES = 10


def to_ms(moment: datetime | None) -> int | None:
    """Milliseconds since 1970, as JavaScript counts."""
    return None if moment is None else round(moment.timestamp() * 1000)


def text_of(message: dict[str, Any]) -> str:
    """A message as it goes over the wire."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))


def state(seq: int, now: datetime, view: str) -> str:
    """The hall's state; `view` is the text of `hall_fields` made for the audience, so that only the time is new."""
    return f'{{"t":"state","seq":{seq},"now":{to_ms(now)},"view":{view}}}'


def phone_view(view: HallView) -> str:
    """What a phone or a desk's page header shows: the hall's view with the first rows of the standings only."""
    return text_of(hall_fields(view, view.standings[:ROWS_FOR_PHONES]))


def wall_view(view: HallView) -> str:
    """What the wall shows: the hall's view with the whole standings, and those of the event and of all rooms."""
    return text_of(hall_fields(view, view.standings, view.event_places, view.merged))


def hall_fields(
    view: HallView,
    standings: Sequence[StandingRow],
    event_places: Sequence[EventPlace] = (),
    merged: Sequence[StandingRow] = (),
) -> dict[str, Any]:
    """The hall's view. What its phase keeps secret is left out, whatever `view` holds."""
    announced, finished = view.phase in RACK_IS_PUBLIC, view.phase is Phase.FINISHED
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
        "standings": [_row(row) for row in standings],
        "standings_count": sum(row.rank is not None for row in view.standings),
        "event_places": [_place(place) for place in event_places],
        "room": view.room,
        "merged": [_row(row) for row in merged],
        "merged_turns": view.merged_turns,
    }


def _earlier(draw: Mapping[str, Any]) -> dict[str, Any]:
    """A seed that was shown to the hall before the game was taken up again."""
    return {name: draw[name] for name in ("from_turn", "commitment", "seed", "hall_word")}


def _last(last: Last) -> dict[str, Any]:
    return {
        "turn": last.turn,
        "word": last.word,
        "ref": last.ref,
        "score": last.score,
        "top": last.top,
        "solo": last.solo,
        "finders": last.finders,
        "players": last.players,
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


def count(counts: Counts, missing: Sequence[int] | None = None) -> str:
    """How many slips are in; for desks with the tables that have not handed in."""
    message: dict[str, Any] = {"t": "count", "slips_in": counts.slips_in, "players": counts.players}
    if missing is not None:
        message["missing"] = list(missing)
    return text_of(message)


def hello(seat: SeatedPlayer, turn: int, view: PersonalView | None) -> str:
    """The first message to a phone: whose it is, and the newest slip of this turn that came from this player.

    A player without a place in the game has no `view`.
    """
    who = {"table": seat.table if view is None else view.table, "name": seat.name if view is None else view.name}
    slip = _own_slip(view.slip) if view is not None else None
    return text_of({"t": "hello", "v": VERSION, "player": who, "turn": turn, "slip": slip})


def me(view: PersonalView) -> str:
    """What only this player may know."""
    return text_of({"t": "me", **personal_fields(view)})


def personal_fields(view: PersonalView) -> dict[str, Any]:
    """The fields of `me`."""
    return {
        "table": view.table,
        "name": view.name,
        "first_turn": view.first_turn,
        "turn": view.turn,
        "slip": _own_slip(view.slip),
        "verdict": _verdict(view.verdict),
        "rank": view.rank,
        "total": view.total,
        "negative": view.negative,
        "percent": float(view.percent),
        "event_rank": view.event_rank,
        "event_players": view.event_players,
        "appeals": [_appeal(appeal) for appeal in view.appeals],
        "changes": [
            {"turn": one.turn, "before": one.before, "after": one.after, "text": why_text(one.why)}
            for one in view.changes
        ],
    }


def appeal_fields(limit: Limit) -> dict[str, Any]:
    """Until when the player may appeal: `until` is null while the game goes on and only that much is known, that it is
    `end_minutes` after the last turn. Null for no appeal at all."""
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
        "decided_by": verdict.decided_by,
        "decision_reason": verdict.decision_reason,
        "text": verdict.sentence,
        "appeal": None if verdict.appeal_until.never else appeal_fields(verdict.appeal_until),
    }


def ack(receipt: Receipt | StoredSlip) -> str:
    """The slip is stored; it stays so whatever happens to the server. Written by hand: it goes out by the thousand."""
    in_time = "true" if receipt.in_time else "false"
    return (
        f'{{"t":"ack","id":"{receipt.client_id}","version":{receipt.version},'
        f'"received":{to_ms(receipt.received_at)},"in_time":{in_time}}}'
    )


def refused(client_id: UUID | str | None, why: str, sentence: str, retry_ms: int | None = None) -> str:
    """The slip is not stored. With `retry_ms` the same one may be sent again after this time."""
    message: dict[str, Any] = {"t": "refused", "id": None if client_id is None else str(client_id), "why": why}
    if retry_ms is not None:
        message["retry_ms"] = retry_ms
    return text_of({**message, "text": sentence})


def moved() -> str:
    """Another phone took this player's place."""
    return text_of({"t": "moved"})


def outdated(sentence: str) -> str:
    """The client is older than the server: it is to load itself anew, once nothing can be lost by it."""
    return text_of({"t": "outdated", "v": VERSION, "text": sentence})


def pong(client_ms: float | None, now: datetime) -> str:
    """The answer to a ping: the phone finds out by how much its clock differs."""
    return text_of({"t": "pong", "c": client_ms, "now": to_ms(now)})


def document(line: DocumentLine) -> str:
    """How far a sheet is, for the desks."""
    fields = {"id": line.document_id, "kind": line.kind, "state": line.state, "progress": line.progress}
    return text_of({"t": "document", **fields})


def alarm(kind: str, sentence: str) -> str:
    """Something that a judge should know, for the desks."""
    return text_of({"t": "alarm", "kind": kind, "text": sentence})


def looked(look_id: int) -> str:
    """A judge has looked at slips, for the desks of judges: the part of the page is to be fetched anew."""
    return text_of({"t": "looked", "look": look_id})


def looking(glances: Iterable[Glance]) -> str:
    """Where the colleagues look, for the desk of one judge."""
    return text_of({"t": "looking", "at": [{"who": glance.name, "at": glance.at} for glance in glances]})
