"""Names of players in files of export templates: those of the players' list, and pseudonyms of anonymised members."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from tournaments.members.queries.identities import get_members_of_players
from tournaments.models import Member


@dataclass(frozen=True, slots=True)
class PlayerMembers:
    """The members that a player is: their numbers, and the pseudonym if one of them was anonymised."""

    numbers: tuple[int, ...]
    pseudonym: str


def load_player_members(players: Collection[int]) -> Mapping[int, PlayerMembers]:
    """Return the members of these players; guests are left out. Three queries."""
    by_player = get_members_of_players(players)
    known = Member.objects.in_bulk({member for members in by_player.values() for member in members})
    return {
        player: PlayerMembers(
            tuple(members),
            " / ".join(known[member].name for member in members)
            if any(known[member].anonymised_at for member in members)
            else "",
        )
        for player, members in by_player.items()
    }
