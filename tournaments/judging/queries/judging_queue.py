"""Queue of the groups of slips that judges decide; the items with most points at stake come first."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from engine.canonical_json import canonical_json
from tournaments.judging.derivation import BY_RULE
from tournaments.judging.queries.reviews import version_of
from tournaments.judging.queries.slip_groups import WARN, SlipGroup, groups_of
from tournaments.judging.queries.warnings import warnings_given
from tournaments.models import Game, Room, Turn
from tournaments.play.queries.phases import Phase, get_room_turn, phase_of


@dataclass(frozen=True, slots=True)
class QueueItem:
    """Groups with the same review flag, decided by one act.

    They share an invalid word at any place, or a word at the same wrong place with any score, or are one delayed slip.
    `key` is stable between desks and queries; an act must name `version`. `each`: the highest number of points at stake
    on a slip. `groups`: the group with most slips first.
    """

    key: str
    groups: list[SlipGroup]
    version: str

    @property
    def first(self) -> SlipGroup:
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
    def is_refusal(self) -> bool:
        """Return whether a judge who keeps the verdict refuses a word or a slip."""
        return bool(self.failed) or self.first.doubt == "delay"

    @property
    def seen_by(self) -> str:
        """Name of the judge who accepted the verdict by rule; empty while the item is open."""
        return "" if self.is_open else self.first.seen_by


@dataclass(frozen=True, slots=True)
class JudgingQueue:
    """The groups of a turn in judging order: open items, reviewed items, and clear groups."""

    open: list[QueueItem]
    looked_at: list[QueueItem]
    clear: list[SlipGroup]

    @property
    def to_accept(self) -> list[SlipGroup]:
        """The clear groups that are neither accepted nor decided."""
        return [group for group in self.clear if group.decided_by == BY_RULE and not group.seen_by]

    @property
    def accepted_by(self) -> str:
        """Name of the judge who accepted the first of the accepted clear groups."""
        return next((group.seen_by for group in self.clear if group.seen_by), "")

    @property
    def corrected(self) -> list[SlipGroup]:
        """The clear groups that are marked, such as those with another score than declared."""
        return [group for group in self.clear if group.kind == WARN]

    @property
    def unmarked(self) -> list[SlipGroup]:
        """The other clear groups."""
        return [group for group in self.clear if group.kind != WARN]

    @property
    def clear_slips(self) -> int:
        return sum(group.count for group in self.clear)


@dataclass(frozen=True, slots=True)
class JudgingTurn:
    """A turn that is being judged in a room: its queue, and whether words may be ruled on and players are hidden."""

    turn: Turn
    queue: JudgingQueue
    may_rule: bool
    anonymous: bool


def get_judging_turn(game: Game, room: Room, now: datetime) -> JudgingTurn | None:
    """The turn that is being judged in this room, or None."""
    turn = get_room_turn(game, room)
    if turn is None or phase_of(game, room, now) is not Phase.CLOSED:
        return None
    anonymous = game.event.anonymous_judging
    groups = groups_of(turn, warnings_given(turn, room), room, anonymous=anonymous)
    return JudgingTurn(turn, queue_of(groups), room.is_drawing or turn.placed_at is None, anonymous)


def queue_of(groups: Sequence[SlipGroup]) -> JudgingQueue:
    """Combine groups into items. Groups that a judge has decided or that have no review flag are clear."""
    asked: dict[str, list[SlipGroup]] = {}
    for group in groups:
        if group.doubt:
            asked.setdefault(_item_key(group), []).append(group)
    questions = [_build_item(key, found) for key, found in asked.items()]
    questions.sort(key=lambda question: (-question.stake, -question.count, question.first.word, question.key))
    return JudgingQueue(
        open=[question for question in questions if question.is_open],
        looked_at=[question for question in questions if not question.is_open],
        clear=[group for group in groups if not group.doubt],
    )


def _build_item(key: str, groups: list[SlipGroup]) -> QueueItem:
    ordered = sorted(groups, key=lambda group: (-group.count, -group.each, group.ref, group.key))
    return QueueItem(key, ordered, version_of(group.version for group in groups))


def _item_key(group: SlipGroup) -> str:
    """Key of what the groups of an item have in common."""
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
