"""A club with two evenings that are over, one that is played and one that is planned; its names and secrets are
recognisable."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from io import BytesIO

from django.contrib.auth.models import User
from PIL import Image

from tests.tournaments.club_game import ClubGame, create_club_game, play_turn, seeded_random
from tournaments.models import Event, Member, Player, PlayerMember, Ranking, Season
from tournaments.play.services import game_end
from tournaments.players.services.players import NewPlayer
from tournaments.publishing.services.club import set_club
from tournaments.results.services import public_page
from tournaments.staff.services.login_links import first_judge

TODAY = date(2026, 3, 20)
AGREED, PSEUDONYM, GUEST = "Anna Rossi", "Anonymous 3", "Dario Gastone"
NOT_AGREED = "Brunopol Segretissimo"
NOT_AGREED_CLUB, HIDDEN_EVENT = "Club Segreto", "Hidden evening"
SECRET_RACK, SECRET_WORD = "QUZZHGF", "QUZHYSEC"
PLAYERS = (
    NewPlayer(1, AGREED, "Torino"),
    NewPlayer(2, NOT_AGREED, NOT_AGREED_CLUB),
    NewPlayer(3, "Carla Neri", "Milano"),
    NewPlayer(17, GUEST),
)
TURNS = 3


@dataclass
class SmallClub:
    """The club with its evenings, the newest last."""

    judge: User
    members: dict[str, Member]
    evenings: list[Event]

    def play_evening(self, name: str, on: date, seed: int, *, is_public: bool = True) -> ClubGame:
        """Play an evening to its end, and link its players with the members."""
        game = create_club_game(self.judge, PLAYERS, name=name, date=on, seed=bytes([seed]) * 32)
        game.now = datetime.combine(on, time(20, 30), UTC)
        for _turn in range(TURNS):
            play_turn(game, seeded_random(seed))
        game_end.end_game(game=game.refresh(), by=self.judge, now=game.later())
        self._link(game.event)
        if is_public:
            switch_on(game)
        self.evenings.append(game.event)
        return game

    def begin_evening(self, name: str, on: date) -> ClubGame:
        """Begin an evening whose first turn is played, with a rack, a top and a seed that are secret."""
        game = create_club_game(self.judge, PLAYERS, name=name, date=on)
        switch_on(game)
        game.begin_turn()
        turn = game.turn
        turn.rack, turn.top = SECRET_RACK, 777
        turn.tops = [{"word": SECRET_WORD, "ref": "8H", "score": 777, "why": ""}]
        turn.save()
        return game

    def _link(self, event: Event) -> None:
        for player in Player.objects.filter(event=event, name__in=self.members):
            PlayerMember.objects.create(player=player, member=self.members[player.name])


def switch_on(game: ClubGame) -> None:
    """Switch the public page of the event on."""
    page = {"is_on": True, "delay": 1, "own_sheets": False, "may_be_found": False}
    public_page.set_page(event=game.event, **page, by=game.judge, now=game.later())  # type: ignore[arg-type]


def make_small_club() -> SmallClub:
    """Three members, of whom one has agreed and one is anonymised, a season, and the evenings."""
    set_club(
        name="Scarabeo Torino",
        language="en",
        about="We play on Thursdays.\n\nGuests are welcome.",
        lists_events=True,
        publishes_all_events=False,
        logo=_logo(),
    )
    members = {
        AGREED: Member.objects.create(first_name="Anna", surname="Rossi", may_be_published=True),
        NOT_AGREED: Member.objects.create(first_name="Brunopol", surname="Segretissimo", club=NOT_AGREED_CLUB),
        "Carla Neri": Member.objects.create(surname=PSEUDONYM, anonymised_at="2026-03-01T12:00:00Z"),
    }
    club = SmallClub(first_judge(), members, [])
    season = Season.objects.create(name="Spring 2026", starts=date(2026, 1, 1), ends=date(2026, 6, 30))
    Ranking.objects.create(season=season, name="Sum of points", rule={"measure": "points"})
    club.play_evening("First evening", date(2026, 3, 6), 1)
    club.play_evening(HIDDEN_EVENT, date(2026, 3, 10), 2, is_public=False)
    club.play_evening("Second evening", date(2026, 3, 13), 3)
    club.begin_evening("Tonight", TODAY)
    planned = create_club_game(club.judge, PLAYERS, name="Next week", date=TODAY + timedelta(days=7))
    switch_on(planned)
    return club


def _logo() -> bytes:
    written = BytesIO()
    Image.new("RGB", (60, 30), "#0b6e4f").save(written, "PNG")
    return written.getvalue()
