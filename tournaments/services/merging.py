"""What a room elsewhere hands in becomes part of the game here: its players, slips, clock times, the decisions of its
judge. Nothing is doubled or lost, whatever comes twice, in parts, or in another order; verdicts are derived anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import Count
from django.utils.translation import gettext as _

from engine.archive import ReplacedSlip, SlipEntry, TurnEntry, read_moment
from engine.feed import FeedError, HandIn, closed_turns, read_hand_in
from engine.replay.ledger import handed_in
from engine.rules.slip import group_of
from tournaments import signals, validators
from tournaments.enums import ClockState, GameState, GivenCode
from tournaments.errors import Refused
from tournaments.models import Entry, FeedLink, Game, GivenWarning, Player, Slip, SlipRuling, Turn, TurnClock, Verdict
from tournaments.sealed import people_of
from tournaments.selectors.feeding import first_commitment
from tournaments.services.acting import acting_on, record
from tournaments.services.forgetting import demand_not_forgotten
from tournaments.services.judging import judge_turn
from tournaments.services.slips import Incoming, hand_in_batch
from tournaments.services.visiting import Visit, seat_visitors
from tournaments.verdicts import written

LARGEST_HAND_IN = 60_000_000


@dataclass(frozen=True, slots=True)
class Merged:
    """How many turns of the room are part of the game now, and how many of its slips were new. `again`: the drawing
    room is not as far as that room, which is to hand in once more later."""

    turns: int
    slips: int
    again: bool


def merge(*, link: FeedLink, text: str, by: User | None, now: datetime) -> Merged:
    """Take what a room has played into the game that it followed; `Refused`, and nothing stored, when it does not fit.

    A part that came before is known by the ids of its slips. Rulings on words are those of the drawing room; decisions
    of the other judge count where nobody here wrote the same slip.
    """
    hand_in = _readable(text)
    game = _game_of(link, hand_in)
    with acting_on(game) as locked:
        demand_not_forgotten(locked.event)
        fresh = FeedLink.objects.select_for_update().select_related("room").get(pk=link.pk)
        visit = _visit(fresh, locked, hand_in)
        before, people_before = _state(visit), _people(visit)
        players = seat_visitors(visit=visit, now=now)
        _open_clocks(visit)
        slips = _store(visit, players, now, by)
        _close_clocks(visit, now)
        warnings = _take_decisions(visit, players, by, now)
        after, people = _state(visit), _people(visit)
        changed = slips.keys() | {number for number in before | after if before.get(number) != after.get(number)}
        if changed:
            _judge(visit, min(changed))
        again = _again(visit)
        _remember(visit, again, now)
        if changed or people != people_before:
            told = {
                "room": fresh.room.name,
                "turns": len(visit.turns),
                "slips": slips.total(),
                "head": _head(visit),
                "clock": fresh.room.number,
                "clocks": _clocks(visit),
                "warnings": warnings,
                "people": {table: facts for table, facts in people.items() if facts != people_before.get(table)},
            }
            record(game=locked, kind="merge", by=by, now=now, data=told)
            signals.changed(locked)
    return Merged(len(visit.turns), slips.total(), again)


def _readable(text: str) -> HandIn:
    if len(text) > LARGEST_HAND_IN:
        raise Refused(_("This is too large to be what a room hands in."))
    try:
        return read_hand_in(text)
    except FeedError as error:
        raise Refused(_("This file cannot be used. %(why)s") % {"why": error}) from None


def _game_of(link: FeedLink, hand_in: HandIn) -> Game:
    """The game of the event that was followed; known by its commitment, which no other game has."""
    known = Game.objects.filter(event=link.room.event_id)
    game = next((each for each in known if first_commitment(each) == hand_in["commitment"]), None)
    if game is None:
        raise Refused(_("This belongs to another game: its commitment is not that of a game of this event."))
    return game


def _visit(link: FeedLink, game: Game, hand_in: HandIn) -> Visit:
    archive = hand_in["archive"]
    played = closed_turns(archive)
    begun = TurnClock.objects.filter(turn__game=game, room__number=1, started_at__isnull=False).values("turn")
    rows = {turn.number: turn for turn in Turn.objects.filter(pk__in=begun)}
    known = [(turn, rows[turn["number"]]) for turn in played if turn["number"] in rows]
    for turn, row in known:
        row.game = game
        _demand_same(turn, row)
    return Visit(
        link=link,
        game=game,
        archive=archive,
        final=hand_in["final"],
        nicknames=hand_in["nicknames"],
        turns=known,
        played=len(played),
        is_newest=len(archive["ledger"]["entries"]) >= link.entries,
    )


def _demand_same(turn: TurnEntry, row: Turn) -> None:
    """The room has played the very rack and move that the drawing room has."""
    if (turn["rack"], turn["board"]) != (row.rack, row.board):
        raise Refused(
            _("Turn %(turn)d was played with another rack or board than here: this belongs to another game.")
            % {"turn": row.number}
        )
    master = turn["master"]
    laid = (master["word"], master["ref"], master["score"]) if master else None
    if row.placed_at is not None and laid and laid != (row.master_word, row.master_ref, row.master_score):
        raise Refused(
            _("Another move than here went on the board in turn %(turn)d: the turns after it do not fit.")
            % {"turn": row.number}
        )


def _state(visit: Visit) -> dict[int, set[tuple[Any, ...]]]:
    """By turn what a hand-in may change besides slips, to see what it did."""
    room, game = visit.link.room, visit.game
    here = Player.objects.filter(room=room)
    clocks = TurnClock.objects.filter(room=room, turn__game=game)
    entries = Entry.objects.filter(game=game, room=room)
    rulings = SlipRuling.objects.filter(turn__game=game, revoked_at=None)
    given = GivenWarning.objects.filter(player__in=here, turn__game=game, revoked_at=None)
    judged = Verdict.objects.filter(player__in=here, turn__game=game).order_by().values_list("turn__number")
    state: dict[int, set[tuple[Any, ...]]] = {}
    for number, *facts in (
        *clocks.values_list("turn__number", "state", "started_at", "deadline", "closed_at", "shown_at"),
        *entries.values_list("first_turn", "player", "last_turn", "disqualified_from"),
        *rulings.values_list("turn__number", "group", "points"),
        *given.values_list("turn__number", "player", "code"),
        *judged.annotate(Count("pk")),
    ):
        state.setdefault(number, set()).add(tuple(facts))
    return state


def _people(visit: Visit) -> dict[str, object]:
    return people_of(visit.game, list(Player.objects.filter(room=visit.link.room)))


def _clocks(visit: Visit) -> list[list[object]]:
    """The clock times of the room, for the ledger."""
    return [
        [row.number, turn["started_at"], turn["deadline"], turn["closed_at"], turn["grace_ms"]]
        for turn, row in visit.turns
    ]


def _open_clocks(visit: Visit) -> None:
    """The clock times of the room. Open, so that slips are stored without being judged one batch after the other."""
    for turn, row in visit.turns:
        times = {name: read_moment(turn[name] or "") for name in ("started_at", "deadline", "closed_at")}
        TurnClock.objects.update_or_create(
            turn=row,
            room=visit.link.room,
            defaults={**times, "grace_ms": turn["grace_ms"], "paused_at": None, "state": ClockState.OPEN},
        )


def _close_clocks(visit: Visit, now: datetime) -> None:
    """A turn is shown there once its move went on the board here and there, or when nothing more comes."""
    room = visit.link.room
    for turn, row in visit.turns:
        clock = TurnClock.objects.filter(turn=row, room=room)
        clock.update(state=ClockState.CLOSED)
        if row.placed_at is not None and _is_shown(visit, turn):
            clock.filter(shown_at=None).update(shown_at=now)


def _is_shown(visit: Visit, turn: TurnEntry) -> bool:
    last = visit.archive["turns"][-1]["number"]
    over = visit.final or visit.archive["end"] is not None
    return over or turn["master"] is not None or turn["number"] < last


def _store(visit: Visit, players: Mapping[int, Player], now: datetime, by: User | None) -> Counter[int]:
    """Every slip that is not here yet, in the order in which it was stored there; by turn how many they were."""
    incoming = [
        _incoming(slip, row, players)
        for turn, row in visit.turns
        for _where, slip in sorted(handed_in(turn), key=lambda found: found[1].get("batch", []))
    ]
    _demand_own(incoming)
    numbers = {row.pk: row.number for _turn, row in visit.turns}
    receipts = hand_in_batch(incoming, now=now, by=by)
    return Counter(numbers[slip.turn_id] for slip, receipt in zip(incoming, receipts, strict=True) if receipt.new)


def _incoming(slip: SlipEntry | ReplacedSlip, row: Turn, players: Mapping[int, Player]) -> Incoming:
    if slip["table"] not in players:
        raise Refused(_("A slip belongs to table %(table)d, which is not in the list.") % {"table": slip["table"]})
    try:
        client_id = UUID(slip.get("id", ""))
    except ValueError:
        raise Refused(_("A slip of turn %(turn)d has no id.") % {"turn": row.number}) from None
    return Incoming(
        player_id=players[slip["table"]].pk,
        turn_id=row.pk,
        client_id=client_id,
        source=slip["source"] or "",
        word=slip["word"],
        ref=slip["ref"] or "",
        direction=slip["direction"] or "",
        declared=slip["declared"],
        hook=slip["hook"] or "",
        received_at=read_moment(slip["received_at"] or ""),
        sent_at=None,
        in_time=slip["in_time"],
        several=slip.get("several", False),
    )


def _demand_own(incoming: Sequence[Incoming]) -> None:
    """An id that is here belongs to the same player and turn."""
    wanted = {slip.client_id: (slip.player_id, slip.turn_id) for slip in incoming}
    if len(wanted) != len(incoming):
        raise Refused(_("Two slips have the same id: this was changed on the way."))
    stored = Slip.objects.filter(client_id__in=wanted).values_list("client_id", "player_id", "turn_id")
    if any(wanted[client_id] != (player, turn) for client_id, player, turn in stored):
        raise Refused(_("Its slips are those of other players here: this belongs to another room."))


def _take_decisions(visit: Visit, players: Mapping[int, Player], by: User | None, now: datetime) -> list[list[object]]:
    """Points and warnings that the other judge gave. Where somebody here wrote the same slip, ours stay. Gives the
    warnings that changed: [turn, table, code, given]."""
    changed: list[list[object]] = []
    if not visit.is_newest:
        return changed
    for turn, row in visit.turns:
        given: set[tuple[int, str]] = set()
        for slip in turn["slips"]:
            player = players.get(slip["table"])
            if player is None:
                raise Refused(
                    _("A slip belongs to table %(table)d, which is not in the list.") % {"table": slip["table"]}
                )
            given |= {(player.pk, code) for code in slip.get("given", ()) if code in GivenCode.values}
            if slip["decided_by"] == "judge" and slip["source"] is not None:
                _take_decision(visit, row, slip, by, now)
        changed += _take_warnings(visit, row, given, by, now)
    return changed


def _take_decision(visit: Visit, row: Turn, slip: SlipEntry, by: User | None, now: datetime) -> None:
    group = group_of(written(Slip.objects.get(client_id=slip.get("id", ""))))
    decided = SlipRuling.objects.filter(turn=row, group=group)
    elsewhere = Verdict.objects.filter(turn=row, group=group).exclude(player__room=visit.link.room)
    if decided.exists() or elsewhere.exists():
        return
    points, reason = slip["verdict"]["points"], validators.one_line(slip["reason"] or "")
    SlipRuling.objects.create(turn=row, group=group, points=points, reason=reason[:300], by=by, at=now)
    told = {"turn": row.number, "group": group, "points": points, "reason": reason[:300]}
    record(game=visit.game, kind="slip_ruling", by=by, now=now, data=told)


def _take_warnings(
    visit: Visit, row: Turn, given: Iterable[tuple[int, str]], by: User | None, now: datetime
) -> list[list[object]]:
    standing = GivenWarning.objects.filter(turn=row, player__room=visit.link.room, revoked_at=None)
    known = {(player, code): pk for pk, player, code in standing.values_list("pk", "player_id", "code")}
    wanted = set(given)
    GivenWarning.objects.filter(pk__in=[pk for at, pk in known.items() if at not in wanted]).update(revoked_at=now)
    GivenWarning.objects.bulk_create(
        GivenWarning(turn=row, player_id=player, code=code, by=by, at=now)
        for player, code in sorted(wanted - known.keys())
    )
    tables = dict(Player.objects.filter(room=visit.link.room).values_list("pk", "table"))
    changed = sorted(wanted ^ known.keys())
    return [[row.number, tables[player], code, (player, code) in wanted] for player, code in changed]


def _judge(visit: Visit, first: int) -> None:
    """From the first turn on in which something changed: what hangs on it later follows."""
    for _turn, row in visit.turns:
        if row.number >= first:
            judge_turn(turn=row, room=visit.link.room)
            return


def _again(visit: Visit) -> bool:
    """Whether the drawing room has still to come where that room has been."""
    behind = len(visit.turns) < visit.played or any(row.placed_at is None for _turn, row in visit.turns)
    return behind or (visit.final and visit.game.state != GameState.FINISHED)


def _remember(visit: Visit, again: bool, now: datetime) -> None:
    """What the room says itself, without names, to be held against what follows here."""
    fields: dict[str, Any] = {"handed_in_at": now}
    if visit.is_newest:
        fields |= {
            "entries": len(visit.archive["ledger"]["entries"]),
            "head": _head(visit),
            "lexicon_sha256": visit.archive["lexicon"]["sha256"],
            "claims": _claims(visit, again),
        }
    FeedLink.objects.filter(pk=visit.link.pk).update(**fields)


def _claims(visit: Visit, again: bool) -> dict[str, Any]:
    turns = {
        str(turn["number"]): {
            str(slip["table"]): [slip["verdict"][name] for name in ("result", "reason", "points")]
            for slip in turn["slips"]
        }
        for turn, _row in visit.turns
    }
    lexicon = visit.archive["lexicon"]
    words = [[row["word"], kind, row["from_turn"]] for kind in ("accepted", "struck") for row in lexicon[kind]]
    return {"game": visit.game.pk, "turns": turns, "words": words, "again": again, "played": visit.played}


def _head(visit: Visit) -> str:
    return visit.archive["ledger"]["head"][:64]
