"""Which phone speaks for which player: the newest one. Known in memory, because every slip asks."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from referee.live.hub import AGAIN, Hub
from referee.live.threads import DatabaseThread
from referee.security.seats import read_seat_hash
from tournaments.selectors import live
from tournaments.selectors.live import SeatedPlayer


@dataclass(slots=True)
class Seating:
    """The seats that were asked for: players by the hash of their token, and the other way round."""

    hub: Hub
    reader: DatabaseThread
    _seats: dict[str, SeatedPlayer] = field(default_factory=dict)
    _tokens: dict[int, str] = field(default_factory=dict)

    async def admit(self, cookies: Mapping[str, str]) -> SeatedPlayer | None:
        """The player whose seat is in the cookies; None without a valid one.

        Nobody can guess a seat: 128 random bits, and signed. So a phone without one is not counted as wrong.
        """
        token_hash = read_seat_hash(cookies)
        return None if token_hash is None else self._seats.get(token_hash) or await self._find(token_hash)

    def holds(self, token_hash: str) -> bool:
        """Whether a token that was found before still counts, as far as is known without asking the database."""
        return token_hash in self._seats

    async def player_changed(self, player_id: int) -> None:
        """Another phone took a player's place, or he left: his other phones are told and ended. Or he sits in another
        room: his phone is to call again."""
        present = await self.reader.read(lambda: live.places_of([player_id]))
        self._settle([player_id], present)

    async def check(self) -> None:
        """Ask the database about all seats, in case news was lost between processes."""
        asked = list(self._tokens)
        if asked:
            self._settle(asked, await self.reader.read(lambda: live.places_of(asked)))

    async def _find(self, token_hash: str) -> SeatedPlayer | None:
        seat = await self.reader.read(lambda: live.seat_of(token_hash))
        if seat is not None:
            self._settle([seat.player_id], {seat.player_id: (token_hash, seat.room_id)})
            self._seats[token_hash] = seat
            self._tokens[seat.player_id] = token_hash
        return seat

    def _settle(self, player_ids: Collection[int], present: Mapping[int, tuple[str, int]]) -> None:
        """Void what is not, or no longer, the token of these players, and what shows another room than theirs."""
        for player_id in player_ids:
            known = self._tokens.get(player_id)
            token_hash, room_id = present.get(player_id, ("", 0))
            if known is None:
                continue
            if token_hash == known:
                self._seats[known] = replace(self._seats[known], room_id=room_id)
            else:
                del self._tokens[player_id], self._seats[known]
        for phone in self.hub.phones_of(player_ids):
            token_hash, room_id = present.get(phone.player_id, ("", 0))
            if phone.token_hash != token_hash:
                self.hub.move_out(phone)
            elif phone.stage[1] != room_id:
                self.hub.end(phone, AGAIN)
