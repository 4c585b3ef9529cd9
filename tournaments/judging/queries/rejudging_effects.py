"""Effects of judging a placed turn again, on that turn and on later turns. Nothing is written.

`services/rejudging.py` stores what is derived here. Boards and racks do not change; only results of players do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from engine.judging.lexicon_protocol import WordList
from engine.judging.verdict import judge_slip
from engine.rules.profile import Profile
from engine.turn_results.averages import AVERAGE, Fault, fault_of
from tournaments.enums import ClockState, JudgeWarningCode
from tournaments.judging.derivation import (
    BY_RULE,
    Decision,
    PriorRecord,
    TurnFacts,
    TurnVerdicts,
    derive_player_verdicts,
    derive_verdicts,
    facts_of,
    facts_with_words,
)
from tournaments.judging.queries.preview import ProposedChange
from tournaments.judging.verdicts import VerdictReader, to_written_slip
from tournaments.lexicons import word_lists
from tournaments.lexicons.word_lists import Rulings
from tournaments.models import Game, Slip, Turn, TurnClock, Verdict, WordRuling
from tournaments.play.position import is_blitz, position_of, profile_of
from tournaments.play.tops import search_tops

AlterFacts = Callable[[TurnFacts], TurnFacts]
_CONTENT = ("word", "ref", "declared", "direction", "hook", "in_time", "several", "source")


def propose_word(turn: Turn, word: str, ruling: str) -> ProposedChange:
    """The change if a word, in tile text, is accepted or struck as of this turn, until the next ruling on it."""
    more = WordRuling(word=word, ruling=ruling, from_turn=turn.number)
    return _change(turn, lambda facts: facts, more)


def propose_decision(turn: Turn, group: str, decision: Decision | None) -> ProposedChange:
    """The change if this decision is made on a group of slips of this turn; None: if the verdict by rule counts."""

    def alter(facts: TurnFacts) -> TurnFacts:
        return facts.with_decision([group], decision)

    return _change(turn, alter)


def propose_warning(turn: Turn, player_id: int, code: str, *, given: bool) -> ProposedChange:
    """The change if the judge gives a player this warning in this turn, or revokes it."""

    def alter(facts: TurnFacts) -> TurnFacts:
        codes = {*facts.given.get(player_id, ()), code} if given else {*facts.given.get(player_id, ())} - {code}
        in_order = tuple(each for each in JudgeWarningCode.values if each in codes)
        return replace(facts, given={**facts.given, player_id: in_order})

    return _change(turn, alter)


@dataclass(slots=True)
class _CarriedOver:
    """Differences from the stored record of earlier turns, by player id, as far as the profile needs them.

    `warnings` and `bonuses` are differences of totals; `faults` are those of the preceding turn if they changed.
    """

    profile: Profile
    warnings: Counter[int] = field(default_factory=Counter)
    bonuses: Counter[int] = field(default_factory=Counter)
    faults: dict[int, Fault | None] | None = None

    @property
    def affects_everybody(self) -> bool:
        """Return whether the whole next turn must be judged, because bonuses or averages depend on all players."""
        return any(self.bonuses.values()) or self.faults is not None

    def find_affected_players(self, turn: Turn) -> dict[int, int]:
        """Players whose penalty in this turn depends on their earlier warnings, with their unchanged bonus.

        An average in place of a zero has no penalty.
        """
        others = {player_id for player_id, more in self.warnings.items() if more}
        if not others:
            return {}
        warned = Verdict.objects.filter(turn=turn).exclude(warnings=[]).exclude(reason=AVERAGE)
        rows = warned.values_list("player_id", "bonus")
        return {player_id: bonus for player_id, bonus in rows if player_id in others}

    def add_to(self, stored: PriorRecord) -> PriorRecord:
        before = stored.copy()
        before.warnings.update(self.warnings)
        before.bonuses.update(self.bonuses)
        if self.faults is not None:
            before.faults = dict(self.faults)
        return before

    def add_turn(self, turn: Turn, derived: TurnVerdicts) -> None:
        """Add the differences of a turn that is judged again."""
        verdicts = Verdict.objects.filter(turn=turn)
        if derived.partial:
            verdicts = verdicts.filter(player__in=[one.player_id for one in derived.judged])
        rows = verdicts.values_list("player_id", "warnings", "bonus")
        stored = {player_id: (len(warnings), bonus) for player_id, warnings, bonus in rows}
        for one in derived.judged:
            warned, bonus = stored.get(one.player_id, (0, 0))
            if self.profile.free_warnings is not None:
                self.warnings[one.player_id] += len(one.judgement.warnings) - warned
            if self.profile.bonus_cap is not None:
                self.bonuses[one.player_id] += one.judgement.bonus - bonus
        self.faults = None if derived.partial else self._other_faults(turn, derived)

    def _other_faults(self, turn: Turn, derived: TurnVerdicts) -> dict[int, Fault | None] | None:
        if not self.profile.average_for_second_zero:
            return None
        reader = VerdictReader(turn.game)
        zeros = Verdict.objects.filter(turn=turn, result="zero", decided_by=BY_RULE)
        before = {row.player_id: fault_of(reader.judgement(row)) for row in zeros}
        after = {one.player_id: fault_of(one.judgement) for one in derived.judged if one.decision is None}
        return None if _faults(before) == _faults(after) else after


def _faults(found: Mapping[int, Fault | None]) -> dict[int, Fault]:
    return {player_id: fault for player_id, fault in found.items() if fault is not None}


def _change(turn: Turn, alter: AlterFacts, more: WordRuling | None = None) -> ProposedChange:
    """Derive the closed turns, from this one on, whose verdicts may change, in order."""
    game, profile = turn.game, profile_of(turn.game)
    carried, known = _CarriedOver(profile), list[tuple[TurnFacts, TurnVerdicts]]()
    for later in _closed_from(turn):
        rulings = word_lists.rulings_of(game, later.number, more)
        is_first = later.pk == turn.pk
        if is_first or carried.affects_everybody or (more is not None and _is_touched(later, rulings)):
            facts = facts_of(later) if more is None else facts_with_words(facts_of(later), rulings)
            facts = replace(alter(facts) if is_first else facts, before=carried.add_to(facts.before))
            derived = derive_verdicts(facts)
        elif concerned := carried.find_affected_players(later):
            facts = facts_of(later, players=concerned)
            facts = replace(facts, before=carried.add_to(facts.before))
            derived = derive_player_verdicts(facts, concerned)
        else:
            continue
        known.append((facts, derived))
        carried.add_turn(later, derived)
    return ProposedChange(game, profile, [facts for facts, _derived in known], None, known)


def _closed_from(turn: Turn) -> Sequence[Turn]:
    closed = TurnClock.objects.filter(turn__game=turn.game, state=ClockState.CLOSED).values("turn")
    later = list(Turn.objects.filter(pk__in=closed, number__gte=turn.number).order_by("number"))
    for each in later:
        each.game = turn.game
    return later


def _is_touched(turn: Turn, rulings: Rulings) -> bool:
    """Return whether other words change the tops of a turn or a verdict; identical slips are judged once."""
    if rulings == word_lists.rulings_of(turn.game, turn.number):
        return False
    position = position_of(turn)
    if search_tops(turn.game, turn.number, position.board, position.rack, rulings) != turn.tops:
        return True
    blitz, profile = is_blitz(turn.game), profile_of(turn.game)
    now, then = (
        word_lists.open_lexicon(turn.game, turn.number),
        word_lists.open_lexicon(turn.game, turn.number, rulings),
    )
    slips = [to_written_slip(Slip(**row)) for row in Slip.objects.filter(turn=turn).values(*_CONTENT).distinct()]
    for slip in slips:
        tracked = _TrackedRulings(now, then)
        verdict = judge_slip(slip, position, profile, tracked, blitz=blitz)
        if tracked.differ and verdict != judge_slip(slip, position, profile, then, blitz=blitz):
            return True
    return False


class _TrackedRulings:
    """The present words, with a record of whether a word was queried on which the proposed words differ.

    A verdict for which `differ` stays False is the same with both word lists.
    """

    def __init__(self, now: WordList, then: WordList) -> None:
        self._now, self._then = now, then
        self.differ = False

    def __contains__(self, word: Sequence[int]) -> bool:
        known = word in self._now
        self.differ = self.differ or known != (word in self._then)
        return known


def next_open_turn(game: Game, turn: Turn) -> Turn | None:
    """The turn after this one that is drawn and not closed in any room: word rulings count in it, too."""
    closed = TurnClock.objects.filter(turn__game=game, state=ClockState.CLOSED).values("turn")
    later = Turn.objects.filter(game=game, number__gt=turn.number).exclude(pk__in=closed).order_by("-number").first()
    if later is not None:
        later.game = game
    return later
