"""Content of a player's sheet, read from the archive of a game: each turn with slip, verdict, top and loss."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest, nsmallest

from engine.archive.schema import Archive, PlayerEntry, SlipEntry, StandingEntry, TopEntry, TurnEntry
from engine.rules.profile import Profile
from engine.standings.game import Standing, TurnResult, standings

BEST = 3


@dataclass(frozen=True, slots=True)
class PlayerTurn:
    """Turn of a player. `loss` is the difference to the top; `total` and `rank` are those after the turn."""

    number: int
    rack: str
    slip: SlipEntry
    top: int
    best: TopEntry | None
    loss: int
    total: int
    rank: int | None
    is_solo: bool

    @property
    def points(self) -> int:
        return self.slip["verdict"]["points"]

    @property
    def has_top(self) -> bool:
        """True if the player found a move that scores the top, before penalty and bonus."""
        verdict = self.slip["verdict"]
        return verdict["points"] + verdict["penalty"] - verdict["bonus"] == self.top > 0


@dataclass(frozen=True, slots=True)
class PlayerSheetView:
    """All turns of a player.

    `line` is the player's row in the standings, `places` the number of players with a rank.
    """

    player: PlayerEntry
    line: StandingEntry
    places: int
    turns: tuple[PlayerTurn, ...]

    @property
    def tops_found(self) -> int:
        return sum(turn.has_top for turn in self.turns)

    @property
    def best_finds(self) -> list[PlayerTurn]:
        """The player's best moves, highest score first."""
        return nlargest(BEST, (turn for turn in self.turns if turn.points > 0), key=lambda turn: turn.points)

    @property
    def worst_losses(self) -> list[PlayerTurn]:
        """The player's turns with the largest loss."""
        return nsmallest(BEST, (turn for turn in self.turns if turn.loss > 0), key=lambda turn: -turn.loss)


def build_player_sheets(archive: Archive, tables: Iterable[int] | None = None) -> list[PlayerSheetView]:
    """Build the sheets of these tables (None: all in the standings), by table."""
    wanted = None if tables is None else set(tables)
    lines = {line["table"]: line for line in archive["standings"]}
    shown = turns_shown(archive)
    out = {player["table"] for player in archive["players"] if "disqualified_from" in player}
    after = _after_each_turn(shown, Profile.from_switches(archive["profile"]), out)
    places = sum(line["rank"] is not None for line in archive["standings"])
    slips = [{slip["table"]: slip for slip in turn["slips"]} for turn in shown]
    return [
        PlayerSheetView(player, lines[player["table"]], places, _turns(shown, player["table"], slips, after))
        for player in sorted(archive["players"], key=lambda player: player["table"])
        if player["table"] in lines and (wanted is None or player["table"] in wanted)
    ]


def turns_shown(archive: Archive) -> list[TurnEntry]:
    """List the turns whose results players may know: all but a last one that is still being judged."""
    turns = archive["turns"]
    is_judged = bool(turns) and (turns[-1]["master"] is not None or archive["end"] is not None)
    return turns if is_judged else turns[:-1]


def _turns(
    shown: Sequence[TurnEntry],
    table: int,
    slips: Sequence[Mapping[int, SlipEntry]],
    after: Sequence[Mapping[int, Standing]],
) -> tuple[PlayerTurn, ...]:
    played = zip(shown, slips, after, strict=True)
    return tuple(_turn(turn, theirs[table], places[table]) for turn, theirs, places in played if table in theirs)


def _turn(turn: TurnEntry, slip: SlipEntry, place: Standing) -> PlayerTurn:
    return PlayerTurn(
        number=turn["number"],
        rack=turn["rack"],
        slip=slip,
        top=turn["top"],
        best=turn["tops"][0] if turn["tops"] else None,
        loss=turn["top"] - slip["verdict"]["points"],
        total=place.total,
        rank=place.rank,
        is_solo=turn["solo"] == slip["table"],
    )


def _after_each_turn(
    shown: Sequence[TurnEntry], profile: Profile, disqualified: Collection[int]
) -> list[dict[int, Standing]]:
    """Map each table to the player's standing after each turn, by the rules of the game."""
    results: dict[int, list[TurnResult]] = {}
    tops: list[int] = []
    after = []
    for turn in shown:
        tops.append(turn["top"])
        for slip in turn["slips"]:
            results.setdefault(slip["table"], []).append(_result(turn, slip))
        lines = standings(results, tops, profile, disqualified) if turn["slips"] else []
        after.append({line.table: line for line in lines})
    return after


def _result(turn: TurnEntry, slip: SlipEntry) -> TurnResult:
    verdict = slip["verdict"]
    return TurnResult(
        turn=turn["number"],
        points=verdict["points"],
        warnings=len(verdict["warnings"]),
        penalty=verdict["penalty"],
        solo=turn["solo"] == slip["table"],
        bonus=verdict["bonus"],
    )
