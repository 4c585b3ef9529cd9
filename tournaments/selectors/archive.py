"""A game as plain data, in the form of the archive (docs/formats.md, section 2)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Exists, OuterRef
from django.utils import translation
from django.utils.translation import gettext as _

from engine.archive import FORMAT, VERSION, edition_entries, moment_text
from engine.ledger import FIRST_PREVIOUS, head
from engine.rules.averages import AVERAGE
from engine.rules.bonuses import score_of
from tournaments import lexicons
from tournaments.draws import draws_of, without_seeds
from tournaments.enums import DrawMode, GivenCode, Ruling
from tournaments.judgements import BY_JUDGE
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
from tournaments.position import edition_of, profile_of
from tournaments.selectors.events import rooms_of
from tournaments.selectors.ledger import entries_of
from tournaments.selectors.phases import is_over_in, open_turns, shown_in
from tournaments.selectors.results import standings_of, turns_shown
from tournaments.verdicts import Reader


def export_game(
    game: Game,
    room: Room | None = None,
    *,
    language: str = "",
    for_hall: bool = False,
    with_slips: bool = True,
    whole_ledger: bool = False,
) -> dict[str, Any]:
    """The archive of a game in a room (the event's first one when None) as it is now; without its seed and end while it
    is going on there.

    Players, clocks and slips are those of the room. One that follows has only the turns that it has been shown, and
    the ledger once it has been shown all there are, since that tells of all. Texts are in `language`, that of the
    event when none is given. The number of queries does not grow with players, turns or rooms. `for_hall` has nicknames
    in the place of names. Slips, those of other rooms too, take most of the time: not `with_slips` every turn has none.
    `whole_ledger`, for what stays in the program, has the entries of old versions that name people, too.
    """
    fresh = Game.objects.select_related("event").get(pk=game.pk)
    rooms = rooms_of(fresh.event)
    room = room or rooms[0]
    edition, profile = edition_of(fresh), profile_of(fresh)
    over, last = is_over_in(fresh, room), _last_turn(fresh, room)
    whole = over and last is None  # a room whose players have all left has not seen the end
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
            "formula": fresh.formula,
            "rhythm_s": fresh.rhythm_s,
            "across": profile.notation.value,
            "profile": profile.switches(),
            "lexicon": lexicon_entry(fresh, last),
            "draw": _draw(fresh, room, over),
            "players": _players(fresh, room, for_hall=for_hall),
            "turns": _turns(fresh, room, last, alone=len(rooms) == 1) if with_slips else _bare_turns(fresh, room, last),
            "end": {"why": fresh.end_why, "kept": fresh.end_kept, "bag": fresh.end_bag} if whole else None,
            "standings": [line.as_json() for line in standings_of(fresh, room)],
            "ledger": _ledger(fresh, last, whole_ledger=whole_ledger),
        }


def _last_turn(game: Game, room: Room) -> int | None:
    """The number of the last turn of which a room may know all, None when that is every one."""
    if room.is_drawing:
        return None
    shown = shown_in(game, room).order_by("-number").values_list("number", flat=True).first() or 0
    return shown if Turn.objects.filter(game=game, number__gt=shown).exists() else None


def _rooms(game: Game, rooms: Sequence[Room]) -> dict[str, Any]:
    """What is common to all rooms: nothing that is a secret in one of them."""
    return {
        "names": [room.name for room in rooms],
        "drawing": rooms[0].name,
        "turns": turns_shown(game),
        "standings": [line.as_json() for line in standings_of(game)],
    }


def lexicon_entry(game: Game, last: int | None = None) -> dict[str, Any]:
    """The word list of a game with the words ruled on through turn `last`, all of them when it is None."""
    ruled: dict[str, list[dict[str, Any]]] = {Ruling.ACCEPTED: [], Ruling.STRUCK: []}
    rulings = WordRuling.objects.filter(game=game, revoked_at=None)
    if last is not None:
        rulings = rulings.filter(from_turn__lte=last)
    for row in rulings.order_by("from_turn", "pk"):
        more = ({} if row.ruled_in is None else {"ruled_in": row.ruled_in}) | ({"agreed": True} if row.agreed else {})
        ruled[row.ruling].append({"word": row.word, "from_turn": row.from_turn, "reason": row.reason, **more})
    return {
        **lexicons.facts_of(game),
        "accepted": ruled[Ruling.ACCEPTED],
        "struck": ruled[Ruling.STRUCK],
    }


def _draw(game: Game, room: Room, over: bool) -> dict[str, Any]:
    """Where racks were typed the seed has drawn nothing and is left out. Of a game that went on after its seed was
    shown the later ones follow; in a room that follows no seed is public before it has played the whole script."""
    if game.draw_mode != DrawMode.SEEDED:
        return {"mode": game.draw_mode, "commitment": "", "seed": None, "hall_word": game.hall_word or None}
    first, *later = draws_of(game, over=over) if room.is_drawing or over else without_seeds(draws_of(game, over=False))
    at_start = {name: first[name] for name in ("commitment", "seed", "hall_word")}
    return {"mode": game.draw_mode, **at_start, **({"continued": later} if later else {})}


def _players(game: Game, room: Room, *, for_hall: bool) -> list[dict[str, Any]]:
    entries = Entry.objects.filter(game=game, room=room).select_related("player").order_by("player__table")
    return [
        {
            "table": entry.player.table,
            "name": entry.player.shown_name if for_hall else entry.player.name,
            "club": entry.player.club,
            "series": entry.player.series,
            "first_turn": entry.first_turn,
            **({} if for_hall else {"salt": entry.player.salt}),
            **_more_of(entry),
        }
        for entry in entries
    ]


def _more_of(entry: Entry) -> dict[str, Any]:
    """What not every player has."""
    player = entry.player
    known = {"age_class": player.age_class, "country": player.country, "team": player.team}
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
    reader, given, places, again = Reader(game), _given(game), _places(game), _decided_again(game)
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
    """By turn what the players of the other rooms had, without disqualified ones; None while one of these still plays
    it."""
    reader, scores, points = Reader(game), defaultdict[int, Counter[int]](Counter), Counter[int]()
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


def _decided_again(game: Game) -> dict[tuple[int, str], int | None]:
    """By turn and group of the slips on which the judge decided once the move was on the board, the points that he had
    given before; None where the rule had decided."""
    standing = SlipRuling.objects.filter(turn__game=game, revoked_at=None)
    before = {(row.turn_id, row.group): row.points for row in standing.filter(again=False).order_by("pk")}
    return {(row.turn_id, row.group): before.get((row.turn_id, row.group)) for row in standing.filter(again=True)}


def _places(game: Game) -> dict[int, list[int]]:
    """By slip the number of the ledger entry that seals it, and its place there; none for those of old versions."""
    places: dict[int, list[int]] = {}
    sealed: Counter[int] = Counter()
    rows = Slip.objects.filter(turn__game=game, batch__isnull=False).order_by("pk")
    for key, number in rows.values_list("pk", "batch"):
        batch = number or 0
        sealed[batch] += 1
        places[key] = [batch, sealed[batch]]
    return places


def _points_alone(row: Verdict) -> int:
    """What a player got before an average and a bonus by rule."""
    if row.reason == AVERAGE:
        return 0
    return row.points if row.decided_by == BY_JUDGE else row.points - row.bonus


def _replaced(game: Game, room: Room, places: dict[int, list[int]]) -> dict[int, list[dict[str, Any]]]:
    """By turn the slips in whose place another one counts."""
    counting = Verdict.objects.filter(turn__game=game, slip__isnull=False).values("slip")
    others = Slip.objects.filter(turn__game=game, player__in=players_in(game, room)).exclude(pk__in=counting)
    replaced: dict[int, list[dict[str, Any]]] = {}
    for slip in others.select_related("player").order_by("pk"):
        line = {"table": slip.player.table, **_handed_in(slip, places.get(slip.pk))}
        replaced.setdefault(slip.turn_id, []).append(line)
    return replaced


def _slip(row: Verdict, reader: Reader, given: list[str], places: dict[int, list[int]]) -> dict[str, Any]:
    return {
        "table": row.player.table,
        **_as_handed_in(row, places),
        **({"given": given} if given else {}),
        "verdict": reader.judgement(row).as_json(_),
        "decided_by": row.decided_by,
        "reason": row.decision_reason or None,
    }


def _as_handed_in(row: Verdict, places: dict[int, list[int]]) -> Mapping[str, Any]:
    slip = row.slip
    if slip is None:
        nothing = {"source": None, "received_at": None, "in_time": False, "word": "", "ref": ""}
        return {**nothing, "direction": None, "hook": "", "declared": None}
    return _handed_in(slip, places.get(slip.pk))


def _handed_in(slip: Slip, place: list[int] | None) -> Mapping[str, Any]:
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
        **({"id": str(slip.client_id), "batch": place} if place else {}),
    }


def _ledger(game: Game, last: int | None, *, whole_ledger: bool) -> dict[str, Any]:
    """Without its entries where those of an older version name people who were to be forgotten, and where they tell of
    turns that a room has not played yet."""
    if last is not None:
        return {"entries": [], "head": FIRST_PREVIOUS, "left_out": "ahead"}
    forgotten = LedgerEntry.objects.filter(game__event=game.event_id, kind="forgotten")
    if game.event.ledger_has_names and not whole_ledger and forgotten.exists():
        return {"entries": [], "head": FIRST_PREVIOUS, "left_out": "names"}
    entries = entries_of(game)
    return {"entries": entries, "head": head(entries)}
