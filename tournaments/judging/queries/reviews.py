"""Reviews and decisions of judges, with the state that they apply to.

A group of slips has a *state*, its present verdict, and a *version*, the state with the newest review. A form of the
desk carries the version that its judge saw, so that two judges do not decide the same group.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from engine.canonical_json import canonical_json
from tournaments.enums import Ruling
from tournaments.ledger.act_text import act_sentence
from tournaments.models import GroupLook, Room, SlipRuling, Turn, Verdict, WordRuling, players_in
from tournaments.staff.queries import name_of

VERDICT = ("group", "result", "reason", "word", "move_score", "decided_by")
"""Columns of a verdict that make up a state; they are the same for all players of a group."""

Row = tuple[str, str, str, str, int | None, str]


@dataclass(frozen=True, slots=True)
class ReviewSnapshot:
    """Standing rulings and reviews of a turn or of some of its groups, by group."""

    rulings: Mapping[str, SlipRuling]
    looks: Mapping[str, GroupLook]
    slips: Collection[int]

    def state(self, group: str, verdicts: Iterable[Row]) -> str:
        """Digest of the present verdicts of a group."""
        ruling = self.rulings.get(group)
        facts = sorted({canonical_json(list(row[1:])).decode() for row in verdicts})
        return _short([facts, ruling.pk if ruling else 0])

    def version(self, group: str, state: str) -> str:
        """Digest of the state and the newest review of the group in any state."""
        look = self.looks.get(group)
        return _short([state, look.pk if look else 0])

    def seen_by(self, group: str, state: str) -> str:
        """Name of the judge who reviewed the group in this state, or ""."""
        look = self.looks.get(group)
        return judge_name(look.by) if look is not None and look.state == state else ""


def get_reviews(turn: Turn, groups: Collection[str] | None = None) -> ReviewSnapshot:
    """Load the reviews of a turn, or of some of its groups, with two queries."""
    rulings = SlipRuling.objects.filter(turn=turn, revoked_at=None).select_related("by")
    looks = GroupLook.objects.filter(turn=turn).select_related("by")
    if groups is not None:
        rulings, looks = rulings.filter(group__in=groups), looks.filter(group__in=groups)
    rows = list(looks.order_by("pk"))
    return ReviewSnapshot(
        rulings={row.group: row for row in rulings.order_by("pk")},
        looks={row.group: row for row in rows if row.slip_id is None},
        slips={row.slip_id for row in rows if row.slip_id is not None},
    )


def newest_review_key(turn: Turn) -> int:
    """Primary key of the newest review of slips of a turn, or 0."""
    return GroupLook.objects.filter(turn=turn).order_by("-pk").values_list("pk", flat=True).first() or 0


def version_of(versions: Iterable[str]) -> str:
    """The version of several groups that one question decides."""
    return _short(sorted(versions))


def states_of(turn: Turn, room: Room, groups: Collection[str] | None, looks: ReviewSnapshot) -> dict[str, str]:
    """State of the verdicts in a room, by group."""
    rows = Verdict.objects.filter(turn=turn, slip__isnull=False, player__in=players_in(turn.game, room))
    if groups is not None:
        rows = rows.filter(group__in=groups)
    verdicts: dict[str, list[Row]] = defaultdict(list)
    for row in rows.values_list(*VERDICT).distinct():
        verdicts[row[0]].append(row)
    return {group: looks.state(group, found) for group, found in verdicts.items()}


def present_version(turn: Turn, room: Room, groups: Collection[str]) -> str:
    """The present version of these groups."""
    looks = get_reviews(turn, groups)
    states = states_of(turn, room, groups, looks)
    return version_of(looks.version(group, state) for group, state in states.items())


@dataclass(frozen=True, slots=True)
class LastDecision:
    """The latest decision on some groups: its judge, a part of a sentence, and a sentence with judge and time."""

    by: User | None
    said: str
    told: str


def last_decided(turn: Turn, groups: Collection[str], word: str = "") -> LastDecision | None:
    """The latest decision on these groups or on their invalid word; None without one."""
    acts: list[tuple[datetime, User | None, str, str, Mapping[str, object]]] = []
    looks = get_reviews(turn, groups)
    by_rule, by_judge = _("the verdict of the rules stands"), _("%(points)d points, because “%(reason)s”")
    for ruling in looks.rulings.values():
        facts = {"points": ruling.points, "reason": ruling.reason}
        if ruling.points is None:
            acts.append((ruling.at, ruling.by, by_rule, "look", {}))
        else:
            acts.append((ruling.at, ruling.by, by_judge % facts, "slip_ruling", facts))
    acts += [(look.at, look.by, by_rule, "look", {}) for look in looks.looks.values()]
    if word:
        words = WordRuling.objects.filter(game=turn.game, from_turn=turn.number, word=word, revoked_at=None)
        for row in words.select_related("by"):
            facts = {"word": row.word, "ruling": str(row.ruling)}
            acts.append((row.at, row.by, _describe_word_ruling(row), "word_ruling", facts))
    if not acts:
        return None
    at, by, said, kind, data = max(acts, key=lambda act: act[0])
    return LastDecision(by, said, act_sentence(kind, name=judge_name(by), at=at, data=data))


def judge_name(user: User | None) -> str:
    """Display name of a judge; "A judge" if the account is deleted."""
    return name_of(user) if user is not None else _("A judge")


def _describe_word_ruling(row: WordRuling) -> str:
    template = _("%(word)s is accepted") if row.ruling == Ruling.ACCEPTED else _("%(word)s is struck")
    return template % {"word": row.word}


def _short(facts: object) -> str:
    return hashlib.sha256(canonical_json(facts)).hexdigest()[:16]
