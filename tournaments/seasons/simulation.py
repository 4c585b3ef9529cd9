"""Simulation of a club year through the services of the desk, with all that changes in a club during a year.

Attendance changes from evening to evening. Two members have the same name, guests come, and one of them becomes a
member; one member is in the list twice for some weeks, until the records are merged; one leaves and is anonymised.
The same generator of random numbers gives the same year.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from itertools import product
from random import Random

from django.contrib.auth.models import User

from engine.seasons.presets import CLUB_TABLE
from engine.seasons.ranking_rule import RankingRule
from tournaments.events.services.events import NewEvent
from tournaments.members.person_places import PersonPlace
from tournaments.members.services.anonymise_member import anonymise_member
from tournaments.members.services.event_players import create_event_with_members
from tournaments.members.services.members import MemberDetails, create_member, details_of
from tournaments.members.services.merging import merge_members
from tournaments.members.services.new_members import make_member
from tournaments.models import Game, Member, Player, Season
from tournaments.play.simulation import SimulatedPlayer, play_game
from tournaments.players.roster_text import NewPlayer
from tournaments.seasons.services.seasons import SeasonFields, create_season
from tournaments.seasons.services.summaries import refresh_summaries

LEAST_MEMBERS, MOST_MEMBERS, MOST_EVENINGS = 8, 600, 400
START, MIDNIGHT = time(20, 45), time(23, 59)
WEEK = timedelta(weeks=1)
CLUB = "Torino"
GUESTS_AT_MOST = 2
FIRST_NAMES = (
    *("Anna", "Bruno", "Carla", "Dario", "Elena", "Fabio", "Giulia", "Ivo", "Laura", "Marco"),
    *("Nadia", "Oreste", "Paola", "Remo", "Sara", "Tullio", "Ugo", "Vera", "Walter", "Zoe"),
)
SURNAMES = (
    *("Amato", "Basso", "Conti", "Donati", "Esposito", "Ferri", "Galli", "Greco", "Longo", "Marini"),
    *("Monti", "Neri", "Orsini", "Palumbo", "Quaglia", "Riva", "Rossi", "Sala", "Serra", "Testa"),
    *("Ungaro", "Valli", "Villa", "Vitale", "Zanetti", "Bellini", "Caruso", "Ferrara", "Leone", "Mancini"),
)
GUESTS = ("Camilla Ospite", "Leonardo Ospite", "Matilde Ospite", "Tommaso Ospite")
REGULAR_GUEST = "Beatrice Novelli"


@dataclass(frozen=True, slots=True)
class ClubYear:
    """The games of a simulated year, one for each evening, and its season."""

    games: tuple[Game, ...]
    season: Season


@dataclass(frozen=True, slots=True)
class Habits:
    """The chance that a member comes to an evening, and the strength of their play (0 to 1)."""

    attendance: float
    strength: float


def play_club_year(
    request: NewEvent,
    *,
    evenings: int,
    members: int,
    by: User,
    rng: Random,
    seed: str,
    progress: Callable[[Game], None],
) -> ClubYear:
    """Play one evening a week from the date of `request`, whose other fields hold for each evening.

    `seed` is a text from which the seed of each game is derived.
    """
    year = _Year(request, by, rng, seed, evenings)
    year.found_club(members)
    games = []
    for number in range(1, evenings + 1):
        games.append(year.play_evening(number))
        progress(games[-1])
    return ClubYear(tuple(games), year.end())


class _Year:
    """The members and guests of the club while the year passes."""

    def __init__(self, request: NewEvent, by: User, rng: Random, seed: str, evenings: int) -> None:
        self.request, self.by, self.rng, self.seed, self.evenings = request, by, rng, seed, evenings
        self.members: list[Member] = []
        self.habits: dict[int, Habits] = {}
        self.twice: Member | None = None

    def found_club(self, number: int) -> None:
        """Add the members; the first two are namesakes, and one in two agreed to be published."""
        names = self.rng.sample(list(product(FIRST_NAMES, SURNAMES)), number)
        names[1] = names[0]
        for place, (first_name, surname) in enumerate(names):
            self._add(
                MemberDetails(
                    surname=surname,
                    first_name=first_name,
                    club=CLUB,
                    licence=f"IT{1000 + place}",
                    category="AB"[place % 2],
                    joined_on=self.request.date,
                    may_be_published=place % 2 == 0,
                )
            )

    def play_evening(self, number: int) -> Game:
        """Play the game of an evening, after what has changed in the club since the one before."""
        day = self.request.date + (number - 1) * WEEK
        opens = _at(day, START)
        self._change_club(number, opens)
        present = [member for member in self._listed() if self.rng.random() < self.habits[member.pk].attendance]
        game = create_event_with_members(
            replace(self.request, name=f"{self.request.name} {number}", date=day),
            self._guests(),
            [member.pk for member in present or self._listed()[:1]],
            by=self.by,
            now=opens,
            seed=hashlib.sha256(f"{self.seed} {number}".encode()).digest(),
        )
        play_game(
            game=game,
            room=game.event.rooms.get(),
            by=self.by,
            rng=self.rng,
            start=opens + timedelta(minutes=5),
            players=self._simulated_players(game),
        )
        refresh_summaries()
        return game

    def end(self) -> Season:
        """Anonymise the member who left; return the season with three rankings without tie-breaks."""
        last = self.request.date + (self.evenings - 1) * WEEK
        anonymise_member(member=self.members[3], by=self.by, now=_at(last, MIDNIGHT))
        best = max(1, self.evenings // 4)
        return create_season(
            SeasonFields(f"{self.request.name} {self.request.date:%Y}", self.request.date, last),
            [
                ("points_sum", RankingRule(measure="points", ties=())),
                ("percent_best_n", RankingRule(measure="percent", combination="mean", best=best, ties=())),
                ("place_points", RankingRule(measure="place", table=CLUB_TABLE, ties=())),
            ],
        )

    def _add(self, details: MemberDetails) -> Member:
        member = create_member(details=details, by=self.by, now=_at(self.request.date, time()), is_namesake=True)
        self.members.append(member)
        self.habits[member.pk] = Habits(self.rng.uniform(0.15, 0.85), self.rng.betavariate(3, 2))
        return member

    def _change_club(self, number: int, now: datetime) -> None:
        """Let the regular guest become a member, add a member for the second time, or merge the two records."""
        if number == max(2, self.evenings // 4):
            self._make_guest_a_member(now)
        if number == max(2, self.evenings // 3):
            details = details_of(self.members[2])
            wrong = replace(details, surname=f"{details.surname}i", licence="", may_be_published=False)
            self.twice = create_member(details=wrong, by=self.by, now=now)
            self.habits[self.twice.pk] = self.habits[self.members[2].pk]
        if number == max(3, self.evenings // 2) and self.twice is not None:
            merge_members(kept=self.members[2], duplicate=self.twice, by=self.by, now=now)
            self.twice = None

    def _make_guest_a_member(self, now: datetime) -> None:
        places = [PersonPlace(player.pk) for player in Player.objects.filter(name=REGULAR_GUEST).order_by("pk")]
        if places:
            member = make_member(places, by=self.by, now=now)
            self.members.append(member)
            self.habits[member.pk] = Habits(0.8, 0.6)

    def _listed(self) -> list[Member]:
        """The members whom the list offers; the second record of a member in place of the first one."""
        return [self.twice if self.twice and place == 2 else member for place, member in enumerate(self.members)]

    def _guests(self) -> list[NewPlayer]:
        names = self.rng.sample(GUESTS, self.rng.randint(0, GUESTS_AT_MOST))
        if all(member.name != REGULAR_GUEST for member in self.members):
            names.append(REGULAR_GUEST)
        return [NewPlayer(None, name) for name in names]

    def _simulated_players(self, game: Game) -> Sequence[SimulatedPlayer]:
        """The players of the evening with the strength of their members; one in five writes on paper."""
        rows = Player.objects.filter(event=game.event).order_by("table")
        members = dict(rows.values_list("pk", "member_links__member"))
        return [
            SimulatedPlayer(
                player,
                self.habits[members[player.pk]].strength if members[player.pk] else self.rng.betavariate(2, 2),
                on_paper=place % 5 == 0,
            )
            for place, player in enumerate(rows)
        ]


def _at(day: date, moment: time) -> datetime:
    return datetime.combine(day, moment, UTC)
