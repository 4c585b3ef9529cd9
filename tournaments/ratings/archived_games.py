"""The games that count for ratings, read from archives alone (docs/formats.md, section 12)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from hashlib import sha256

from engine.archive.schema import Archive, StandingEntry
from engine.canonical_json import canonical_json
from engine.ratings.rated_game import MemberScore, RatedGame, sort_games
from tournaments.ratings.queries.rated_games import keep_better


def read_rated_games(archives: Iterable[Archive]) -> list[RatedGame]:
    """Return the finished games of these archives in the order in which they are rated.

    Archives of the rooms of one game are one game; the same archive twice counts once. The rules are those of
    `tournaments.ratings.queries.rated_games`: guests, pairs, and players who came late, left early or were disqualified
    are left out. Only one archive is in memory at a time if they are read one by one.
    """
    games: dict[str, RatedGame] = {}
    for archive in archives:
        if archive["end"] is not None and archive["turns"]:
            key, game = _identify(archive), _to_rated_game(archive)
            games[key] = _merge_rooms(games[key], game) if key in games else game
    return sort_games(game for game in games.values() if game.scores)


def _identify(archive: Archive) -> str:
    """Return a fingerprint of what all archives of a game share: event, racks, moves and final standings."""
    event = archive["event"]
    moves = [[turn["rack"], turn["master"]] for turn in archive["turns"]]
    standings = [[line["table"], line["rank"], line["total"]] for line in _standings(archive)]
    return sha256(canonical_json([event["date"], event["name"], event["place"], moves, standings])).hexdigest()


def _standings(archive: Archive) -> Sequence[StandingEntry]:
    """Return the standings of all rooms."""
    return archive["rooms"]["standings"] if "rooms" in archive else archive["standings"]


def _to_rated_game(archive: Archive) -> RatedGame:
    """Return the game with the members of the archive's room."""
    lines = {line["table"]: line for line in _standings(archive)}
    whole = _tables_of_whole_game(archive)
    scores: dict[int, MemberScore] = {}
    for player in archive["players"]:
        member, line = player.get("member"), lines.get(player["table"])
        if member is None or "partner" in player or line is None or player["table"] not in whole:
            continue
        if line["rank"] is not None:
            keep_better(scores, member, MemberScore(line["rank"], line["total"]))
    event, tops = archive["event"], sum(turn["top"] for turn in archive["turns"])
    return RatedGame(event["date"], archive["turns"][0]["started_at"] or "", event["name"], tops, scores)


def _tables_of_whole_game(archive: Archive) -> set[int]:
    """Return the tables that have a slip or a missing slip in the first and in the last turn."""
    first, last = archive["turns"][0], archive["turns"][-1]
    return {slip["table"] for slip in first["slips"]} & {slip["table"] for slip in last["slips"]}


def _merge_rooms(one: RatedGame, other: RatedGame) -> RatedGame:
    scores = dict(one.scores)
    for member, score in other.scores.items():
        keep_better(scores, member, score)
    return replace(one, scores=scores, started=min(filter(None, (one.started, other.started)), default=""))
