"""What if a turn that is on the board were judged again: the change of that turn, and of every later one in which
something follows from it. Nothing is written; services/reopening.py writes what is derived here.

The board stays as it was played, and so do the racks: a ruling decides what players get.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from engine.rules.averages import AVERAGE, Fault, fault_of
from engine.rules.profile import Profile
from engine.rules.verdict import judge
from engine.rules.words import WordList
from tournaments import lexicons
from tournaments.enums import ClockState, GivenCode
from tournaments.judgements import BY_RULE, Before, Decision, Derived, Facts, derive, derive_some, facts_of, with_words
from tournaments.lexicons import Rulings
from tournaments.models import Game, Slip, Turn, TurnClock, Verdict, WordRuling
from tournaments.position import is_blitz, position_of, profile_of
from tournaments.selectors.preview import Change
from tournaments.tops import search_tops
from tournaments.verdicts import Reader, written

Judging = Callable[[Facts], Facts]
_CONTENT = ("word", "ref", "declared", "direction", "hook", "in_time", "several", "source")


def with_word(turn: Turn, word: str, ruling: str) -> Change:
    """As if a word, in tile text, had been accepted or struck in this turn: it counts so from then on, until another
    ruling on it does."""
    more = WordRuling(word=word, ruling=ruling, from_turn=turn.number)
    return _change(turn, lambda facts: facts, more)


def with_decision(turn: Turn, group: str, decision: Decision | None) -> Change:
    """As if the judge had decided so on a group of identical slips of this turn; None: as if the rule had."""

    def decided(facts: Facts) -> Facts:
        decisions = {key: value for key, value in facts.decisions.items() if key != group}
        return replace(facts, decisions=decisions if decision is None else {**decisions, group: decision})

    return _change(turn, decided)


def with_warning(turn: Turn, player_id: int, code: str, *, given: bool) -> Change:
    """As if the judge had given a player this warning in this turn, or had not."""

    def warned(facts: Facts) -> Facts:
        codes = {*facts.given.get(player_id, ()), code} if given else {*facts.given.get(player_id, ())} - {code}
        in_order = tuple(each for each in GivenCode.values if each in codes)
        return replace(facts, given={**facts.given, player_id: in_order})

    return _change(turn, warned)


@dataclass(slots=True)
class _Carried:
    """By how much players have other warnings and bonuses from the turns before than is stored, as far as the profile
    asks; and the faults of the turn directly before, where these are others."""

    profile: Profile
    warnings: Counter[int] = field(default_factory=Counter)
    bonuses: Counter[int] = field(default_factory=Counter)
    faults: dict[int, Fault | None] | None = None

    @property
    def concerns_all(self) -> bool:
        """Whether the whole next turn has to be judged: a bonus or an average may pass from one to another."""
        return any(self.bonuses.values()) or self.faults is not None

    def concerned_in(self, turn: Turn) -> dict[int, int]:
        """The players who pay for a warning in this turn by how many they had before, with the bonus that they keep. An
        average that stands for a zero is not lessened."""
        others = {player_id for player_id, more in self.warnings.items() if more}
        if not others:
            return {}
        warned = Verdict.objects.filter(turn=turn).exclude(warnings=[]).exclude(reason=AVERAGE)
        rows = warned.values_list("player_id", "bonus")
        return {player_id: bonus for player_id, bonus in rows if player_id in others}

    def added_to(self, stored: Before) -> Before:
        before = stored.copied()
        before.warnings.update(self.warnings)
        before.bonuses.update(self.bonuses)
        if self.faults is not None:
            before.faults = dict(self.faults)
        return before

    def go_on(self, turn: Turn, derived: Derived) -> None:
        """Past a turn that is judged anew."""
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

    def _other_faults(self, turn: Turn, derived: Derived) -> dict[int, Fault | None] | None:
        if not self.profile.average_for_second_zero:
            return None
        reader = Reader(turn.game)
        zeros = Verdict.objects.filter(turn=turn, result="zero", decided_by=BY_RULE)
        before = {row.player_id: fault_of(reader.judgement(row)) for row in zeros}
        after = {one.player_id: fault_of(one.judgement) for one in derived.judged if one.decision is None}
        return None if _faults(before) == _faults(after) else after


def _faults(found: Mapping[int, Fault | None]) -> dict[int, Fault]:
    return {player_id: fault for player_id, fault in found.items() if fault is not None}


def _change(turn: Turn, first: Judging, more: WordRuling | None = None) -> Change:
    """The closed turns from this one on in which something follows, in order."""
    game, profile = turn.game, profile_of(turn.game)
    carried, known = _Carried(profile), list[tuple[Facts, Derived]]()
    for later in _closed_from(turn):
        rulings = lexicons.rulings_of(game, later.number, more)
        is_first = later.pk == turn.pk
        if is_first or carried.concerns_all or (more is not None and _is_touched(later, rulings)):
            facts = facts_of(later) if more is None else with_words(facts_of(later), rulings)
            facts = replace(first(facts) if is_first else facts, before=carried.added_to(facts.before))
            derived = derive(facts)
        elif concerned := carried.concerned_in(later):
            facts = facts_of(later, players=concerned)
            facts = replace(facts, before=carried.added_to(facts.before))
            derived = derive_some(facts, concerned)
        else:
            continue
        known.append((facts, derived))
        carried.go_on(later, derived)
    return Change(game, profile, [facts for facts, _derived in known], None, known)


def _closed_from(turn: Turn) -> Sequence[Turn]:
    closed = TurnClock.objects.filter(turn__game=turn.game, state=ClockState.CLOSED).values("turn")
    later = list(Turn.objects.filter(pk__in=closed, number__gte=turn.number).order_by("number"))
    for each in later:
        each.game = turn.game
    return later


def _is_touched(turn: Turn, rulings: Rulings) -> bool:
    """Whether other words change anything in a turn: its tops, or what a slip is worth by itself. Slips that say the
    same are looked at once."""
    if rulings == lexicons.rulings_of(turn.game, turn.number):
        return False
    position = position_of(turn)
    if search_tops(turn.game, turn.number, position.board, position.rack, rulings) != turn.tops:
        return True
    blitz, profile = is_blitz(turn.game), profile_of(turn.game)
    now, then = lexicons.open_lexicon(turn.game, turn.number), lexicons.open_lexicon(turn.game, turn.number, rulings)
    slips = [written(Slip(**row)) for row in Slip.objects.filter(turn=turn).values(*_CONTENT).distinct()]
    for slip in slips:
        asked = _Asked(now, then)
        verdict = judge(slip, position, profile, asked, blitz=blitz)
        if asked.differ and verdict != judge(slip, position, profile, then, blitz=blitz):
            return True
    return False


class _Asked:
    """The words that count now. `differ`: whether a word was asked for that the others have and these have not, or the
    other way round; a verdict for which that is not so is the same by both."""

    def __init__(self, now: WordList, then: WordList) -> None:
        self._now, self._then = now, then
        self.differ = False

    def __contains__(self, word: Sequence[int]) -> bool:
        known = word in self._now
        self.differ = self.differ or known != (word in self._then)
        return known


def not_closed(game: Game, turn: Turn) -> Turn | None:
    """The turn after this one that is drawn and not closed anywhere: words that are ruled on count in it, too."""
    closed = TurnClock.objects.filter(turn__game=game, state=ClockState.CLOSED).values("turn")
    return Turn.objects.filter(game=game, number__gt=turn.number).exclude(pk__in=closed).order_by("-number").first()
