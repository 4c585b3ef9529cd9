"""Check of the end of an archive: the reason for the end, and the standings."""

from __future__ import annotations

from engine.archive.replay.facts import Facts
from engine.archive.replay.findings import Findings
from engine.archive.replay.racks import DrawState, drawn_racks
from engine.archive.replay.slips import Scores
from engine.archive.replay.turns import ReplayState
from engine.archive.schema import EndEntry, StandingEntry
from engine.draw.reproducible import DrawnRack, GameOver
from engine.standings.game import Standing, standings
from engine.tiles.tiles import MissingTilesError, Tiles


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


def check_end(facts: Facts, state: ReplayState, findings: Findings) -> None:
    """Check the tiles that were left, and that the game had to end or was allowed to."""
    played, most = len(facts.turns), facts.profile.max_turns
    if most is not None:
        findings.require("turns", played <= most, played, f"at most {most}")
    end = facts.archive["end"]
    if end is None:
        return
    findings.compare("end, kept", end["kept"], state.kept.text)
    bag = _final_bag(facts, state)
    if bag is None:
        return
    findings.compare("end, bag", end["bag"], bag.text)
    before = DrawState(played + 1, state.board, state.kept, bag)
    if not _can_end(facts, state, end, before):
        follows = "the same letters are played again" if state.again else _describe_next_step(facts, before)
        findings.compare("end, why", end["why"], follows)


def _final_bag(facts: Facts, state: ReplayState) -> Tiles | None:
    """The bag at the end; None when more lies on the board than there is, which is reported before."""
    try:
        return Tiles.full_bag(facts.edition) - state.board.tiles - state.kept
    except (MissingTilesError, ValueError):
        return None


def _can_end(facts: Facts, state: ReplayState, end: EndEntry, before: DrawState) -> bool:
    if end["why"] == "judge":
        return True
    if end["why"] == "turns":
        return before.turn - 1 == facts.profile.max_turns
    if state.again:
        return False
    if end["why"] == "no_move" and facts.profile.no_legal_move == "end" and facts.key(before.turn) is None:
        return True
    return GameOver(end["why"]) in _list_possible_draws(facts, before)


def _list_possible_draws(facts: Facts, before: DrawState) -> list[DrawnRack | GameOver]:
    """The result of the next draw. For a physical bag any key will do: whether the game is over does not hang on it,
    but for a board on which no rack finds a place, and that shows under any key."""
    return drawn_racks(facts, facts.key(before.turn) or b"", before)


def _describe_next_step(facts: Facts, before: DrawState) -> str:
    """The result by the rules, in words."""
    outcome = _list_possible_draws(facts, before)[-1]
    return f"the game is over ({outcome.why})" if isinstance(outcome, GameOver) else "another rack can be drawn"
