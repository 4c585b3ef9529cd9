"""What the page that anybody may read knows of an event: never more than every room has been shown.

Nothing that comes later is read. A page is found by its token alone; the code of the event is not on it.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Sum
from django.utils.crypto import constant_time_compare, salted_hmac

from tournaments.models import Game, Player, PracticeLink, PublicPage, Room
from tournaments.selectors.phases import is_over
from tournaments.selectors.results import turns_shown

_KEY_DIGITS = 20


@dataclass(frozen=True, slots=True)
class Version:
    """As long as it is the same, every page of the event is."""

    page_id: int
    page: tuple[object, ...]
    games: tuple[int | None, ...]
    rooms: tuple[int | None, ...]


def page_of(token: str) -> PublicPage | None:
    """The page with this address, with its event, if it is switched on."""
    return PublicPage.objects.select_related("event").filter(token=token, is_on=True).first()


def version_of(token: str) -> Version | None:
    """What all pages under this address depend on, in a handful of queries; None when there is no such page."""
    page = page_of(token)
    if page is None:
        return None
    event = page.event
    games = Game.objects.filter(event=event).aggregate(number=Count("pk"), sum=Sum("seq"))
    followers = _siblings_of_event(event.pk)
    rooms = Room.objects.filter(event=event).aggregate(number=Count("pk"), sum=Sum("seq"))
    practices = PracticeLink.objects.filter(closed_at=None).count()
    settings = page.delay, page.own_sheets, page.may_be_found, event.name, event.forgotten_at
    played = (games["number"], games["sum"], followers, practices)
    return Version(page.pk, settings, played, (rooms["number"], rooms["sum"]))


def known_turns(game: Game, delay: int) -> int:
    """How many turns of a game the page may show: those that every room has been shown, wherever it plays, and all
    other games of the same script; `delay` fewer until the game is over."""
    shown = min([turns_shown(game), *_known_to_siblings(game)])
    return shown if is_finished(game) else max(0, shown - delay)


def is_finished(game: Game) -> bool:
    """Whether the whole game may be shown: it is over in every room, and wherever its script is
    played."""
    if not is_over(game):
        return False
    everything = turns_shown(game)
    others_know = min([everything, *_known_to_siblings(game)])
    return others_know == everything


def hall_of(game: Game) -> Room | None:
    """Whose results the page shows: the only room's, which others ask for, too; None for all rooms together."""
    rooms = list(Room.objects.filter(event=game.event_id)[:2])
    return rooms[0] if len(rooms) == 1 else None


def others_may_be_behind(game: Game) -> bool:
    """Whether somebody who is not in this hall has this script still before him."""
    return bool(_known_to_siblings(game))


def sheet_key(page: PublicPage, player: Player) -> str:
    """What only the address of this player's page has. It follows from the secret key, so none is stored, and another
    address of the page makes all others."""
    text = f"{page.token}:{player.pk}"
    return salted_hmac("multiplo.public-sheet", text, algorithm="sha256").hexdigest()[:_KEY_DIGITS]


def player_by_key(page: PublicPage, table: int, key: str) -> Player | None:
    """The player whose page this is; None while players have none, and once their names are forgotten."""
    if not has_own_sheets(page):
        return None
    player = Player.objects.filter(event=page.event_id, table=table).select_related("event").first()
    return player if player is not None and constant_time_compare(key, sheet_key(page, player)) else None


def has_own_sheets(page: PublicPage) -> bool:
    """Whether players have pages of their own."""
    return page.is_on and page.own_sheets and page.event.forgotten_at is None


def _known_to_siblings(game: Game) -> list[int]:
    """The turns shown in other games of the same script, which wait or go on: to them it is sealed."""
    if game.prepared_id is None:
        return []
    siblings = Game.objects.filter(prepared=game.prepared_id).exclude(pk=game.pk).select_related("event")
    return [turns_shown(sibling) for sibling in siblings if not is_over(sibling)]


def _siblings_of_event(event_id: int) -> int | None:
    scripts = Game.objects.filter(event=event_id, prepared__isnull=False).values("prepared")
    followers: int | None = Game.objects.filter(prepared__in=scripts).aggregate(sum=Sum("seq"))["sum"]
    return followers
