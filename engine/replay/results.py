"""What stands at the end of an archive: why the game is over, and who won."""

from __future__ import annotations

from engine.archive import EndEntry, StandingEntry
from engine.draw import Drawn, Ended
from engine.replay.facts import Facts
from engine.replay.findings import Findings
from engine.replay.racks import Before, drawn_racks
from engine.replay.slips import Scores
from engine.replay.turns import State
from engine.standings import Standing, standings
from engine.tiles import NotThere, Tiles


def check_standings(facts: Facts, scores: Scores, findings: Findings) -> None:
    """Every line of the standings, and their order."""
    derived = [line.as_json() for line in _standings(facts, scores)]
    stored = facts.archive["standings"]
    tables = [line["table"] for line in stored]
    findings.compare("standings, order of the tables", tables, [line["table"] for line in derived])
    by_table: dict[int, StandingEntry] = {line["table"]: line for line in stored}
    for line in derived:
        found = dict(by_table.get(int(line["table"] or 0), {}))
        for name, value in line.items():
            if found:
                findings.compare(f"standings, table {line['table']}, {name}", found[name], value)


def _standings(facts: Facts, scores: Scores) -> list[Standing]:
    return standings(scores.results, scores.tops, facts.profile, facts.disqualified_from.keys())


def check_end(facts: Facts, state: State, findings: Findings) -> None:
    """What was left, and whether the game had to end, or was allowed to."""
    played, most = len(facts.turns), facts.profile.max_turns
    if most is not None:
        findings.demand("turns", played <= most, played, f"at most {most}")
    end = facts.archive["end"]
    if end is None:
        return
    findings.compare("end, kept", end["kept"], state.kept.text)
    bag = _bag(facts, state)
    if bag is None:
        return
    findings.compare("end, bag", end["bag"], bag.text)
    before = Before(played + 1, state.board, state.kept, bag)
    if not _may_end(facts, state, end, before):
        follows = "the same letters are played again" if state.again else _what_follows(facts, before)
        findings.compare("end, why", end["why"], follows)


def _bag(facts: Facts, state: State) -> Tiles | None:
    """What is in the bag at the end; None when more lies on the board than there is, which is reported before."""
    try:
        return Tiles.full_bag(facts.edition) - state.board.tiles - state.kept
    except (NotThere, ValueError):
        return None


def _may_end(facts: Facts, state: State, end: EndEntry, before: Before) -> bool:
    if end["why"] == "judge":
        return True
    if end["why"] == "turns":
        return before.turn - 1 == facts.profile.max_turns
    if state.again:
        return False
    if end["why"] == "no_move" and facts.profile.no_legal_move == "end" and facts.key(before.turn) is None:
        return True
    return Ended(end["why"]) in _outcomes(facts, before)


def _outcomes(facts: Facts, before: Before) -> list[Drawn | Ended]:
    """What the next draw gives. For a physical bag any key will do: whether the game is over does not hang on it, but
    for a board on which no rack finds a place, and that shows under any key."""
    return drawn_racks(facts, facts.key(before.turn) or b"", before)


def _what_follows(facts: Facts, before: Before) -> str:
    """What the rules say instead, in words."""
    outcome = _outcomes(facts, before)[-1]
    return f"the game is over ({outcome.why})" if isinstance(outcome, Ended) else "another rack can be drawn"
