"""Conversion of a saved game of Eliot to an archive; every rack and move is replayed and compared with the file.

The archive lacks what Eliot does not save: times, racks that were put back, reasons for zero points and for warnings.
Slips have the points given by Eliot; the tops are the best moves in the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from engine.archive.schema import Archive, check_archive, edition_entries
from engine.board.board import Board
from engine.board.coordinates import Notation, UnreadableReference, parse_reference
from engine.board.move import Move
from engine.interchange.eliot_file import EliotError, EliotGame, EliotMove, EliotPlayer, EliotTurn, read_eliot
from engine.judging.placement import Fault, Position, place_word
from engine.play.turn import TurnOutcome, apply_master_move
from engine.rules.profile import Profile, load_profile
from engine.standings.game import TurnResult, standings
from engine.tiles.edition import Edition, UnknownLetter, edition_codes, load_edition
from engine.tiles.tiles import Tiles
from engine.variants.variant import Variant, load_variant, unseen_tiles

PROFILE, DEFAULT_EDITION = "fisf", "fr"
TURN_SECONDS = 180


class _AllWordsValid:
    """Word list that accepts every word, because the words of a played game were valid then."""

    def __contains__(self, word: object) -> bool:
        return True


def eliot_archive(content: bytes, *, edition: str | None = None) -> Archive:
    """Convert a saved game to an archive; `EliotError` names the first turn that cannot be replayed.

    `edition`: code of the tile set. Without it, the first edition is taken that has the letters of the file and gives
    every move the score of the file; the French one is tried first.
    """
    game = read_eliot(content)
    fitting = [load_edition(edition)] if edition else _matching_editions(game)
    first: EliotError | None = None
    for tiles in fitting:
        try:
            return check_archive(_archive(game, tiles))
        except EliotError as error:
            first = first or error
    raise first or EliotError(
        f"No edition here has the letters of this game ({' '.join(game.letters)[:80]}): name the edition."
    )


def _matching_editions(game: EliotGame) -> list[Edition]:
    """Return the editions with the letters of the file; all editions if the file lists no letters."""
    known = [load_edition(code) for code in sorted(edition_codes(), key=lambda code: (code != DEFAULT_EDITION, code))]
    return [each for each in known if not game.letters or set(each.letters) == set(game.letters)]


def _archive(game: EliotGame, edition: Edition) -> dict[str, Any]:
    variant = load_variant(game.variant)
    rules = variant.apply_to(load_profile(PROFILE).with_switches(notation=Notation.LETTER_FIRST.value))
    replaying = _EliotReplay(game, edition, rules, variant, _tables(game.players))
    turns, end = replaying.turns()
    tops = [turn["top"] for turn in turns]
    return {
        "format": "duplicate-game",
        "version": 1,
        "event": {"name": " ".join(part for part in ("Eliot", game.dictionary) if part), "date": "", "place": None},
        "room": None,
        **edition_entries(edition),
        "formula": variant.code,
        "rhythm_s": TURN_SECONDS,
        "across": rules.notation.value,
        "profile": rules.switches(),
        "lexicon": {
            "name": game.dictionary or "Eliot",
            "words": max(0, game.words),
            "sha256": "0" * 64,
            "accepted": [],
            "struck": [],
        },
        "draw": {"mode": "typed", "commitment": "", "seed": None, "hall_word": None},
        "players": replaying.players(),
        "turns": turns,
        "end": {"why": "judge", "kept": end.kept.text, "bag": end.bag.text},
        "standings": [line.as_json() for line in standings(_results(turns, replaying.tables), tops, rules)],
        "ledger": {"entries": [], "head": ""},
    }


def _tables(players: Sequence[EliotPlayer]) -> dict[str, int]:
    """Return the table of each player by key: the one in the file, or the next free one if it is missing or taken."""
    taken: dict[str, int] = {}
    for player in players:
        if player.table is not None and player.table > 0 and player.table not in taken.values():
            taken[player.key] = player.table
    free = (table for table in range(1, 2 * len(players) + 1) if table not in taken.values())
    return {player.key: taken[player.key] if player.key in taken else next(free) for player in players}


@dataclass(frozen=True, slots=True)
class _EliotReplay:
    """Replay of a saved game with the tiles of an edition; `tables` by key of the player."""

    game: EliotGame
    edition: Edition
    rules: Profile
    variant: Variant
    tables: Mapping[str, int]

    def players(self) -> list[dict[str, Any]]:
        """Return the players of the archive; a player without a name is named after their table."""
        return [
            {"table": table, "name": player.name or str(table), "club": None, "series": None}
            for player in self.game.players
            for table in [self.tables[player.key]]
        ]

    def turns(self) -> tuple[list[dict[str, Any]], TurnOutcome]:
        """Return the turns up to the last one with a move on the board, and the outcome of that turn."""
        played = list(self.game.turns)
        while played and (played[-1].game_move is None or played[-1].game_move.kind == "none"):
            played.pop()
        if not played:
            raise EliotError("This game has no turns: nothing was played.")
        left = TurnOutcome(Board.empty(self.edition), Tiles.none(self.edition))
        turns = []
        for number, turn in enumerate(played, 1):
            rack = self._rack(turn, number, left)
            move = self._move(turn.game_move, number, left.board, rack)
            turns.append(self._entry(turn, number, rack, move, left))
            left = apply_master_move(left.board, rack, move, self.rules, self.variant)
        return turns, left

    def _rack(self, turn: EliotTurn, number: int, left: TurnOutcome) -> Tiles:
        """Return the rack that was played; its tiles must be available and include the leave.

        In variants with one blank, the file lists the blank among the kept tiles.
        """
        if not turn.racks:
            raise EliotError(f"Turn {number}: the file has no rack for it.")
        written = turn.racks[-1]
        kept, plus, new = written.removeprefix("-").partition("+")
        try:
            rack, stays = self._tiles(kept + new), self._tiles(kept)
        except UnknownLetter as error:
            sign = error.sign[:10]
            raise EliotError(f"Turn {number}: no tile of the edition shows {sign!r} of {written[:20]}.") from None
        if not rack or not unseen_tiles(left.board, Tiles.none(self.edition)).holds(rack):
            raise EliotError(f"Turn {number}: the rack {written[:20]} cannot be drawn from what is left.")
        if plus and not self.variant.one_blank and stays != left.kept:
            found, due = kept or "nothing", left.kept.text or "nothing"
            raise EliotError(f"Turn {number}: {found} was kept by the file, {due} by the move before.")
        return rack

    def _move(self, written: EliotMove | None, number: int, board: Board, rack: Tiles) -> Move:
        """Return the move on the board; it must be legal and have the score of the file."""
        if written is None or written.kind != "valid":
            raise EliotError(f"Turn {number}: nothing went on the board in it, so the game cannot be played again.")
        shown = f"{written.word} {written.coord} {written.points}"
        try:
            reference = parse_reference(written.coord, self.rules.notation)
            word = self.edition.parse_word(self._in_brackets(written.word))
        except (UnreadableReference, UnknownLetter):
            raise EliotError(f"Turn {number}: {shown} cannot be read.") from None
        at = Position(board, rack, number, self.variant.stock(board, rack), self.variant.most_laid(self.rules))
        laid = place_word(word, reference, at, self.rules, _AllWordsValid())
        if isinstance(laid, Fault):
            raise EliotError(f"Turn {number}: {shown} cannot be laid with {rack.text} ({laid.reason}).")
        if laid.move.score != written.points:
            raise EliotError(f"Turn {number}: {shown} is worth {laid.move.score} with the tiles of this edition.")
        return laid.move

    def _entry(self, turn: EliotTurn, number: int, rack: Tiles, move: Move, left: TurnOutcome) -> dict[str, Any]:
        """Return a turn in the form of the archive; the times are null."""
        ref = move.reference_text(self.rules.notation)
        master = {"word": move.word_text(self.edition), "ref": ref, "score": move.score}
        best = max([move.score, *(each.points for each in turn.moves.values() if each.kind == "valid")])
        solo = [self.tables[key] for key in turn.solos if key in self.tables]
        by_table = sorted(self.tables.items(), key=lambda item: item[1])
        return {
            "number": number,
            "kept": left.kept.text,
            "rejected": list(self._rejected(turn)),
            "rack": rack.text,
            "board": list(left.board.rows),
            **dict.fromkeys(("started_at", "deadline", "closed_at")),
            "grace_ms": 0,
            "top": best,
            "tops": [master] if best == move.score else [],
            "master": {**master, "chosen_by": "engine" if best == move.score else "judge", "why": None},
            "slips": [_slip(turn, key, table) for key, table in by_table],
            "solo": solo[0] if len(solo) == 1 else None,
        }

    def _rejected(self, turn: EliotTurn) -> Iterator[str]:
        """Yield the rejected racks of the turn: those that are followed by an entirely new one."""
        for before, after in pairwise(turn.racks):
            if after.startswith("-"):
                yield self._tiles(before.removeprefix("-").replace("+", "")).text

    def _tiles(self, text: str) -> Tiles:
        return Tiles.parse(self.edition, self._in_brackets(text))

    def _in_brackets(self, text: str) -> str:
        """Put the tiles of several letters in brackets; Eliot writes them without."""
        long = sorted((letter for letter in self.game.letters if len(letter) > 1), key=len, reverse=True)
        return "".join(_cut(text, long))


def _cut(text: str, long: Sequence[str]) -> Iterator[str]:
    at = 0
    while at < len(text):
        found = next((face for face in long if text[at : at + len(face)].upper() == face), "")
        yield f"[{text[at : at + len(found)]}]" if found else text[at]
        at += len(found) or 1


def _slip(turn: EliotTurn, key: str, table: int) -> dict[str, Any]:
    """Return the slip of a player with the points given by Eliot."""
    move = turn.moves.get(key, EliotMove("none", 0))
    is_written = move.kind in ("valid", "invalid")
    points, bonus = (move.points if move.kind == "valid" else 0), turn.solos.get(key, 0)
    penalty = min(turn.penalties.get(key, 0), points + bonus)
    reason = None if move.kind == "valid" else "judge" if is_written else "no_slip"
    return {
        "table": table,
        "source": "paper" if is_written else None,
        "received_at": None,
        "in_time": is_written,
        "word": move.word,
        "ref": move.coord,
        "direction": None,
        "hook": "",
        "declared": move.points if move.kind == "valid" else None,
        "verdict": {
            "result": "zero" if reason else "valid",
            "reason": reason,
            "points": points + bonus - penalty,
            "move_score": None if reason else points,
            "warnings": ["discipline"] * turn.warnings.get(key, 0),
            "penalty": penalty,
            "bonus": bonus,
            "word": None,
            "rule": None,
            "text": "",
        },
        "decided_by": "judge" if reason == "judge" else "rule",
        "reason": None,
    }


def _results(turns: Sequence[Mapping[str, Any]], tables: Mapping[str, int]) -> dict[int, list[TurnResult]]:
    results: dict[int, list[TurnResult]] = {table: [] for table in tables.values()}
    for turn in turns:
        for slip in turn["slips"]:
            verdict, is_solo = slip["verdict"], turn["solo"] == slip["table"]
            result = TurnResult(
                turn["number"],
                verdict["points"],
                len(verdict["warnings"]),
                verdict["penalty"],
                is_solo,
                verdict["bonus"],
            )
            results[slip["table"]].append(result)
    return results
