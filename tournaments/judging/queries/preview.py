"""Preview of who gains and loses by a ruling or a change of rules. Nothing is written.

preview = build_preview(propose_word(turn, "TRISCEA", Ruling.ACCEPTED))
preview.shifts, preview.token
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.db.models import QuerySet

from engine.canonical_json import canonical_json
from engine.rules.profile import Profile
from engine.standings.game import TurnResult, standings
from engine.turn_results.master_move import MasterMove, choose_master
from tournaments.enums import ChosenBy, ClockState
from tournaments.events.queries.events import get_drawing_room
from tournaments.judging.derivation import (
    Decision,
    PriorRecord,
    TurnFacts,
    TurnVerdicts,
    derive_verdicts,
    facts_of,
    facts_when_placed,
    facts_with_words,
)
from tournaments.lexicons import word_lists
from tournaments.lexicons.word_lists import Rulings
from tournaments.models import Entry, Game, Room, Turn, TurnClock, Verdict, players_in
from tournaments.play.position import edition_of, master_of, profile_of
from tournaments.play.tops import stored_tops

Points = Mapping[int, Mapping[int, TurnResult]]
"""Results of players, by turn number and table."""


@dataclass(frozen=True, slots=True)
class PlayerChange:
    """A player whose total or rank would change; disqualified players have no rank."""

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
class TurnChange:
    """A changed value of a turn: the table with the solo (None for none), or the top score."""

    turn: int
    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True)
class Preview:
    """The effects of a proposed change.

    `shifts`: players whose total changes, largest gain first. `ranks`: players whose total or rank changes, by new
    rank. `solos` and `tops`: changes by turn. `moved`: number of further players whose rank changes. `top_*`, `tops_*`
    and `master_*` belong to the turn being judged; they are empty while it is played, and `judged` is False. `fixed`:
    numbers of turns whose placed move would be another one. `token`: digest of all effects.
    """

    judged: bool
    shifts: list[PlayerChange]
    moved: int
    top_before: int | None
    top_after: int | None
    tops_before: list[str]
    tops_after: list[str]
    master_before: str
    master_after: str
    fixed: list[int]
    token: str
    ranks: list[PlayerChange] = field(default_factory=list)
    solos: list[TurnChange] = field(default_factory=list)
    tops: list[TurnChange] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ProposedChange:
    """A proposed profile, and the facts of each closed turn that would be judged again, in order.

    The preview shows the players of `room`, or all players if it is None. `known`: the derived verdicts, if they were
    needed to find the affected turns.
    """

    game: Game
    profile: Profile
    facts: Sequence[TurnFacts]
    room: Room | None = None
    known: Sequence[tuple[TurnFacts, TurnVerdicts]] | None = None

    @property
    def decides_move(self) -> bool:
        """Return whether the slips shown decide the master move: those of the drawing room do."""
        return self.room is None or self.room.is_drawing


def propose_word(turn: Turn, word: str, ruling: str | None, room: Room | None = None) -> ProposedChange:
    """The change if a word, in tile text, is accepted or struck as of this turn; None: if it has no ruling.

    The preview is for `room`, by default the drawing room.
    """
    room = room or get_drawing_room(turn.game.event)
    rulings = word_lists.rulings_of(turn.game, turn.number).with_word(word, ruling)
    return _propose_for_turn(_propose_words(turn, rulings, room), room)


def propose_decisions(
    turn: Turn, groups: Collection[str], decision: Decision | None, room: Room | None = None
) -> ProposedChange:
    """The change if this decision is made on groups of slips; None: if the verdict by rule counts."""
    room = room or get_drawing_room(turn.game.event)
    return _propose_for_turn(facts_of(turn, room).with_decision(groups, decision), room)


def propose_rules(game: Game, rules: Profile) -> ProposedChange:
    """The change if all turns so far are judged by these rules; tops, racks and moves do not change."""
    turns = list(_closed_turns(game))
    blitz = rules.is_blitz(game.turn_seconds)
    return ProposedChange(game, rules, [replace(facts_of(turn), profile=rules, blitz=blitz) for turn in turns])


def derive_proposed(change: ProposedChange) -> Iterator[tuple[TurnFacts, TurnVerdicts]]:
    """Derive the proposed verdicts turn by turn, carrying over warnings, bonuses and faults."""
    if change.known is not None:
        yield from change.known
        return
    before: PriorRecord | None = PriorRecord() if change.facts and change.facts[0].turn.number == 1 else None
    for facts in change.facts:
        derived = derive_verdicts(facts if before is None else replace(facts, before=before))
        yield facts, derived
        if before is not None:
            before = before.copy()
            before.count(derived.judged)


def build_preview(change: ProposedChange) -> Preview:
    """Compare the proposed change with the stored results."""
    stored, would_be = _stored_points(change), dict[int, Mapping[int, TurnResult]]()
    tops = _tops(change.game)
    fixed: list[int] = []
    solos: list[TurnChange] = []
    last: tuple[TurnFacts, TurnVerdicts] | None = None
    for facts, derived in derive_proposed(change):
        last = facts, derived
        would_be[facts.turn.number] = {**stored.get(facts.turn.number, {}), **_results(facts, derived)}
        if derived.solo != facts.turn.solo:
            solos.append(TurnChange(facts.turn.number, facts.turn.solo, derived.solo))
        if change.known is None and facts.turn.placed_at is not None and change.decides_move:
            fixed += [facts.turn.number] if _has_other_master_move(facts, derived) else []
    after = {**stored, **would_be}
    tops_after = {**tops, **{facts.turn.number: facts.top for facts in change.facts}}
    ranks = _ranks(change, stored, after, tops, tops_after)
    shifts = sorted((one for one in ranks if one.gain), key=lambda shift: (-shift.gain, shift.table))
    ranked = _open_turn_changes(change, last)
    placed = [facts.turn.number for facts in change.facts if facts.turn.placed_at is not None]
    other = [TurnChange(turn, tops[turn], tops_after[turn]) for turn in placed if tops[turn] != tops_after[turn]]
    moved = len(ranks) - len(shifts)
    preview = Preview(bool(change.facts), shifts, moved, *ranked, fixed, "", ranks, solos, other)
    return replace(preview, token=_token(preview, would_be))


def _propose_for_turn(facts: TurnFacts, room: Room) -> ProposedChange:
    """A change of the present turn; it has no facts while the room still plays the turn."""
    closed = TurnClock.objects.filter(turn=facts.turn, room=room, state=ClockState.CLOSED).exists()
    return ProposedChange(facts.turn.game, facts.profile, [facts] if closed else [], room)


def _propose_words(turn: Turn, rulings: Rulings, room: Room) -> TurnFacts:
    return facts_with_words(facts_of(turn, room), rulings)


def _closed_turns(game: Game) -> Iterator[Turn]:
    """The turns that have verdicts, in order."""
    for turn in Turn.objects.filter(game=game, pk__in=Verdict.objects.filter(turn__game=game).values("turn")).order_by(
        "number"
    ):
        turn.game = game
        yield turn


def _entries(change: ProposedChange) -> QuerySet[Entry]:
    entries = Entry.objects.filter(game=change.game)
    return entries if change.room is None else entries.filter(room=change.room)


def _stored_points(change: ProposedChange) -> dict[int, dict[int, TurnResult]]:
    points: dict[int, dict[int, TurnResult]] = defaultdict(dict)
    verdicts = Verdict.objects.filter(turn__game=change.game, player__in=_entries(change).values("player"))
    fields = ("turn__number", "turn__solo", "player__table", "points", "warnings", "penalty", "bonus")
    for number, solo, table, gained, warnings, penalty, bonus in verdicts.values_list(*fields):
        points[number][table] = TurnResult(number, gained, len(warnings), penalty, solo == table, bonus)
    return dict(points)


def _tops(game: Game) -> dict[int, int]:
    return {number: top or 0 for number, top in Turn.objects.filter(game=game).values_list("number", "top")}


def _results(facts: TurnFacts, derived: TurnVerdicts) -> dict[int, TurnResult]:
    number = facts.turn.number
    rows = ((one.table, one.judgement) for one in derived.judged)
    return {
        table: TurnResult(number, one.points, len(one.warnings), one.penalty, derived.solo == table, one.bonus)
        for table, one in rows
    }


def _ranks(
    change: ProposedChange, stored: Points, after: Points, tops: Mapping[int, int], tops_after: Mapping[int, int]
) -> list[PlayerChange]:
    """The players whose total or rank changes, by new rank."""
    names = dict(_entries(change).values_list("player__table", "player__name"))
    out = set(_entries(change).exclude(disqualified_from=None).values_list("player__table", flat=True))
    lines_before = _standings(names, stored, tops, profile_of(change.game), out)
    lines_after = _standings(names, after, tops_after, change.profile, out)
    ranks = [
        PlayerChange(table, name, *_totals_and_ranks(lines_before[table], lines_after[table]))
        for table, name in names.items()
    ]
    moved = [one for one in ranks if one.gain or one.rank_before != one.rank_after]
    return sorted(moved, key=lambda shift: (shift.rank_after is None, shift.rank_after or 0, shift.table))


def _totals_and_ranks(
    before: tuple[int, int | None], after: tuple[int, int | None]
) -> tuple[int, int, int | None, int | None]:
    """The last four fields of `PlayerChange`: totals, then ranks."""
    return before[0], after[0], before[1], after[1]


def _standings(
    tables: Iterable[int], points: Points, tops: Mapping[int, int], profile: Profile, disqualified: Collection[int]
) -> dict[int, tuple[int, int | None]]:
    """(total, rank) by table, after all turns that have verdicts."""
    numbers = sorted(points)
    results = {table: [points[number][table] for number in numbers if table in points[number]] for table in tables}
    lines = standings(results, [tops[number] for number in numbers], profile, disqualified)
    return {line.table: (line.total, line.rank) for line in lines}


def _open_turn_changes(
    change: ProposedChange, last: tuple[TurnFacts, TurnVerdicts] | None
) -> tuple[int | None, int | None, list[str], list[str], str, str]:
    """Top, tops and master move of the turn being judged, before and after; empty if there is none."""
    if last is None or last[0].turn.placed_at is not None:
        return None, None, [], [], "", ""
    facts, derived = last
    turn = Turn.objects.get(pk=facts.turn.pk)
    turn.game = change.game
    now = facts_of(turn, change.room)
    ranked = now.top, facts.top, _stored_move_text(turn), _stored_move_text(facts.turn)
    if not change.decides_move:
        return *ranked, "", ""
    return *ranked, _master_text(now, derive_verdicts(now)), _master_text(facts, derived)


def _stored_move_text(turn: Turn) -> list[str]:
    return [f"{top['word']} {top['ref']}" for top in turn.tops or ()]


def _master_move(facts: TurnFacts, derived: TurnVerdicts) -> MasterMove | None:
    """The master move from the slips of the drawing room, as in `judging.queries.master_move`."""
    game = facts.turn.game
    here = set(players_in(game, get_drawing_room(game.event)))
    verdicts = {one.group: one.judgement for one in derived.judged if one.player_id in here}.values()
    tops, position = stored_tops(facts.turn), facts.position
    return choose_master(verdicts, tops, position.board, position.rack, facts.words, facts.profile)


def _master_text(facts: TurnFacts, derived: TurnVerdicts) -> str:
    master = _master_move(facts, derived)
    if master is None:
        return ""
    edition, notation = edition_of(facts.turn.game), facts.profile.notation
    return f"{master.move.word_text(edition)} {master.move.reference_text(notation)}"


def _has_other_master_move(facts: TurnFacts, derived: TurnVerdicts) -> bool:
    """Return whether these verdicts give another master move than the placed one."""
    if facts.turn.master_chosen_by == ChosenBy.JUDGE:
        return False
    then = facts_when_placed(facts)
    if (then.words, then.decisions) != (facts.words, facts.decisions):
        facts, derived = then, derive_verdicts(then)
    master, placed = _master_move(facts, derived), master_of(facts.turn)
    if master is None or placed is None:
        return (master is None) != (placed is None)
    return (master.move, master.chosen_by) != (placed, facts.turn.master_chosen_by)


def _token(preview: Preview, would_be: Points) -> str:
    """Digest of everything shown and of all proposed points."""
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
