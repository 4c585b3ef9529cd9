"""Kinds of facts on which points depend: as the archive shows them, and as the ledger tells them.

A topic gives both as {place: value}. The first entry of a ledger lists the topics of which the ledger tells everything
(`tells`): these are compared in both directions, so a fact without an entry is a difference as well as an entry
without its fact. A topic that is not listed came into being after the game began and is not compared.

A new kind of fact is one more line in `TOPICS`, beside the act in `engine.replay.told`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from engine.archive import PlayerEntry, SlipEntry, TurnEntry, moment_text, read_moment
from engine.clock import Clock
from engine.ledger import person_seal
from engine.replay.facts import Facts
from engine.replay.findings import Findings
from engine.replay.slips import read_slip
from engine.replay.told import Told
from engine.rules.slip import group_of

Shown = dict[str, Any]
DRAWING_ROOM = 1
DESCRIBED = ("name", "club", "series", "age_class", "country", "team")
"""What the seal of a player covers."""


@dataclass(frozen=True, slots=True)
class Topic:
    """`shown` reads the facts of the archive, `told` those of the ledger, as far as an archive of this room shows them.
    One that is `old` was told by the ledgers of all versions, though not by every entry."""

    name: str
    shown: Callable[[Facts], Shown]
    told: Callable[[Facts, Told], Shown]
    old: bool = False


def check_topics(facts: Facts, told: Told, findings: Findings) -> None:
    """Each fact of the archive against the ledger, and the other way round."""
    for topic in TOPICS:
        complete = topic.name in told.topics
        if complete or topic.old:
            shown, expected = topic.shown(facts), topic.told(facts, told)
            for where in dict.fromkeys((*shown, *expected) if complete else expected):
                findings.compare(f"ledger, {where}", shown.get(where), expected.get(where))


def seal_of(player: PlayerEntry) -> str | None:
    """The seal of a player as the archive shows the player; None without the salt."""
    salt = player.get("salt")
    return None if salt is None else person_seal(salt, [str(player.get(name) or "") for name in DESCRIBED])


def _rules_shown(facts: Facts) -> Shown:
    archive = facts.archive
    head: Shown = {name: archive[name] for name in ("edition", "formula", "rhythm_s")}
    head |= {"lexicon": archive["lexicon"]["sha256"], "draw": archive["draw"]["mode"]}
    return head | {f"profile, {name}": _plain(value) for name, value in archive["profile"].items()}


def _rules_told(facts: Facts, told: Told) -> Shown:
    rest = {name: value for name, value in told.rules.items() if name != "switches"}
    return rest | {f"profile, {name}": _plain(value) for name, value in told.rules["switches"].items()}


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def _places_shown(facts: Facts) -> Shown:
    return {
        f"players, table {player['table']}": [
            player.get(name) for name in ("first_turn", "last_turn", "disqualified_from")
        ]
        for player in facts.archive["players"]
    }


def _places_told(facts: Facts, told: Told) -> Shown:
    return {
        f"players, table {table}": [one.get(name) for name in ("first", "last", "disqualified")]
        for table, one in _here(facts, told)
    }


def _names_shown(facts: Facts) -> Shown:
    return {f"players, table {one['table']}, name": seal_of(one) for one in facts.archive["players"]}


def _names_told(facts: Facts, told: Told) -> Shown:
    if not facts.has_salts:
        return _names_shown(facts)  # an archive with nicknames, or of another program
    return {f"players, table {table}, name": one.get("seal") for table, one in _here(facts, told)}


def _here(facts: Facts, told: Told) -> Iterator[tuple[int, dict[str, Any]]]:
    """The players of the archive's room."""
    room = _room(facts)
    return ((table, one) for table, one in sorted(told.people.items()) if one.get("room") == room)


def _room(facts: Facts) -> int:
    return facts.archive.get("room_number", DRAWING_ROOM)


def _words_shown(facts: Facts) -> Shown:
    lexicon = facts.archive["lexicon"]
    rows = [(row, "accepted") for row in lexicon["accepted"]] + [(row, "struck") for row in lexicon["struck"]]
    return dict(Counter(_word(row["word"], row["from_turn"], row.get("ruled_in"), ruling) for row, ruling in rows))


def _words_told(facts: Facts, told: Told) -> Shown:
    return {_word(*key, ruling): 1 for key, ruling in told.words.items()}


def _word(word: str, first: int, ruled_in: int | None, ruling: str) -> str:
    return f"{word} {ruling} from turn {first}" + ("" if ruled_in is None else f", ruled in turn {ruled_in}")


def _decisions_shown(facts: Facts) -> Shown:
    """Of each slip on which a judge decided the points, and those that counted when the move was placed."""
    shown: Shown = {}
    for where, _turn, slip in _judged(facts):
        by_judge, late = slip["decided_by"] == "judge", "when_placed" in slip
        if by_judge or (late and slip["source"] is not None):
            before = {"when_placed": slip["when_placed"]} if late else {}
            shown[f"{where}, decision"] = _decision(slip["verdict"]["points"] if by_judge else None) | before
    return shown


def _decisions_told(facts: Facts, told: Told) -> Shown:
    expected: Shown = {}
    for where, turn, slip in _judged(facts) if told.decisions or told.again else ():
        if slip["source"] is None:
            continue
        key = turn["number"], group_of(read_slip(facts, turn, slip))
        before = told.decisions.get(key)
        if key in told.again:
            expected[f"{where}, decision"] = _decision(told.again[key]) | {"when_placed": before}
        elif before is not None:
            expected[f"{where}, decision"] = _decision(before)
    return expected


def _decision(points: int | None) -> Shown:
    return {"points": "by the rule" if points is None else points}


def _warnings_shown(facts: Facts) -> Shown:
    return {f"{where}, warnings": sorted(slip["given"]) for where, _turn, slip in _judged(facts) if slip.get("given")}


def _warnings_told(facts: Facts, told: Told) -> Shown:
    """Of players who have a slip in the turn: others have been taken out of the game."""
    given: dict[tuple[int, int], list[str]] = {}
    for turn, table, code in told.warnings:
        given.setdefault((turn, table), []).append(code)
    here = {(turn["number"], slip["table"]): where for where, turn, slip in _judged(facts)} if given else {}
    return {f"{here[at]}, warnings": sorted(codes) for at, codes in given.items() if at in here}


def _judged(facts: Facts) -> Iterator[tuple[str, TurnEntry, SlipEntry]]:
    for turn in facts.turns:
        for slip in turn["slips"]:
            yield f"turn {turn['number']}, table {slip['table']}", turn, slip


def _clocks_shown(facts: Facts) -> Shown:
    return {
        f"turn {turn['number']}, clock": [*(_moment(turn[name]) for name in _TIMES), turn["grace_ms"]]  # type: ignore[literal-required]
        for turn in facts.turns
        if turn["started_at"] is not None
    }


_TIMES = ("started_at", "deadline", "closed_at")


def _clocks_told(facts: Facts, told: Told) -> Shown:
    room = _room(facts)
    return {f"turn {turn}, clock": _times(clock) for (turn, where), clock in told.clocks.items() if where == room}


def _times(clock: Clock) -> list[object]:
    times = (clock.started_at, clock.deadline, clock.closed_at)
    return [*(None if time is None else moment_text(time) for time in times), clock.grace_ms]


def _moment(text: str | None) -> str | None:
    return None if text is None else moment_text(read_moment(text))


def _script_shown(facts: Facts) -> Shown:
    shown: Shown = {}
    for turn in facts.turns:
        where, master = f"turn {turn['number']}", turn["master"]
        shown[f"{where}, racks"] = [turn["kept"], turn["rejected"], turn["rack"]]
        if master is not None:
            shown[f"{where}, master"] = [master["word"], master["ref"], master["score"], master["chosen_by"]]
    return shown


def _script_told(facts: Facts, told: Told) -> Shown:
    racks = {f"turn {turn}, racks": drawn for turn, drawn in told.racks.items()}
    return racks | {f"turn {turn}, master": placed for turn, placed in told.masters.items() if placed[0]}


def _end_shown(facts: Facts) -> Shown:
    end = facts.archive["end"]
    return {} if end is None else {"end": [end["why"], end["kept"], end["bag"]]}


def _end_told(facts: Facts, told: Told) -> Shown:
    """A room that follows reaches the end later than the drawing room."""
    waits = facts.follows and facts.archive["end"] is None
    return {} if told.end is None or waits else {"end": told.end}


def _checked_elsewhere(*_given: object) -> Shown:
    return {}


TOPICS = (
    Topic("rules", _rules_shown, _rules_told),
    Topic("players", _places_shown, _places_told),
    Topic("names", _names_shown, _names_told),
    Topic("words", _words_shown, _words_told),
    Topic("clocks", _clocks_shown, _clocks_told),
    Topic("script", _script_shown, _script_told, old=True),
    Topic("slips", _checked_elsewhere, _checked_elsewhere),
    Topic("warnings", _warnings_shown, _warnings_told),
    Topic("decisions", _decisions_shown, _decisions_told),
    Topic("end", _end_shown, _end_told),
)
"""`slips` are sealed by their digests: `engine.replay.ledger` compares them."""

TELLS = [topic.name for topic in TOPICS]
"""For the first entry of a game's ledger."""
