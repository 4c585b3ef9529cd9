"""The questions that judges decide: groups of slips on which one answer decides, those with most at stake first."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from engine.ledger import canonical_json
from tournaments.judgements import BY_RULE
from tournaments.models import Game, Room, Turn
from tournaments.selectors.groups import Group, groups_of
from tournaments.selectors.looks import version_of
from tournaments.selectors.phases import Phase, phase_of, turn_in
from tournaments.selectors.warned import warnings_given


@dataclass(frozen=True, slots=True)
class Question:
    """Groups in doubt for the same reason, decided by one act: the same word that the list does not have, wherever it
    lies; the same word at the same wrong place, whatever its score.

    `key` is the same at every desk and after every reading, `version` is what an act has to name. `each`: the points at
    stake on a slip, the highest of them where they differ. `groups`: the one with most slips first.
    """

    key: str
    groups: list[Group]
    version: str

    @property
    def first(self) -> Group:
        return self.groups[0]

    @property
    def failed(self) -> str:
        return self.first.failed if self.first.doubt == "word" else ""

    @property
    def each(self) -> int:
        return max(group.each for group in self.groups)

    @property
    def stake(self) -> int:
        return sum(group.stake for group in self.groups)

    @property
    def count(self) -> int:
        return sum(group.count for group in self.groups)

    @property
    def tables(self) -> list[int]:
        return sorted(table for group in self.groups for table in group.tables)

    @property
    def is_open(self) -> bool:
        return any(group.is_open for group in self.groups)

    @property
    def seen_by(self) -> str:
        """Who let the verdict of the rules stand; empty while somebody has to look."""
        return "" if self.is_open else self.first.seen_by


@dataclass(frozen=True, slots=True)
class Queue:
    """The groups of a turn as judges work through them: what is open, what was in doubt and is looked at, the rest."""

    open: list[Question]
    looked_at: list[Question]
    clear: list[Group]

    @property
    def to_accept(self) -> list[Group]:
        """The clear groups that nobody has accepted or decided yet."""
        return [group for group in self.clear if group.decided_by == BY_RULE and not group.seen_by]

    @property
    def accepted_by(self) -> str:
        """Who has accepted what is clear; of several the one of the first group."""
        return next((group.seen_by for group in self.clear if group.seen_by), "")

    @property
    def clear_slips(self) -> int:
        return sum(group.count for group in self.clear)


@dataclass(frozen=True, slots=True)
class TurnInJudgement:
    """A turn between the close and the move in a room: its queue, whether words may still be ruled on, and whether
    neither tables nor names are shown."""

    turn: Turn
    queue: Queue
    may_rule: bool
    anonymous: bool


def turn_in_judgement(game: Game, room: Room, now: datetime) -> TurnInJudgement | None:
    """The turn that is judged in this room now, None when none is."""
    turn = turn_in(game, room)
    if turn is None or phase_of(game, room, now) is not Phase.CLOSED:
        return None
    anonymous = game.event.anonymous_judging
    groups = groups_of(turn, warnings_given(turn, room), room, anonymous=anonymous)
    return TurnInJudgement(turn, queue_of(groups), room.is_drawing or turn.placed_at is None, anonymous)


def queue_of(groups: Sequence[Group]) -> Queue:
    """Group the groups. What a judge has decided himself, and what is in no doubt, is clear."""
    asked: dict[str, list[Group]] = {}
    for group in groups:
        if group.doubt:
            asked.setdefault(_key(group), []).append(group)
    questions = [_question(key, found) for key, found in asked.items()]
    questions.sort(key=lambda question: (-question.stake, -question.count, question.first.word, question.key))
    return Queue(
        open=[question for question in questions if question.is_open],
        looked_at=[question for question in questions if not question.is_open],
        clear=[group for group in groups if not group.doubt],
    )


def _question(key: str, groups: list[Group]) -> Question:
    ordered = sorted(groups, key=lambda group: (-group.count, -group.each, group.ref, group.key))
    return Question(key, ordered, version_of(group.version for group in groups))


def _key(group: Group) -> str:
    """What the groups of a question have in common."""
    match group.doubt:
        case "word":
            common = ["word", group.failed.upper()]
        case "place":
            common = ["place", group.reason, group.word, "".join(group.ref.split()).upper(), group.direction]
        case "rescue":
            common = ["rescue", group.reason, group.word, group.move_ref]
        case _:
            common = ["group", group.key]
    return hashlib.sha256(canonical_json(common)).hexdigest()[:20]
