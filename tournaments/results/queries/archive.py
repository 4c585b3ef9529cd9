"""Export of a game in the archive format (docs/formats.md, section 2)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Exists, F, OuterRef
from django.utils import translation
from django.utils.translation import gettext as _

from engine.archive.ledger import EMPTY_LEDGER_HASH, head_hash
from engine.archive.schema import FORMAT, VERSION, edition_entries, format_timestamp
from engine.turn_results.averages import AVERAGE
from engine.turn_results.bonuses import score_of
from tournaments.enums import DrawMode, JudgeWarningCode, Ruling
from tournaments.events.queries.events import rooms_of
from tournaments.judging.derivation import BY_JUDGE
from tournaments.judging.verdicts import VerdictReader
from tournaments.ledger.queries import entries_of, room_chains_of
from tournaments.lexicons import word_lists
from tournaments.members.queries.identities import get_members_of_players, get_published_members
from tournaments.models import (
    Entry,
    Game,
    GivenWarning,
    LedgerEntry,
    Room,
    Slip,
    SlipRuling,
    Turn,
    TurnClock,
    Verdict,
    WordRuling,
    players_in,
)
from tournaments.play.draw_seeds import draws_of, remove_seeds
from tournaments.play.position import edition_of, profile_of
from tournaments.play.queries.phases import is_over_in, list_shown_turns, open_turns
from tournaments.results.queries.results import last_turn_shown, standings_of
from tournaments.results.queries.standings_state import state_of_standings


def export_game(
    game: Game,
    room: Room | None = None,
    *,
    language: str = "",
    for_hall: bool = False,
    with_slips: bool = True,
    whole_ledger: bool = False,
    shown_only: bool = False,
    now: datetime | None = None,
) -> dict[str, Any]:
    """The present archive of a game in a room (default: the drawing room); without seed and end while it goes on there.

    Players, clocks and slips are those of the room. For a room that plays later, the archive has only the turns shown
    there, and the ledger only after the last turn, because it covers all turns. `language` defaults to the event's.
    `for_hall`: nicknames replace names, and only members who agreed to public pages have their number. `with_slips`
    False: turns have no slips, which take most of the time. `whole_ledger`, for internal use only: include entries of
    old versions that name people. `shown_only`: the archive of the drawing room too has only the turns shown there, for
    files that leave the desk. `now`: the archive tells the state of its standings at this time. The number of queries
    does not depend on players, turns or rooms.
    """
    fresh = Game.objects.select_related("event").get(pk=game.pk)
    rooms = rooms_of(fresh.event)
    room = room or rooms[0]
    edition, profile = edition_of(fresh), profile_of(fresh)
    over, last = is_over_in(fresh, room), _last_turn(fresh, room, shown_only=shown_only)
    whole = over and last is None  # a room without players has not been shown the end
    with translation.override(language or fresh.event.language):
        return {
            "format": FORMAT,
            "version": VERSION,
            "event": {
                "name": fresh.event.name,
                "date": fresh.event.date.isoformat(),
                "place": fresh.event.place,
            },
            "room": room.name,
            **({} if room.is_drawing else {"room_number": room.number}),
            **({"rooms": _rooms(fresh, rooms)} if len(rooms) > 1 else {}),
            **edition_entries(edition),
            "formula": fresh.variant,
            "rhythm_s": fresh.turn_seconds,
            "across": profile.notation.value,
            "profile": profile.switches(),
            "lexicon": lexicon_entry(fresh, last),
            "draw": _draw(fresh, room, over),
            "players": _players(fresh, room, for_hall=for_hall),
            "turns": _turns(fresh, room, last, alone=len(rooms) == 1) if with_slips else _bare_turns(fresh, room, last),
            "end": {"why": fresh.end_why, "kept": fresh.end_kept, "bag": fresh.end_bag} if whole else None,
            "standings": [line.as_json() for line in standings_of(fresh, room)],
            **({"standings_state": str(state_of_standings([fresh], room, now).stage)} if now else {}),
            "ledger": _ledger(fresh, last, whole_ledger=whole_ledger),
        }


def _last_turn(game: Game, room: Room, *, shown_only: bool) -> int | None:
    """Number of the last turn that may be exported completely for a room; None for all turns."""
    if room.is_drawing and not shown_only:
        return None
    shown = list_shown_turns(game, room).order_by("-number").values_list("number", flat=True).first() or 0
    return shown if Turn.objects.filter(game=game, number__gt=shown).exists() else None


def _rooms(game: Game, rooms: Sequence[Room]) -> dict[str, Any]:
    """The fields common to all rooms; they contain no secret of any room."""
    return {
        "names": [room.name for room in rooms],
        "drawing": rooms[0].name,
        "turns": last_turn_shown(game),
        "standings": [line.as_json() for line in standings_of(game)],
    }


def lexicon_entry(game: Game, last: int | None = None) -> dict[str, Any]:
    """The word list of a game with the word rulings up to turn `last` (None: all)."""
    ruled: dict[str, list[dict[str, Any]]] = {Ruling.ACCEPTED: [], Ruling.STRUCK: []}
    rulings = WordRuling.objects.filter(game=game, revoked_at=None)
    if last is not None:
        rulings = rulings.filter(from_turn__lte=last)
    for row in rulings.order_by("from_turn", "pk"):
        late = {"ruled_in": row.known_since} if row.known_since > row.from_turn else {}
        more = late | ({"agreed": True} if row.agreed else {})
        ruled[row.ruling].append({"word": row.word, "from_turn": row.from_turn, "reason": row.reason, **more})
    return {
        **word_lists.facts_of(game),
        "accepted": ruled[Ruling.ACCEPTED],
        "struck": ruled[Ruling.STRUCK],
    }


def _draw(game: Game, room: Room, over: bool) -> dict[str, Any]:
    """The draw of the game for the archive: mode, commitment, seed and hall word.

    The seed is left out if racks were typed. A game that continued after its seed was published has further seeds. In a
    room that plays later, no seed is public before the room has played the whole script.
    """
    if game.draw_mode != DrawMode.SEEDED:
        return {"mode": game.draw_mode, "commitment": "", "seed": None, "hall_word": game.hall_word or None}
    first, *later = draws_of(game, over=over) if room.is_drawing or over else remove_seeds(draws_of(game, over=False))
    at_start = {name: first[name] for name in ("commitment", "seed", "hall_word")}
    return {"mode": game.draw_mode, **at_start, **({"continued": later} if later else {})}


def _players(game: Game, room: Room, *, for_hall: bool) -> list[dict[str, Any]]:
    entries = list(Entry.objects.filter(game=game, room=room).select_related("player").order_by("player__table"))
    members = get_members_of_players(entry.player_id for entry in entries)
    shown = get_published_members() if members and for_hall else None
    return [
        {
            "table": entry.player.table,
            "name": entry.player.shown_name if for_hall else entry.player.name,
            "club": entry.player.club,
            "series": entry.player.series,
            "first_turn": entry.first_turn,
            **({} if for_hall else {"salt": entry.player.salt}),
            **_more_of(entry, for_hall=for_hall),
            **_members_of(members.get(entry.player_id, ()), shown),
        }
        for entry in entries
    ]


def _members_of(members: Iterable[int], shown: Container[int] | None) -> dict[str, int]:
    """The numbers of a player's members; only those in `shown`, unless it is None."""
    known = [member for member in members if shown is None or member in shown]
    return dict(zip(("member", "partner"), known, strict=False))


def _more_of(entry: Entry, *, for_hall: bool) -> dict[str, Any]:
    """The optional fields of a player. Surname and licence are not for the hall, which may see a nickname only."""
    player = entry.player
    private = {} if for_hall else {"surname": player.stated_surname, "licence": player.licence}
    known = {"age_class": player.age_class, "country": player.country, "team": player.team, **private}
    left = {} if entry.last_turn is None else {"last_turn": entry.last_turn}
    out = {} if entry.disqualified_from is None else {"disqualified_from": entry.disqualified_from}
    return {name: text for name, text in known.items() if text} | left | out


def _bare_turns(game: Game, room: Room, last: int | None) -> list[dict[str, Any]]:
    clocks = _clocks(game, room)
    return [_turn(turn, clocks.get(turn.pk), []) for turn in _known_turns(game, last)]


def _clocks(game: Game, room: Room) -> dict[int, TurnClock]:
    return {clock.turn_id: clock for clock in TurnClock.objects.filter(turn__game=game, room=room)}


def _known_turns(game: Game, last: int | None) -> list[Turn]:
    turns = Turn.objects.filter(game=game)
    return list((turns if last is None else turns.filter(number__lte=last)).order_by("number"))


def _turns(game: Game, room: Room, last: int | None, *, alone: bool) -> list[dict[str, Any]]:
    clocks = _clocks(game, room)
    slips: dict[int, list[dict[str, Any]]] = {}
    verdicts = Verdict.objects.filter(turn__game=game, player__in=players_in(game, room))
    rows = list(verdicts.select_related("slip", "player").order_by("player__table"))
    reader, given, places, again = VerdictReader(game), _given(game), _places(game), _later_decisions(game)
    for row in rows:
        line = _slip(row, reader, given.get((row.turn_id, row.player_id), []), places)
        if (row.turn_id, row.group) in again and row.slip is not None:
            line["when_placed"] = again[row.turn_id, row.group]
        slips.setdefault(row.turn_id, []).append(line)
    turns = _known_turns(game, last)
    replaced, others = _replaced(game, room, places), {} if alone else _others(game, room, turns)
    made = [_turn(turn, clocks.get(turn.pk), slips.get(turn.pk, [])) for turn in turns]
    for turn, entry in zip(turns, made, strict=True):
        if entry["slips"] and turn.pk in replaced:
            entry["replaced"] = replaced[turn.pk]
        if not alone:
            entry["others"] = others[turn.pk]
    return made


def _others(game: Game, room: Room, turns: Sequence[Turn]) -> dict[int, dict[str, Any] | None]:
    """Results of the players of the other rooms by turn, without disqualified players.

    None for a turn that one of these rooms still plays.
    """
    reader, scores, points = VerdictReader(game), defaultdict[int, Counter[int]](Counter), Counter[int]()
    out = Entry.objects.filter(game=game, player=OuterRef("player"), disqualified_from__lte=OuterRef("turn__number"))
    rows = Verdict.objects.filter(~Exists(out), turn__game=game).exclude(player__in=players_in(game, room))
    for row in rows:
        scores[row.turn_id][score_of(reader.judgement(row))] += 1
        points[row.turn_id] += _points_alone(row)
    playing = open_turns(game)
    return {
        turn.pk: None
        if turn.pk in playing
        else {"scores": {str(score): n for score, n in sorted(scores[turn.pk].items())}, "points": points[turn.pk]}
        for turn in turns
    }


def _turn(turn: Turn, clock: TurnClock | None, slips: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "number": turn.number,
        "kept": turn.kept,
        "rejected": turn.rejected,
        "rack": turn.rack,
        "board": turn.board,
        "started_at": format_timestamp(clock.started_at) if clock and clock.started_at else None,
        "deadline": format_timestamp(clock.deadline) if clock and clock.deadline else None,
        "closed_at": format_timestamp(clock.closed_at) if clock and clock.closed_at else None,
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
    """Warnings given by the judge, by turn and player, in the order of `JudgeWarningCode`."""
    given: dict[tuple[int, int], list[str]] = {}
    standing = GivenWarning.objects.filter(turn__game=game, revoked_at=None)
    for turn_id, player_id, code in standing.values_list("turn", "player", "code"):
        given.setdefault((turn_id, player_id), []).append(code)
    return {at: sorted(codes, key=JudgeWarningCode.values.index) for at, codes in given.items()}


def _later_decisions(game: Game) -> dict[tuple[int, str], int | None]:
    """Points at placement of groups that were decided again later, by turn and group; None: points by rule."""
    standing = SlipRuling.objects.filter(turn__game=game, revoked_at=None)
    in_time = standing.filter(known_since=F("turn__number")).order_by("pk")
    before = {(row.turn_id, row.group): row.points for row in in_time}
    later = standing.filter(known_since__gt=F("turn__number"))
    return {(row.turn_id, row.group): before.get((row.turn_id, row.group)) for row in later}


def _places(game: Game) -> dict[int, list[int]]:
    """Number of the ledger entry that seals a slip and its index there, by slip; old versions have none."""
    places: dict[int, list[int]] = {}
    sealed: Counter[tuple[int | None, int | None]] = Counter()
    rows = Slip.objects.filter(turn__game=game, batch__isnull=False).order_by("pk")
    for key, number, room in rows.values_list("pk", "batch", "batch_room__number"):
        sealed[number, room] += 1
        places[key] = [number or 0, sealed[number, room], *([room] if room else [])]
    return places


def _points_alone(row: Verdict) -> int:
    """A player's points before an average and a bonus by rule."""
    if row.reason == AVERAGE:
        return 0
    return row.points if row.decided_by == BY_JUDGE else row.points - row.bonus


def _replaced(game: Game, room: Room, places: dict[int, list[int]]) -> dict[int, list[dict[str, Any]]]:
    """Slips replaced by another one, by turn."""
    counting = Verdict.objects.filter(turn__game=game, slip__isnull=False).values("slip")
    others = Slip.objects.filter(turn__game=game, player__in=players_in(game, room)).exclude(pk__in=counting)
    replaced: dict[int, list[dict[str, Any]]] = {}
    for slip in others.select_related("player").order_by("pk"):
        line = {"table": slip.player.table, **_submitted_slip(slip, places.get(slip.pk))}
        replaced.setdefault(slip.turn_id, []).append(line)
    return replaced


def _slip(row: Verdict, reader: VerdictReader, given: list[str], places: dict[int, list[int]]) -> dict[str, Any]:
    return {
        "table": row.player.table,
        **_submitted_slip_of_verdict(row, places),
        **({"given": given} if given else {}),
        "verdict": reader.judgement(row).as_json(_),
        "decided_by": row.decided_by,
        "reason": row.decision_reason or None,
    }


def _submitted_slip_of_verdict(row: Verdict, places: dict[int, list[int]]) -> Mapping[str, Any]:
    slip = row.slip
    if slip is None:
        nothing = {"source": None, "received_at": None, "in_time": False, "word": "", "ref": ""}
        return {**nothing, "direction": None, "hook": "", "declared": None}
    return _submitted_slip(slip, places.get(slip.pk))


def _submitted_slip(slip: Slip, place: list[int] | None) -> Mapping[str, Any]:
    return {
        "source": slip.source,
        "received_at": format_timestamp(slip.received_at),
        "in_time": slip.in_time,
        "word": slip.word,
        "ref": slip.ref,
        "direction": slip.direction or None,
        "hook": slip.hook,
        "declared": slip.declared,
        **({"several": True} if slip.several else {}),
        **({"sent_at": format_timestamp(slip.sent_at)} if slip.sent_at else {}),
        **({"id": str(slip.client_id), "batch": place} if place else {}),
    }


def _ledger(game: Game, last: int | None, *, whole_ledger: bool) -> dict[str, Any]:
    """The ledger for the archive.

    Entries are left out if those of an older version name anonymised people, or if they cover turns that the room has
    not played.
    """
    if last is not None:
        return {"entries": [], "head": EMPTY_LEDGER_HASH, "left_out": "ahead"}
    forgotten = LedgerEntry.objects.filter(game__event=game.event_id, kind="forgotten")
    if game.event.ledger_has_names and not whole_ledger and forgotten.exists():
        return {"entries": [], "head": EMPTY_LEDGER_HASH, "left_out": "names"}
    entries = entries_of(game)
    rooms = room_chains_of(game)
    return {"entries": entries, "head": head_hash(entries), **({"rooms": rooms} if rooms else {})}
