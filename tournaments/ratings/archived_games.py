"""The games that count for ratings, read from archives alone (docs/formats.md, section 3)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from engine.archive.schema import Archive, StandingEntry
from engine.ratings.rated_game import MemberScore, RatedGame, sort_games
from tournaments.ratings.queries.rated_games import keep_better

_Key = tuple[object, ...]


def read_rated_games(archives: Iterable[Archive]) -> list[RatedGame]:
    """Return the finished games of these archives in the order in which they are rated.

    Archives of the rooms of one game are one game; the same archive twice counts once. The rules are those of
    `tournaments.ratings.queries.rated_games`: guests, pairs, and players who came late, left early or were disqualified
    are left out.
    """
    of_game: dict[_Key, list[Archive]] = defaultdict(list)
    for archive in archives:
        if archive["end"] is not None and archive["turns"]:
            of_game[_identify(archive)].append(archive)
    games = (_to_rated_game(rooms) for rooms in of_game.values())
    return sort_games(game for game in games if game.scores)


def _identify(archive: Archive) -> _Key:
    """Return what all archives of a game share: event, racks, moves and final standings."""
    event = archive["event"]
    moves = tuple((turn["rack"], str(turn["master"])) for turn in archive["turns"])
    standings = tuple((line["table"], line["rank"], line["total"]) for line in _standings(archive))
    return event["date"], event["name"], event["place"], moves, standings


def _standings(archive: Archive) -> Sequence[StandingEntry]:
    """Return the standings of all rooms."""
    return archive["rooms"]["standings"] if "rooms" in archive else archive["standings"]


def _to_rated_game(rooms: Sequence[Archive]) -> RatedGame:
    first = rooms[0]
    lines = {line["table"]: line for line in _standings(first)}
    scores: dict[int, MemberScore] = {}
    for archive in rooms:
        whole = _tables_of_whole_game(archive)
        for player in archive["players"]:
            member, line = player.get("member"), lines.get(player["table"])
            if member is None or "partner" in player or line is None or player["table"] not in whole:
                continue
            if line["rank"] is not None:
                keep_better(scores, member, MemberScore(line["rank"], line["total"]))
    event, tops = first["event"], sum(turn["top"] for turn in first["turns"])
    return RatedGame(event["date"], _find_start(rooms), event["name"], tops, scores)


def _tables_of_whole_game(archive: Archive) -> set[int]:
    """Return the tables that have a slip or a missing slip in the first and in the last turn."""
    first, last = archive["turns"][0], archive["turns"][-1]
    return {slip["table"] for slip in first["slips"]} & {slip["table"] for slip in last["slips"]}


def _find_start(rooms: Sequence[Archive]) -> str:
    return min((text for archive in rooms if (text := archive["turns"][0]["started_at"])), default="")
