"""A saved game of Eliot as an archive: every rack and every move is played again, and held against the file.

What Eliot does not write cannot be there: times, the racks that were put back, why a slip was worth nothing, what a
warning was for. Slips have the points that Eliot gave; the tops are the best that the file knows of.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from engine.archive import Archive, check_archive, edition_entries
from engine.board import Board
from engine.coords import Notation, UnreadableReference, parse_reference
from engine.edition import Edition, UnknownLetter, edition_codes, load_edition
from engine.eliot_file import EliotError, EliotGame, EliotMove, EliotPlayer, EliotTurn, read_eliot
from engine.formulas import Formula, left_besides, load_formula
from engine.move import Move
from engine.rules.place import Fault, Position, lay
from engine.rules.profile import Profile, load_profile
from engine.standings import TurnResult, standings
from engine.tiles import Tiles
from engine.turn import After, after_turn

PROFILE, LIKELIEST = "fisf", "fr"
RHYTHM_S = 180


class _EveryWord:
    """What was played before was valid then."""

    def __contains__(self, word: object) -> bool:
        return True


def eliot_archive(content: bytes, *, edition: str | None = None) -> Archive:
    """The archive of a saved game; `EliotError` names the first turn that cannot be played again.

    `edition` is the code of the tile set; without it the first one with the letters of the file by which every move is
    worth what the file says, the French one before all others.
    """
    game = read_eliot(content)
    fitting = [load_edition(edition)] if edition else _fitting(game)
    first: EliotError | None = None
    for tiles in fitting:
        try:
            return check_archive(_archive(game, tiles))
        except EliotError as error:
            first = first or error
    raise first or EliotError(
        f"No edition here has the letters of this game ({' '.join(game.letters)[:80]}): name the edition."
    )


def _fitting(game: EliotGame) -> list[Edition]:
    """The editions with these letters; all of them in a file that does not tell any."""
    known = [load_edition(code) for code in sorted(edition_codes(), key=lambda code: (code != LIKELIEST, code))]
    return [each for each in known if not game.letters or set(each.letters) == set(game.letters)]


def _archive(game: EliotGame, edition: Edition) -> dict[str, Any]:
    formula = load_formula(game.formula)
    rules = formula.applied_to(load_profile(PROFILE).with_switches(notation=Notation.LETTER_FIRST.value))
    replaying = _Replaying(game, edition, rules, formula, _tables(game.players))
    turns, end = replaying.turns()
    tops = [turn["top"] for turn in turns]
    return {
        "format": "duplicate-game",
        "version": 1,
        "event": {"name": " ".join(part for part in ("Eliot", game.dictionary) if part), "date": "", "place": None},
        "room": None,
        **edition_entries(edition),
        "formula": formula.code,
        "rhythm_s": RHYTHM_S,
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
    """The table of each player by his key: the one that is written, else, or where two have it, the next free one."""
    taken: dict[str, int] = {}
    for player in players:
        if player.table is not None and player.table > 0 and player.table not in taken.values():
            taken[player.key] = player.table
    free = (table for table in range(1, 2 * len(players) + 1) if table not in taken.values())
    return {player.key: taken[player.key] if player.key in taken else next(free) for player in players}


@dataclass(frozen=True, slots=True)
class _Replaying:
    """A saved game that is played again with the tiles of an edition; `tables` by the keys of its players."""

    game: EliotGame
    edition: Edition
    rules: Profile
    formula: Formula
    tables: Mapping[str, int]

    def players(self) -> list[dict[str, Any]]:
        """Everybody with his table; who has no name is called by it."""
        return [
            {"table": table, "name": player.name or str(table), "club": None, "series": None}
            for player in self.game.players
            for table in [self.tables[player.key]]
        ]

    def turns(self) -> tuple[list[dict[str, Any]], After]:
        """The turns with a move on the board, and what is left after them. Racks at the end that nobody played are not
        among them."""
        played = list(self.game.turns)
        while played and (played[-1].game_move is None or played[-1].game_move.kind == "none"):
            played.pop()
        if not played:
            raise EliotError("This game has no turns: nothing was played.")
        left = After(Board.empty(self.edition), Tiles.none(self.edition))
        turns = []
        for number, turn in enumerate(played, 1):
            rack = self._rack(turn, number, left)
            move = self._move(turn.game_move, number, left.board, rack)
            turns.append(self._entry(turn, number, rack, move, left))
            left = after_turn(left.board, rack, move, self.rules, self.formula)
        return turns, left

    def _rack(self, turn: EliotTurn, number: int, left: After) -> Tiles:
        """The rack that was played, which must be there to be drawn and hold what was kept. Where the blank lies aside
        it is written among the kept tiles."""
        if not turn.racks:
            raise EliotError(f"Turn {number}: the file has no rack for it.")
        written = turn.racks[-1]
        kept, plus, new = written.removeprefix("-").partition("+")
        try:
            rack, stays = self._tiles(kept + new), self._tiles(kept)
        except UnknownLetter as error:
            sign = error.sign[:10]
            raise EliotError(f"Turn {number}: no tile of the edition shows {sign!r} of {written[:20]}.") from None
        if not rack or not left_besides(left.board, Tiles.none(self.edition)).holds(rack):
            raise EliotError(f"Turn {number}: the rack {written[:20]} cannot be drawn from what is left.")
        if plus and not self.formula.one_blank and stays != left.kept:
            found, due = kept or "nothing", left.kept.text or "nothing"
            raise EliotError(f"Turn {number}: {found} was kept by the file, {due} by the move before.")
        return rack

    def _move(self, written: EliotMove | None, number: int, board: Board, rack: Tiles) -> Move:
        """The move on the board, legal there and worth what the file says."""
        if written is None or written.kind != "valid":
            raise EliotError(f"Turn {number}: nothing went on the board in it, so the game cannot be played again.")
        shown = f"{written.word} {written.coord} {written.points}"
        try:
            reference = parse_reference(written.coord, self.rules.notation)
            word = self.edition.parse_word(self._in_brackets(written.word))
        except (UnreadableReference, UnknownLetter):
            raise EliotError(f"Turn {number}: {shown} cannot be read.") from None
        at = Position(board, rack, number, self.formula.stock(board, rack), self.formula.most_laid(self.rules))
        laid = lay(word, reference, at, self.rules, _EveryWord())
        if isinstance(laid, Fault):
            raise EliotError(f"Turn {number}: {shown} cannot be laid with {rack.text} ({laid.reason}).")
        if laid.move.score != written.points:
            raise EliotError(f"Turn {number}: {shown} is worth {laid.move.score} with the tiles of this edition.")
        return laid.move

    def _entry(self, turn: EliotTurn, number: int, rack: Tiles, move: Move, left: After) -> dict[str, Any]:
        """A turn as the archive holds it; without times, since none are known."""
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
        """Racks of the turn before the one that was played, each followed by one that is all new."""
        for before, after in pairwise(turn.racks):
            if after.startswith("-"):
                yield self._tiles(before.removeprefix("-").replace("+", "")).text

    def _tiles(self, text: str) -> Tiles:
        return Tiles.parse(self.edition, self._in_brackets(text))

    def _in_brackets(self, text: str) -> str:
        """The text with the tiles of several letters in brackets: Eliot writes them as they are shown."""
        long = sorted((letter for letter in self.game.letters if len(letter) > 1), key=len, reverse=True)
        return "".join(_cut(text, long))


def _cut(text: str, long: Sequence[str]) -> Iterator[str]:
    at = 0
    while at < len(text):
        found = next((face for face in long if text[at : at + len(face)].upper() == face), "")
        yield f"[{text[at : at + len(found)]}]" if found else text[at]
        at += len(found) or 1


def _slip(turn: EliotTurn, key: str, table: int) -> dict[str, Any]:
    """What a player had, with the points that Eliot gave him for it."""
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
