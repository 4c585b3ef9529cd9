"""The games that count for ratings, read from the stored results."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from django.db.models import Count, F, Max, Min, Sum

from engine.archive.schema import format_timestamp
from engine.ratings.open_rating import VERSION
from engine.ratings.rated_game import MemberScore, RatedGame
from tournaments.members.queries.identities import get_merged_records
from tournaments.models import EventSummary, Member, PlayerMember, PlayerResult, TurnClock

PLAYED = "played"


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game that counts, and the summary of its event."""

    summary: int
    game: RatedGame


def read_state() -> str:
    """Return a fingerprint that changes with everything on which ratings depend. Five queries."""
    results = PlayerResult.objects.aggregate(
        n=Count("pk"), last=Max("pk"), members=Sum(F("pk") * F("member")), points=Sum("points")
    )
    links = PlayerMember.objects.aggregate(n=Count("pk"), last=Max("pk"), members=Sum(F("pk") * F("member")))
    events = list(EventSummary.objects.order_by("pk").values_list("pk", "date", "name", "state"))
    merged = list(Member.objects.filter(merged_into__isnull=False).order_by("pk").values_list("pk", "merged_into"))
    facts = (VERSION, sorted(results.items()), sorted(links.items()), events, merged)
    return sha256(repr(facts).encode()).hexdigest()


def load_rated_games() -> list[StoredGame]:
    """Return all games that count, in the order in which they are rated.

    A game counts for a member who played it from the first turn to the last and has a rank. Guests and pairs are left
    out, and so are earlier evenings from spreadsheets, which tell only the whole evening.
    """
    starts, owners = _load_starts(), _load_owners()
    events = EventSummary.objects.in_bulk()
    found: dict[tuple[int, int], _Found] = defaultdict(_Found)
    rows = PlayerResult.objects.order_by("pk").values_list("summary", "player", "member", "games")
    for summary, player, member, scores in rows:
        owner = owners.of(player, member)
        if owner is None:
            continue
        for score in scores:
            if score["presence"] == PLAYED and score["rank"] is not None:
                game = found[summary, score["number"]]
                game.tops, game.started = score["tops"], score.get("started_at", "")
                keep_better(game.scores, owner, MemberScore(score["rank"], score["points"]))
    games = [
        StoredGame(pk, _to_rated_game(events[pk], number, starts.get((events[pk].event_id, number)), each))
        for (pk, number), each in found.items()
    ]
    return sorted(games, key=lambda each: each.game.place_in_order)


def keep_better(scores: dict[int, MemberScore], member: int, score: MemberScore) -> None:
    """Enter the score of a member; of a member with two places in a game the better one counts."""
    known = scores.get(member)
    if known is None or (score.rank, -score.points) < (known.rank, -known.points):
        scores[member] = score


def fingerprint_days(games: Iterable[StoredGame]) -> list[list[str]]:
    """Return each date of the games, given in their order, with the fingerprint of all games until the end of it."""
    days: list[list[str]] = []
    chain = str(VERSION)
    for stored in games:
        chain = sha256(f"{chain}{stored.summary}{stored.game.place_in_order!r}".encode()).hexdigest()
        if days and days[-1][0] == stored.game.date:
            days[-1][1] = chain
        else:
            days.append([stored.game.date, chain])
    return days


@dataclass(slots=True)
class _Found:
    """A game while its scores are collected. `started` is the time that an imported archive had."""

    tops: int = 0
    started: str = ""
    scores: dict[int, MemberScore] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Owners:
    """The member whose results those of a player are. `of_players` has two for a pair."""

    of_players: Mapping[int, Sequence[int]]
    merged: Mapping[int, int]

    def of(self, player: int | None, member: int | None) -> int | None:
        """Return the member; None for a guest or a pair."""
        records = self.of_players.get(player, ()) if player else [member] if member else ()
        people = {self.merged.get(record, record) for record in records}
        return people.pop() if len(people) == 1 else None


def _load_owners() -> _Owners:
    of_players: dict[int, list[int]] = defaultdict(list)
    for player, member in PlayerMember.objects.filter(player__result__isnull=False).values_list("player", "member"):
        of_players[player].append(member)
    return _Owners(of_players, get_merged_records())


def _load_starts() -> Mapping[tuple[int | None, int], str]:
    """Return the start of the first turn by event and number of the game."""
    clocks = TurnClock.objects.filter(turn__number=1, started_at__isnull=False)
    starts = clocks.values_list("turn__game__event", "turn__game__number").annotate(first=Min("started_at"))
    return {(event, number): format_timestamp(first) for event, number, first in starts.order_by()}


def _to_rated_game(event: EventSummary, number: int, started: str | None, found: _Found) -> RatedGame:
    return RatedGame(event.date.isoformat(), started or found.started, event.name, found.tops, found.scores, number)
