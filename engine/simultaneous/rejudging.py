"""Judging the returned archive of a club again: by the script and its word list, without the rulings of the club."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TypedDict, cast

from engine.archive.replay import verify
from engine.archive.replay.facts import Facts
from engine.archive.replay.findings import Findings
from engine.archive.replay.slips import JudgedSlip, Scores, check_verdicts, judge_slips
from engine.archive.schema import Archive, PlayerEntry, SlipEntry, TurnEntry
from engine.board.board import Board
from engine.lexicon.graph import Lexicon
from engine.prepared.script import Script, ScriptTurn
from engine.standings.game import TurnResult
from engine.tiles.tiles import Tiles

MOST_DIFFERENCES = 300


class OtherGame(ValueError):
    """An archive whose first rack is not that of the script: another game was played."""


class DifferenceEntry(TypedDict):
    """Fact of an archive that does not follow from the others, or from the script. Both values are texts."""

    where: str
    stored: str
    derived: str


class SlipDifference(TypedDict):
    """Slip that the club and the hub judged differently, with the reason of each verdict, if any."""

    turn: int
    table: int
    name: str
    written: str
    club_points: int
    club_reason: str
    hub_points: int
    hub_reason: str


class PlayerResult(TypedDict):
    """Result of a player in a game, by the hub's verdicts. `points` of each turn of the script, `found` the turns whose
    top the player found; `out` marks a disqualified player. `club` and `series` are those of the club's own list."""

    game: int
    table: int
    name: str
    licence: str
    club: str
    series: str
    started_at: str
    points: list[int]
    found: list[int]
    out: bool


class GameReport(TypedDict):
    """Archive of a game, judged again. `moves`: for each turn how many wrote which correct move ("WORD 8H 24")."""

    game: int
    differences: list[DifferenceEntry]
    more_differences: int
    slips: list[SlipDifference]
    players: list[PlayerResult]
    moves: list[dict[str, int]]


def rejudge(game: int, script: Script, archive: Archive, *lists: Lexicon) -> GameReport:
    """Judge an archive again. `lists` is the word list of the script.

    Raises `OtherGame` if another game was played, and `ArchiveError` for an archive that this program cannot judge.
    """
    if not archive["turns"] or archive["turns"][0]["rack"] != script["turns"][0]["rack"]:
        raise OtherGame
    differences = [*_compare_with_script(script, archive), *_verify(archive, lists)]
    facts = Facts(_neutral(script, archive), *lists)
    scores = Scores({player["table"]: [] for player in archive["players"]})
    names = {player["table"]: player["name"] for player in archive["players"]}
    slips: list[SlipDifference] = []
    moves: list[dict[str, int]] = []
    for stored, turn in zip(archive["turns"], facts.turns, strict=False):
        judged = _judge_turn(facts, turn, scores)
        slips += _slip_differences(stored, judged, scores, names)
        moves.append(_count_moves(facts, judged))
    return {
        "game": game,
        "differences": differences[:MOST_DIFFERENCES],
        "more_differences": max(0, len(differences) - MOST_DIFFERENCES),
        "slips": slips,
        "players": [_player_result(game, script, archive, player, scores) for player in archive["players"]],
        "moves": moves,
    }


def _verify(archive: Archive, lists: Sequence[Lexicon]) -> list[DifferenceEntry]:
    return [_entry(found.where, found.stored, found.derived) for found in verify(archive, *lists)]


def _compare_with_script(script: Script, archive: Archive) -> list[DifferenceEntry]:
    """Compare what the package gave with what was played: rules, word list, racks, boards and moves."""
    found = [
        _entry(name, archive[name], script[name])
        for name in ("edition", "formula", "rhythm_s", "profile")
        if archive[name] != script[name]
    ]
    if archive["lexicon"]["sha256"] != script["lexicon"]["sha256"]:
        found.append(_entry("lexicon", archive["lexicon"]["name"], script["lexicon"]["name"]))
    found += [
        _entry(f"{kind} words", [ruling["word"] for ruling in archive["lexicon"][kind]], [])
        for kind in ("accepted", "struck")
        if archive["lexicon"][kind] != script["lexicon"][kind]
    ]
    for played, scripted in zip(archive["turns"], script["turns"], strict=False):
        for name in ("rack", "board"):
            if played[name] != scripted[name]:
                found.append(_entry(f"turn {scripted['number']}, {name}", played[name], scripted[name]))
        if _move_text(played) != _move_text(scripted):
            found.append(_entry(f"turn {scripted['number']}, master", _move_text(played), _move_text(scripted)))
    if len(archive["turns"]) != len(script["turns"]) or archive["end"] is None:
        found.append(_entry("turns", len(archive["turns"]), len(script["turns"])))
    return found


def _neutral(script: Script, archive: Archive) -> Archive:
    """Return the archive with the racks, words and rules of the script and without decisions of judges on slips."""
    turns = [
        {**played, **{name: scripted[name] for name in ("kept", "rejected", "rack", "board", "top", "tops", "master")}}
        | {"slips": [_neutral_slip(slip) for slip in played["slips"]]}
        for played, scripted in zip(archive["turns"], script["turns"], strict=False)
    ]
    shared = {name: script[name] for name in ("edition", "tile_set", "formula", "rhythm_s", "profile", "lexicon")}
    if "edition_file" in script:
        shared["edition_file"] = script["edition_file"]
    return cast(Archive, {**archive, **shared, "turns": turns, "end": script["end"]})


def _neutral_slip(slip: SlipEntry) -> SlipEntry:
    neutral = {name: value for name, value in slip.items() if name != "when_placed"}
    return cast(SlipEntry, {**neutral, "decided_by": "rule"})


def _judge_turn(facts: Facts, turn: TurnEntry, scores: Scores) -> list[JudgedSlip]:
    """Judge the slips of a turn; their results join the scores."""
    board, rack = Board.parse(facts.edition, turn["board"]), Tiles.parse(facts.edition, turn["rack"])
    at = facts.position(board, rack, turn["number"])
    judged = judge_slips(facts, turn, at, facts.lexicon(turn["number"]), scores)
    check_verdicts(facts, turn, turn["top"], judged, scores, Findings())
    return judged


def _slip_differences(
    stored: TurnEntry, judged: Sequence[JudgedSlip], scores: Scores, names: Mapping[int, str]
) -> list[SlipDifference]:
    club = {slip["table"]: slip for slip in stored["slips"]}
    found: list[SlipDifference] = []
    for one in judged:
        entry, results = club[one.table], scores.results.get(one.table)
        points = results[-1].points if results else one.verdict.points
        if points == entry["verdict"]["points"]:
            continue
        found.append(
            {
                "turn": stored["number"],
                "table": one.table,
                "name": names.get(one.table, ""),
                "written": " ".join(str(part) for part in (entry["ref"], entry["word"], entry["declared"]) if part),
                "club_points": entry["verdict"]["points"],
                "club_reason": "judge" if entry["decided_by"] == "judge" else entry["verdict"]["reason"] or "",
                "hub_points": points,
                "hub_reason": one.verdict.reason or "",
            }
        )
    return found


def _count_moves(facts: Facts, judged: Sequence[JudgedSlip]) -> dict[str, int]:
    moves = [one.verdict.move for one in judged if one.verdict.points > 0 and one.verdict.move]
    notation = facts.profile.notation
    return dict(
        Counter(f"{move.word_text(facts.edition)} {move.reference_text(notation)} {move.score}" for move in moves)
    )


def _player_result(game: int, script: Script, archive: Archive, player: PlayerEntry, scores: Scores) -> PlayerResult:
    by_turn: dict[int, TurnResult] = {result.turn: result for result in scores.results[player["table"]]}
    found = [
        turn["number"]
        for turn in script["turns"]
        if turn["number"] in by_turn and by_turn[turn["number"]].move_points == turn["top"] > 0
    ]
    return {
        "game": game,
        "table": player["table"],
        "name": player["name"],
        "licence": player.get("licence", ""),
        "club": player["club"] or "",
        "series": player["series"] or "",
        "started_at": archive["turns"][0]["started_at"] or "",
        "points": [by_turn[turn["number"]].points if turn["number"] in by_turn else 0 for turn in script["turns"]],
        "found": found,
        "out": "disqualified_from" in player,
    }


def _move_text(turn: TurnEntry | ScriptTurn) -> str:
    master = turn["master"]
    return f"{master['word']} {master['ref']} {master['score']}" if master else "–"


def _entry(where: str, stored: object, derived: object) -> DifferenceEntry:
    return {"where": where, "stored": _text(stored), "derived": _text(derived)}


def _text(value: object) -> str:
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return text if len(text) <= 200 else f"{text[:197]}..."
