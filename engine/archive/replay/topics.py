"""Kinds of facts on which points depend: as the archive shows them, and as the ledger tells them.

A topic gives both as {place: value}. The first entry of a ledger lists the topics of which the ledger tells everything
(`tells`): these are compared in both directions, so a fact without an entry is a difference as well as an entry
without its fact. A topic that is not listed came into being after the game began and is not compared.

A new kind of fact is one more line in `TOPICS`, beside the act in `engine.archive.replay.ledger_facts`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from engine.archive.ledger import person_seal
from engine.archive.replay.facts import Facts
from engine.archive.replay.findings import Findings
from engine.archive.replay.ledger_facts import LedgerFacts
from engine.archive.replay.slips import read_slip
from engine.archive.schema import PlayerEntry, SlipEntry, TurnEntry, format_timestamp, read_timestamp
from engine.play.clock import Clock
from engine.slips.slip import slip_group_key

TopicFacts = dict[str, Any]
DRAWING_ROOM = 1
SEALED_PLAYER_FIELDS = ("name", "club", "series", "age_class", "country", "team")
"""The fields that the seal of every player covers."""
ADDED_PLAYER_FIELDS = ("surname", "licence")
"""The fields that it covers too where at least one of them is known."""


@dataclass(frozen=True, slots=True)
class Topic:
    """`shown` reads the facts of the archive, `recorded` those of the ledger, as far as an archive of this room shows
    them. One that is `old` was recorded by the ledgers of all versions, though not by every entry."""

    name: str
    shown: Callable[[Facts], TopicFacts]
    recorded: Callable[[Facts, LedgerFacts], TopicFacts]
    old: bool = False


def check_topics(facts: Facts, recorded: LedgerFacts, findings: Findings) -> None:
    """Each fact of the archive against the ledger, and the other way round."""
    for topic in TOPICS:
        complete = topic.name in recorded.topics
        if complete or topic.old:
            shown, expected = topic.shown(facts), topic.recorded(facts, recorded)
            for where in dict.fromkeys((*shown, *expected) if complete else expected):
                findings.compare(f"ledger, {where}", shown.get(where), expected.get(where))


def player_seal(player: PlayerEntry) -> str | None:
    """The seal of a player as the archive shows the player; None without the salt."""
    salt = player.get("salt")
    return None if salt is None else person_seal(salt, list_sealed_texts(player))


def list_sealed_texts(player: Mapping[str, object]) -> list[str]:
    """The texts that the seal of a player covers, in their order."""
    added = [str(player.get(name) or "") for name in ADDED_PLAYER_FIELDS]
    return [str(player.get(name) or "") for name in SEALED_PLAYER_FIELDS] + (added if any(added) else [])


def _rules_in_archive(facts: Facts) -> TopicFacts:
    archive = facts.archive
    head: TopicFacts = {name: archive[name] for name in ("edition", "formula", "rhythm_s")}
    head |= {"lexicon": archive["lexicon"]["sha256"], "draw": archive["draw"]["mode"]}
    return head | {f"profile, {name}": _plain(value) for name, value in archive["profile"].items()}


def _rules_in_ledger(facts: Facts, recorded: LedgerFacts) -> TopicFacts:
    rest = {name: value for name, value in recorded.rules.items() if name != "switches"}
    return rest | {f"profile, {name}": _plain(value) for name, value in recorded.rules["switches"].items()}


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def _places_in_archive(facts: Facts) -> TopicFacts:
    return {
        f"players, table {player['table']}": [
            player.get(name) for name in ("first_turn", "last_turn", "disqualified_from")
        ]
        for player in facts.archive["players"]
    }


def _places_in_ledger(facts: Facts, recorded: LedgerFacts) -> TopicFacts:
    return {
        f"players, table {table}": [one.get(name) for name in ("first", "last", "disqualified")]
        for table, one in _local_players(facts, recorded)
    }


def _names_in_archive(facts: Facts) -> TopicFacts:
    return {f"players, table {one['table']}, name": player_seal(one) for one in facts.archive["players"]}


def _names_in_ledger(facts: Facts, recorded: LedgerFacts) -> TopicFacts:
    if not facts.has_salts:
        return _names_in_archive(facts)  # an archive with nicknames, or of another program
    return {f"players, table {table}, name": one.get("seal") for table, one in _local_players(facts, recorded)}


def _local_players(facts: Facts, recorded: LedgerFacts) -> Iterator[tuple[int, dict[str, Any]]]:
    """The players of the archive's room."""
    room = _room(facts)
    return ((table, one) for table, one in sorted(recorded.people.items()) if one.get("room") == room)


def _room(facts: Facts) -> int:
    return facts.archive.get("room_number", DRAWING_ROOM)


def _words_in_archive(facts: Facts) -> TopicFacts:
    lexicon = facts.archive["lexicon"]
    rows = [(row, "accepted") for row in lexicon["accepted"]] + [(row, "struck") for row in lexicon["struck"]]
    return dict(
        Counter(_describe_ruling(row["word"], row["from_turn"], row.get("ruled_in"), ruling) for row, ruling in rows)
    )


def _words_in_ledger(facts: Facts, recorded: LedgerFacts) -> TopicFacts:
    return {_describe_ruling(*key, ruling): 1 for key, ruling in recorded.words.items()}


def _describe_ruling(word: str, first: int, ruled_in: int | None, ruling: str) -> str:
    return f"{word} {ruling} from turn {first}" + ("" if ruled_in is None else f", ruled in turn {ruled_in}")


def _decisions_in_archive(facts: Facts) -> TopicFacts:
    """Of each slip on which a judge decided the points, and those that counted when the move was placed."""
    shown: TopicFacts = {}
    for where, _turn, slip in _judged(facts):
        by_judge, late = slip["decided_by"] == "judge", "when_placed" in slip
        if by_judge or (late and slip["source"] is not None):
            before = {"when_placed": slip["when_placed"]} if late else {}
            shown[f"{where}, decision"] = _decision(slip["verdict"]["points"] if by_judge else None) | before
    return shown


def _decisions_in_ledger(facts: Facts, recorded: LedgerFacts) -> TopicFacts:
    expected: TopicFacts = {}
    for where, turn, slip in _judged(facts) if recorded.decisions or recorded.again else ():
        if slip["source"] is None:
            continue
        key = turn["number"], slip_group_key(read_slip(facts, turn, slip))
        before = recorded.decisions.get(key)
        if key in recorded.again:
            expected[f"{where}, decision"] = _decision(recorded.again[key]) | {"when_placed": before}
        elif before is not None:
            expected[f"{where}, decision"] = _decision(before)
    return expected


def _decision(points: int | None) -> TopicFacts:
    return {"points": "by the rule" if points is None else points}


def _warnings_in_archive(facts: Facts) -> TopicFacts:
    return {f"{where}, warnings": sorted(slip["given"]) for where, _turn, slip in _judged(facts) if slip.get("given")}


def _warnings_in_ledger(facts: Facts, recorded: LedgerFacts) -> TopicFacts:
    """Of players who have a slip in the turn: others have been taken out of the game."""
    given: dict[tuple[int, int], list[str]] = {}
    for turn, table, code in recorded.warnings:
        given.setdefault((turn, table), []).append(code)
    here = {(turn["number"], slip["table"]): where for where, turn, slip in _judged(facts)} if given else {}
    return {f"{here[at]}, warnings": sorted(codes) for at, codes in given.items() if at in here}


def _judged(facts: Facts) -> Iterator[tuple[str, TurnEntry, SlipEntry]]:
    for turn in facts.turns:
        for slip in turn["slips"]:
            yield f"turn {turn['number']}, table {slip['table']}", turn, slip


def _clocks_in_archive(facts: Facts) -> TopicFacts:
    return {
        f"turn {turn['number']}, clock": [*(_normalise_time(turn[name]) for name in _TIMES), turn["grace_ms"]]  # type: ignore[literal-required]
        for turn in facts.turns
        if turn["started_at"] is not None
    }


_TIMES = ("started_at", "deadline", "closed_at")


def _clocks_in_ledger(facts: Facts, recorded: LedgerFacts) -> TopicFacts:
    room = _room(facts)
    return {f"turn {turn}, clock": _times(clock) for (turn, where), clock in recorded.clocks.items() if where == room}


def _times(clock: Clock) -> list[object]:
    times = (clock.started_at, clock.deadline, clock.closed_at)
    return [*(None if time is None else format_timestamp(time) for time in times), clock.grace_ms]


def _normalise_time(text: str | None) -> str | None:
    return None if text is None else format_timestamp(read_timestamp(text))


def _script_in_archive(facts: Facts) -> TopicFacts:
    shown: TopicFacts = {}
    for turn in facts.turns:
        where, master = f"turn {turn['number']}", turn["master"]
        shown[f"{where}, racks"] = [turn["kept"], turn["rejected"], turn["rack"]]
        if master is not None:
            shown[f"{where}, master"] = [master["word"], master["ref"], master["score"], master["chosen_by"]]
    return shown


def _script_in_ledger(facts: Facts, recorded: LedgerFacts) -> TopicFacts:
    racks = {f"turn {turn}, racks": drawn for turn, drawn in recorded.racks.items()}
    return racks | {f"turn {turn}, master": placed for turn, placed in recorded.masters.items() if placed[0]}


def _end_in_archive(facts: Facts) -> TopicFacts:
    end = facts.archive["end"]
    return {} if end is None else {"end": [end["why"], end["kept"], end["bag"]]}


def _end_in_ledger(facts: Facts, recorded: LedgerFacts) -> TopicFacts:
    """A room that follows reaches the end later than the drawing room."""
    waits = facts.follows and facts.archive["end"] is None
    return {} if recorded.end is None or waits else {"end": recorded.end}


def _no_facts(*_given: object) -> TopicFacts:
    return {}


TOPICS = (
    Topic("rules", _rules_in_archive, _rules_in_ledger),
    Topic("players", _places_in_archive, _places_in_ledger),
    Topic("names", _names_in_archive, _names_in_ledger),
    Topic("words", _words_in_archive, _words_in_ledger),
    Topic("clocks", _clocks_in_archive, _clocks_in_ledger),
    Topic("script", _script_in_archive, _script_in_ledger, old=True),
    Topic("slips", _no_facts, _no_facts),
    Topic("warnings", _warnings_in_archive, _warnings_in_ledger),
    Topic("decisions", _decisions_in_archive, _decisions_in_ledger),
    Topic("end", _end_in_archive, _end_in_ledger),
)
"""`slips` are sealed by their digests: `engine.archive.replay.ledger` compares them."""

TOPIC_NAMES = [topic.name for topic in TOPICS]
"""For the first entry of a game's ledger."""
