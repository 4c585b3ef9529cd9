"""A game as plain data, in the form of the archive (docs/formats.md, section 2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils import translation
from django.utils.translation import gettext as _

from engine.archive import FORMAT, VERSION, edition_entries, moment_text
from engine.ledger import head
from tournaments.enums import DrawMode, GameState, GivenCode, Ruling
from tournaments.models import Entry, Game, GivenWarning, LedgerEntry, Room, Turn, TurnClock, Verdict, WordRuling
from tournaments.position import edition_of, profile_of
from tournaments.selectors.events import first_room
from tournaments.selectors.results import standings_of
from tournaments.verdicts import Reader


def export_game(game: Game, room: Room | None = None) -> dict[str, Any]:
    """The archive of a game as it is now; without its seed and end while it is going on.

    Clock times are those of the room, the event's first one when None. Texts are in the language of the event. The
    number of queries does not grow with players or turns.
    """
    fresh = Game.objects.select_related("event").get(pk=game.pk)
    room = room or first_room(fresh.event)
    edition, profile = edition_of(fresh), profile_of(fresh)
    over = fresh.state == GameState.FINISHED
    with translation.override(fresh.event.language):
        return {
            "format": FORMAT,
            "version": VERSION,
            "event": {
                "name": fresh.event.name,
                "date": fresh.event.date.isoformat(),
                "place": fresh.event.place,
            },
            "room": room.name,
            **edition_entries(edition),
            "formula": fresh.formula,
            "rhythm_s": fresh.rhythm_s,
            "across": profile.notation.value,
            "profile": profile.switches(),
            "lexicon": _lexicon(fresh),
            "draw": _draw(fresh, over),
            "players": _players(fresh),
            "turns": _turns(fresh, room),
            "end": {"why": fresh.end_why, "kept": fresh.end_kept, "bag": fresh.end_bag} if over else None,
            "standings": [line.as_json() for line in standings_of(fresh)],
            "ledger": _ledger(fresh),
        }


def _lexicon(game: Game) -> dict[str, Any]:
    ruled: dict[str, list[dict[str, Any]]] = {Ruling.ACCEPTED: [], Ruling.STRUCK: []}
    for row in WordRuling.objects.filter(game=game, revoked_at=None).order_by("from_turn", "pk"):
        ruled[row.ruling].append({"word": row.word, "from_turn": row.from_turn, "reason": row.reason})
    return {
        "name": game.lexicon_name,
        "words": game.lexicon_words,
        "sha256": game.lexicon_sha256,
        "accepted": ruled[Ruling.ACCEPTED],
        "struck": ruled[Ruling.STRUCK],
    }


def _draw(game: Game, over: bool) -> dict[str, Any]:
    """Where racks were typed the seed has drawn nothing and is left out."""
    seeded = game.draw_mode == DrawMode.SEEDED
    return {
        "mode": game.draw_mode,
        "commitment": game.commitment if seeded else "",
        "seed": bytes(game.seed).hex() if seeded and over else None,
        "hall_word": game.hall_word or None,
    }


def _players(game: Game) -> list[dict[str, Any]]:
    entries = Entry.objects.filter(game=game).select_related("player").order_by("player__table")
    return [
        {
            "table": entry.player.table,
            "name": entry.player.name,
            "club": entry.player.club,
            "series": entry.player.series,
            **_more_of(entry),
        }
        for entry in entries
    ]


def _more_of(entry: Entry) -> dict[str, Any]:
    """What not every player has."""
    player = entry.player
    known = {"age_class": player.age_class, "country": player.country, "team": player.team}
    left = {} if entry.last_turn is None else {"last_turn": entry.last_turn}
    return {name: text for name, text in known.items() if text} | left


def _turns(game: Game, room: Room) -> list[dict[str, Any]]:
    clocks = {clock.turn_id: clock for clock in TurnClock.objects.filter(turn__game=game, room=room)}
    slips: dict[int, list[dict[str, Any]]] = {}
    rows = Verdict.objects.filter(turn__game=game).select_related("slip", "player").order_by("player__table")
    reader, given = Reader(game), _given(game)
    for row in rows:
        slips.setdefault(row.turn_id, []).append(_slip(row, reader, given.get((row.turn_id, row.player_id), [])))
    turns = Turn.objects.filter(game=game).order_by("number")
    return [_turn(turn, clocks.get(turn.pk), slips.get(turn.pk, [])) for turn in turns]


def _turn(turn: Turn, clock: TurnClock | None, slips: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "number": turn.number,
        "kept": turn.kept,
        "rejected": turn.rejected,
        "rack": turn.rack,
        "board": turn.board,
        "started_at": moment_text(clock.started_at) if clock and clock.started_at else None,
        "deadline": moment_text(clock.deadline) if clock and clock.deadline else None,
        "closed_at": moment_text(clock.closed_at) if clock and clock.closed_at else None,
        "grace_ms": clock.grace_ms if clock else 0,
        "top": turn.top or 0,
        "tops": [{name: top[name] for name in ("word", "ref", "score")} for top in turn.tops or ()],
        "master": _master(turn),
        "slips": slips,
        "solo": turn.solo,
    }


def _master(turn: Turn) -> dict[str, Any] | None:
    if turn.master_score is None:
        return None
    return {
        "word": turn.master_word,
        "ref": turn.master_ref,
        "score": turn.master_score,
        "chosen_by": turn.master_chosen_by,
        "why": turn.master_why or None,
    }


def _given(game: Game) -> dict[tuple[int, int], list[str]]:
    """The warnings that the judge gave, by turn and player, in the order of `GivenCode`."""
    given: dict[tuple[int, int], list[str]] = {}
    standing = GivenWarning.objects.filter(turn__game=game, revoked_at=None)
    for turn_id, player_id, code in standing.values_list("turn", "player", "code"):
        given.setdefault((turn_id, player_id), []).append(code)
    return {at: sorted(codes, key=GivenCode.values.index) for at, codes in given.items()}


def _slip(row: Verdict, reader: Reader, given: list[str]) -> dict[str, Any]:
    return {
        "table": row.player.table,
        **_as_handed_in(row),
        **({"given": given} if given else {}),
        "verdict": reader.judgement(row).as_json(_),
        "decided_by": row.decided_by,
        "reason": row.decision_reason or None,
    }


def _as_handed_in(row: Verdict) -> Mapping[str, Any]:
    slip = row.slip
    if slip is None:
        nothing = {"source": None, "received_at": None, "in_time": False, "word": "", "ref": ""}
        return {**nothing, "direction": None, "hook": "", "declared": None}
    return {
        "source": slip.source,
        "received_at": moment_text(slip.received_at),
        "in_time": slip.in_time,
        "word": slip.word,
        "ref": slip.ref,
        "direction": slip.direction or None,
        "hook": slip.hook,
        "declared": slip.declared,
        **({"several": True} if slip.several else {}),
    }


def _ledger(game: Game) -> dict[str, Any]:
    entries = [
        {
            "n": entry.n,
            "at": moment_text(entry.at),
            "kind": entry.kind,
            "by": entry.by,
            "data": entry.data,
            "hash": entry.hash,
        }
        for entry in LedgerEntry.objects.filter(game=game).order_by("n")
    ]
    return {"entries": entries, "head": head(entries)}
