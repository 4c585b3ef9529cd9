"""Who gains and loses by what the judge thinks of: another ruling, a struck word, another rule. Nothing is written.

preview = shown(with_word(turn, "TRISCEA", Ruling.ACCEPTED))
preview.shifts, preview.token
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.db.models import QuerySet

from engine.ledger import canonical_json
from engine.rules.master import Master, choose_master
from engine.rules.profile import Profile
from engine.standings import TurnResult, standings
from tournaments import lexicons
from tournaments.enums import ChosenBy, ClockState
from tournaments.judgements import Before, Decision, Derived, Facts, derive, facts_of, when_placed, with_words
from tournaments.lexicons import Rulings
from tournaments.models import Entry, Game, Room, Turn, TurnClock, Verdict, players_in
from tournaments.position import edition_of, master_of, profile_of
from tournaments.selectors.events import first_room
from tournaments.tops import stored_tops

Points = Mapping[int, Mapping[int, TurnResult]]
"""By turn and table what a player has."""


@dataclass(frozen=True, slots=True)
class Shift:
    """A player whose points would change: in the turns that are judged again, and in the standings after them, where
    disqualified players have no rank."""

    table: int
    name: str
    before: int
    after: int
    rank_before: int | None
    rank_after: int | None

    @property
    def gain(self) -> int:
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class Moved:
    """What of a turn another one has: who found its top alone (tables, None for nobody), or how much that is worth."""

    turn: int
    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True)
class Preview:
    """What a change would do. `shifts`: those who gain first, the most first; points are totals of the game. `ranks`:
    all whose points or rank change, by the rank that they would have; `solos` and `tops`: of which turns these change.

    `moved`: how many more players would get another rank. `top_*`, `tops_*` and `master_*` are those of the turn that
    is being judged, empty while it is played: then nothing is told, and nobody has points yet (`judged` False).
    `fixed`: numbers of turns whose move lies on the board although another one would have to. `token` is another one
    as soon as anything in it would be.
    """

    judged: bool
    shifts: list[Shift]
    moved: int
    top_before: int | None
    top_after: int | None
    tops_before: list[str]
    tops_after: list[str]
    master_before: str
    master_after: str
    fixed: list[int]
    token: str
    ranks: list[Shift] = field(default_factory=list)
    solos: list[Moved] = field(default_factory=list)
    tops: list[Moved] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Change:
    """What would count instead: the profile, and the facts of each closed turn that would be judged again, in order.

    `room` is where it is looked at: what is shown is of its players alone (of all when None). `known`: what follows,
    where that had to be found to know which turns are judged again.
    """

    game: Game
    profile: Profile
    facts: Sequence[Facts]
    room: Room | None = None
    known: Sequence[tuple[Facts, Derived]] | None = None

    @property
    def decides_move(self) -> bool:
        """Whether the slips that are looked at decide what goes on the board: those of the drawing room do."""
        return self.room is None or self.room.is_drawing


def with_word(turn: Turn, word: str, ruling: str | None, room: Room | None = None) -> Change:
    """As if a word, in tile text, were accepted or struck from this turn on; None: neither. Looked at in a room, the
    event's first one when None."""
    room = room or first_room(turn.game.event)
    rulings = lexicons.rulings_of(turn.game, turn.number).with_word(word, ruling)
    return _of_turn(_with_words(turn, rulings, room), room)


def with_decision(turn: Turn, group: str, decision: Decision | None, room: Room | None = None) -> Change:
    """As if the judge decided so on a group of identical slips; None: as if the rule did. `room` as above."""
    return with_decisions(turn, [group], decision, room)


def with_decisions(turn: Turn, groups: Collection[str], decision: Decision | None, room: Room | None = None) -> Change:
    """The same for several groups, decided at once."""
    room = room or first_room(turn.game.event)
    facts = facts_of(turn, room)
    decisions = {key: value for key, value in facts.decisions.items() if key not in groups}
    if decision is not None:
        decisions |= dict.fromkeys(groups, decision)
    return _of_turn(replace(facts, decisions=decisions), room)


def with_rules(game: Game, rules: Profile) -> Change:
    """As if all turns so far were judged by these rules, which search, draw and put on the board as before."""
    turns = list(_closed(game))
    blitz = rules.is_blitz(game.rhythm_s)
    return Change(game, rules, [replace(facts_of(turn), profile=rules, blitz=blitz) for turn in turns])


def derived_by(change: Change) -> Iterator[tuple[Facts, Derived]]:
    """The verdicts that would be, turn by turn; warnings, bonuses and faults are carried from turn to turn."""
    if change.known is not None:
        yield from change.known
        return
    before: Before | None = Before() if change.facts and change.facts[0].turn.number == 1 else None
    for facts in change.facts:
        derived = derive(facts if before is None else replace(facts, before=before))
        yield facts, derived
        if before is not None:
            before = before.copied()
            before.count(derived.judged)


def shown(change: Change) -> Preview:
    """The change beside what is stored."""
    stored, would_be = _stored_points(change), dict[int, Mapping[int, TurnResult]]()
    tops = _tops(change.game)
    fixed: list[int] = []
    solos: list[Moved] = []
    last: tuple[Facts, Derived] | None = None
    for facts, derived in derived_by(change):
        last = facts, derived
        would_be[facts.turn.number] = {**stored.get(facts.turn.number, {}), **_results(facts, derived)}
        if derived.solo != facts.turn.solo:
            solos.append(Moved(facts.turn.number, facts.turn.solo, derived.solo))
        if change.known is None and facts.turn.placed_at is not None and change.decides_move:
            fixed += [facts.turn.number] if _has_another_master(facts, derived) else []
    after = {**stored, **would_be}
    tops_after = {**tops, **{facts.turn.number: facts.top for facts in change.facts}}
    ranks = _ranks(change, stored, after, tops, tops_after)
    shifts = sorted((one for one in ranks if one.gain), key=lambda shift: (-shift.gain, shift.table))
    ranked = _around(change, last)
    placed = [facts.turn.number for facts in change.facts if facts.turn.placed_at is not None]
    other = [Moved(turn, tops[turn], tops_after[turn]) for turn in placed if tops[turn] != tops_after[turn]]
    moved = len(ranks) - len(shifts)
    preview = Preview(bool(change.facts), shifts, moved, *ranked, fixed, "", ranks, solos, other)
    return replace(preview, token=_token(preview, would_be))


def _of_turn(facts: Facts, room: Room) -> Change:
    """A change of the turn at hand; nothing is judged while the room still plays it."""
    closed = TurnClock.objects.filter(turn=facts.turn, room=room, state=ClockState.CLOSED).exists()
    return Change(facts.turn.game, facts.profile, [facts] if closed else [], room)


def _with_words(turn: Turn, rulings: Rulings, room: Room) -> Facts:
    return with_words(facts_of(turn, room), rulings)


def _closed(game: Game) -> Iterator[Turn]:
    """The turns that have verdicts, the first one first."""
    for turn in Turn.objects.filter(game=game, pk__in=Verdict.objects.filter(turn__game=game).values("turn")).order_by(
        "number"
    ):
        turn.game = game
        yield turn


def _entries(change: Change) -> QuerySet[Entry]:
    entries = Entry.objects.filter(game=change.game)
    return entries if change.room is None else entries.filter(room=change.room)


def _stored_points(change: Change) -> dict[int, dict[int, TurnResult]]:
    points: dict[int, dict[int, TurnResult]] = defaultdict(dict)
    verdicts = Verdict.objects.filter(turn__game=change.game, player__in=_entries(change).values("player"))
    fields = ("turn__number", "turn__solo", "player__table", "points", "warnings", "penalty", "bonus")
    for number, solo, table, gained, warnings, penalty, bonus in verdicts.values_list(*fields):
        points[number][table] = TurnResult(number, gained, len(warnings), penalty, solo == table, bonus)
    return dict(points)


def _tops(game: Game) -> dict[int, int]:
    return {number: top or 0 for number, top in Turn.objects.filter(game=game).values_list("number", "top")}


def _results(facts: Facts, derived: Derived) -> dict[int, TurnResult]:
    number = facts.turn.number
    rows = ((one.table, one.judgement) for one in derived.judged)
    return {
        table: TurnResult(number, one.points, len(one.warnings), one.penalty, derived.solo == table, one.bonus)
        for table, one in rows
    }


def _ranks(
    change: Change, stored: Points, after: Points, tops: Mapping[int, int], tops_after: Mapping[int, int]
) -> list[Shift]:
    """The players whose points or rank change, by the rank that they would have."""
    names = dict(_entries(change).values_list("player__table", "player__name"))
    out = set(_entries(change).exclude(disqualified_from=None).values_list("player__table", flat=True))
    lines_before = _standings(names, stored, tops, profile_of(change.game), out)
    lines_after = _standings(names, after, tops_after, change.profile, out)
    ranks = [Shift(table, name, *_beside(lines_before[table], lines_after[table])) for table, name in names.items()]
    moved = [one for one in ranks if one.gain or one.rank_before != one.rank_after]
    return sorted(moved, key=lambda shift: (shift.rank_after is None, shift.rank_after or 0, shift.table))


def _beside(before: tuple[int, int | None], after: tuple[int, int | None]) -> tuple[int, int, int | None, int | None]:
    """The fields of `Shift`: totals, then ranks."""
    return before[0], after[0], before[1], after[1]


def _standings(
    tables: Iterable[int], points: Points, tops: Mapping[int, int], profile: Profile, disqualified: Collection[int]
) -> dict[int, tuple[int, int | None]]:
    """By table (total, rank) after all turns that have verdicts."""
    numbers = sorted(points)
    results = {table: [points[number][table] for number in numbers if table in points[number]] for table in tables}
    lines = standings(results, [tops[number] for number in numbers], profile, disqualified)
    return {line.table: (line.total, line.rank) for line in lines}


def _around(
    change: Change, last: tuple[Facts, Derived] | None
) -> tuple[int | None, int | None, list[str], list[str], str, str]:
    """Top, tops and master move of the turn that is being judged, before and after; nothing when none is."""
    if last is None or last[0].turn.placed_at is not None:
        return None, None, [], [], "", ""
    facts, derived = last
    turn = Turn.objects.get(pk=facts.turn.pk)
    turn.game = change.game
    now = facts_of(turn, change.room)
    ranked = now.top, facts.top, _written(turn), _written(facts.turn)
    if not change.decides_move:
        return *ranked, "", ""
    return *ranked, _master_text(now, derive(now)), _master_text(facts, derived)


def _written(turn: Turn) -> list[str]:
    return [f"{top['word']} {top['ref']}" for top in turn.tops or ()]


def _master(facts: Facts, derived: Derived) -> Master | None:
    """Of several rooms the slips of the drawing room decide (selectors/master.py)."""
    game = facts.turn.game
    here = set(players_in(game, first_room(game.event)))
    verdicts = {one.group: one.judgement for one in derived.judged if one.player_id in here}.values()
    tops, position = stored_tops(facts.turn), facts.position
    return choose_master(verdicts, tops, position.board, position.rack, facts.words, facts.profile)


def _master_text(facts: Facts, derived: Derived) -> str:
    master = _master(facts, derived)
    if master is None:
        return ""
    edition, notation = edition_of(facts.turn.game), facts.profile.notation
    return f"{master.move.word_text(edition)} {master.move.reference_text(notation)}"


def _has_another_master(facts: Facts, derived: Derived) -> bool:
    """Whether by these verdicts another move would have gone on the board than the one that lies there."""
    if facts.turn.master_chosen_by == ChosenBy.JUDGE:
        return False
    then = when_placed(facts)
    if (then.words, then.decisions) != (facts.words, facts.decisions):
        facts, derived = then, derive(then)
    master, placed = _master(facts, derived), master_of(facts.turn)
    if master is None or placed is None:
        return (master is None) != (placed is None)
    return (master.move, master.chosen_by) != (placed, facts.turn.master_chosen_by)


def _token(preview: Preview, would_be: Points) -> str:
    """Of everything that is shown and all points that would be given."""
    points = {
        str(number): {str(table): [one.points, one.warnings, one.bonus] for table, one in results.items()}
        for number, results in would_be.items()
    }
    facts = [
        [[shift.table, shift.before, shift.after, shift.rank_before, shift.rank_after] for shift in preview.shifts],
        [preview.judged, preview.moved, preview.top_before, preview.top_after, preview.fixed],
        [preview.tops_before, preview.tops_after, preview.master_before, preview.master_after],
        points,
    ]
    return hashlib.sha256(canonical_json(facts)).hexdigest()[:32]
