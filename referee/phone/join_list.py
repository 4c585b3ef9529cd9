"""The players among whom a phone finds its own: the list with search, and the names that a typed one may mean."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tournaments.members.queries.event_members import MemberChoice, find_near_members, search_members
from tournaments.models import Event, Player
from tournaments.players.name_folding import fold_text
from tournaments.players.name_order import alphabetic_key
from tournaments.players.near_names import is_near

MOST_LISTED = 60
"""A longer list is not sent: the player searches it."""
LEAST_SEARCHED = 2
MOST_NEAR = 4


@dataclass(frozen=True, slots=True)
class ListedPlayer:
    """A player as everybody may see them: with the public name, which is the nickname where there is one. `member` is
    the number of a member of the club who is not a player yet, and has table 0."""

    table: int
    name: str
    has_phone: bool = False
    is_on_paper: bool = False
    member: int = 0

    @property
    def search_text(self) -> str:
        """The text in which a search finds the player: name and table."""
        return f"{fold_text(self.name)} {self.table or ''}".strip()


@dataclass(frozen=True, slots=True)
class JoinList:
    """The players that are shown. `is_partial`: there are others, which a search finds."""

    players: Sequence[ListedPlayer]
    is_partial: bool


def get_join_list(event: Event, question: str) -> JoinList:
    """Return the players whose name or table fits the question, in the order of their names; all without one.

    Of more than `MOST_LISTED` players none are returned without a question of `LEAST_SEARCHED` characters. Where
    members may join, a question finds those who are not players yet, so the list is partial.
    """
    asked, everybody = fold_text(question).split(), _list_players(event)
    found = [player for player in everybody if all(part in player.search_text for part in asked)]
    if len(everybody) > MOST_LISTED and len("".join(asked)) < LEAST_SEARCHED:
        found = [player for player in everybody if asked and asked == [str(player.table)]]
    members = _leave_out_players(search_members(event, question), everybody) if finds_members(event) else []
    listed = sorted([*found, *members], key=lambda player: alphabetic_key(player.name))[:MOST_LISTED]
    return JoinList(listed, finds_members(event) or len(everybody) > MOST_LISTED)


def finds_members(event: Event) -> bool:
    """Return True when a phone finds members of the club who are not on the list: new players may join, and the event
    says so."""
    return event.members_may_join and not event.listed_only and not event.seat_codes


def find_listed(event: Event, table: int) -> ListedPlayer | None:
    """Return the player at a table."""
    return next(iter(_list_players(event, table=table)), None)


def find_near(event: Event, typed: str) -> list[ListedPlayer]:
    """Return the players whose public name is near a typed one, unless one of them is called just that; also members
    who may join and whose name is near, or the same."""
    players = _list_players(event)
    if any(typed.casefold() == player.name.casefold() for player in players):
        return []
    near = [player for player in players if is_near(typed, player.name)]
    if finds_members(event):
        near += _leave_out_players(find_near_members(event, typed), players)
    return near[:MOST_NEAR]


def _leave_out_players(members: Iterable[MemberChoice], players: Iterable[ListedPlayer]) -> list[ListedPlayer]:
    """The members whose name no player has: a phone finds one line for one name."""
    names = {fold_text(player.name) for player in players}
    return [ListedPlayer(0, each.name, member=each.pk) for each in members if fold_text(each.name) not in names]


def _list_players(event: Event, **conditions: int) -> list[ListedPlayer]:
    rows = Player.objects.filter(event=event, **conditions).order_by("table")
    return [
        ListedPlayer(table, nickname or name, bool(token), arrived is not None and not token)
        for table, name, nickname, token, arrived in rows.values_list(
            "table", "name", "nickname", "token_hash", "arrived_at"
        )
    ]
