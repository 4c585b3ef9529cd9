"""What judges have looked at, and decided: by whom, and whether it is still what they saw.

A group of slips has a *state*, the verdict as it stands, and a *version*, the state with the newest look at it. A
form of the desk carries the version that its judge saw, so that nobody decides what a colleague has just decided.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from engine.ledger import canonical_json
from tournaments.enums import Ruling
from tournaments.models import GroupLook, Room, SlipRuling, Turn, Verdict, WordRuling, players_in
from tournaments.selectors.staff import name_of

VERDICT = ("group", "result", "reason", "word", "move_score", "decided_by")
"""The columns of verdicts that a state is made of: what a group's players have in common."""

Row = tuple[str, str, str, str, int | None, str]


@dataclass(frozen=True, slots=True)
class Looks:
    """Rulings that stand and looks, of a turn or of some of its groups, by group."""

    rulings: Mapping[str, SlipRuling]
    looks: Mapping[str, GroupLook]
    slips: Collection[int]

    def state(self, group: str, verdicts: Iterable[Row]) -> str:
        """The verdicts of a group as they stand."""
        ruling = self.rulings.get(group)
        facts = sorted({canonical_json(list(row[1:])).decode() for row in verdicts})
        return _short([facts, ruling.pk if ruling else 0])

    def version(self, group: str, state: str) -> str:
        """The state, and the newest look at the group, whatever it saw."""
        look = self.looks.get(group)
        return _short([state, look.pk if look else 0])

    def seen_by(self, group: str, state: str) -> str:
        """The name of who looked at the group as it stands; "" for nobody."""
        look = self.looks.get(group)
        return judge_name(look.by) if look is not None and look.state == state else ""


def looks_at(turn: Turn, groups: Collection[str] | None = None) -> Looks:
    """Two queries, however many groups."""
    rulings = SlipRuling.objects.filter(turn=turn, revoked_at=None).select_related("by")
    looks = GroupLook.objects.filter(turn=turn).select_related("by")
    if groups is not None:
        rulings, looks = rulings.filter(group__in=groups), looks.filter(group__in=groups)
    rows = list(looks.order_by("pk"))
    return Looks(
        rulings={row.group: row for row in rulings.order_by("pk")},
        looks={row.group: row for row in rows if row.slip_id is None},
        slips={row.slip_id for row in rows if row.slip_id is not None},
    )


def newest_look(turn: Turn) -> int:
    """The key of the newest look at slips of a turn, 0 without one."""
    return GroupLook.objects.filter(turn=turn).order_by("-pk").values_list("pk", flat=True).first() or 0


def version_of(versions: Iterable[str]) -> str:
    """The version of several groups that one question decides."""
    return _short(sorted(versions))


def states_of(turn: Turn, room: Room, groups: Collection[str] | None, looks: Looks) -> dict[str, str]:
    """By group the state of its verdicts in a room."""
    rows = Verdict.objects.filter(turn=turn, slip__isnull=False, player__in=players_in(turn.game, room))
    if groups is not None:
        rows = rows.filter(group__in=groups)
    verdicts: dict[str, list[Row]] = defaultdict(list)
    for row in rows.values_list(*VERDICT).distinct():
        verdicts[row[0]].append(row)
    return {group: looks.state(group, found) for group, found in verdicts.items()}


def present_version(turn: Turn, room: Room, groups: Collection[str]) -> str:
    """The version of these groups as it is now."""
    looks = looks_at(turn, groups)
    states = states_of(turn, room, groups, looks)
    return version_of(looks.version(group, state) for group, state in states.items())


@dataclass(frozen=True, slots=True)
class Decided:
    """What was decided last on some groups, and by whom; `said` is a part of a sentence."""

    by: User | None
    said: str


def last_decided(turn: Turn, groups: Collection[str], word: str = "") -> Decided | None:
    """The newest decision on these groups, or on the word that they failed for; None when nobody has decided."""
    acts: list[tuple[datetime, User | None, str]] = []
    looks = looks_at(turn, groups)
    for ruling in looks.rulings.values():
        said = _("%(points)d points, because “%(reason)s”") % {"points": ruling.points, "reason": ruling.reason}
        acts.append((ruling.at, ruling.by, said))
    acts += [(look.at, look.by, _("the verdict of the rules stands")) for look in looks.looks.values()]
    if word:
        words = WordRuling.objects.filter(game=turn.game, from_turn=turn.number, word=word, revoked_at=None)
        acts += [(row.at, row.by, _said_of_word(row)) for row in words.select_related("by")]
    if not acts:
        return None
    _at, by, said = max(acts, key=lambda act: act[0])
    return Decided(by, said)


def judge_name(user: User | None) -> str:
    """What colleagues call a judge; somebody whose account is gone is "a judge"."""
    return name_of(user) if user is not None else _("A judge")


def _said_of_word(row: WordRuling) -> str:
    template = _("%(word)s is accepted") if row.ruling == Ruling.ACCEPTED else _("%(word)s is struck")
    return template % {"word": row.word}


def _short(facts: object) -> str:
    return hashlib.sha256(canonical_json(facts)).hexdigest()[:16]
