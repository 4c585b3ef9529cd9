"""Sessions of phones, cached in memory because every slip needs one. A player's newest phone is the valid one."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from referee.live.sockets.connections import SERVICE_RESTART, ConnectionRegistry
from referee.live.threads import DatabaseThread
from referee.security.player_tokens import read_seat_hash
from tournaments.play.queries import live
from tournaments.play.queries.live import SeatedPlayer


@dataclass(slots=True)
class PhoneSessions:
    """Cached seats: players by the hash of their token, and token hashes by player."""

    connections: ConnectionRegistry
    reader: DatabaseThread
    _seats: dict[str, SeatedPlayer] = field(default_factory=dict)
    _tokens: dict[int, str] = field(default_factory=dict)

    async def admit(self, cookies: Mapping[str, str]) -> SeatedPlayer | None:
        """Return the player whose seat token is in the cookies; None without a valid one.

        Tokens have 128 random bits and a signature, so failed attempts need not be counted.
        """
        token_hash = read_seat_hash(cookies)
        return None if token_hash is None else self._seats.get(token_hash) or await self._find(token_hash)

    def holds(self, token_hash: str) -> bool:
        """Tell if a token is in the cache, without a query."""
        return token_hash in self._seats

    async def player_changed(self, player_id: int) -> None:
        """Close phones that no longer match the seat: another phone joined, or the player left or moved."""
        present = await self.reader.read(lambda: live.find_seats([player_id]))
        self._update_seats([player_id], present)

    async def check(self) -> None:
        """Compare all cached seats with the database, in case a message between processes was lost."""
        asked = list(self._tokens)
        if asked:
            self._update_seats(asked, await self.reader.read(lambda: live.find_seats(asked)))

    async def _find(self, token_hash: str) -> SeatedPlayer | None:
        seat = await self.reader.read(lambda: live.seat_of(token_hash))
        if seat is not None:
            self._update_seats([seat.player_id], {seat.player_id: seat})
            self._seats[token_hash] = seat
            self._tokens[seat.player_id] = token_hash
        return seat

    def _update_seats(self, player_ids: Collection[int], present: Mapping[int, SeatedPlayer]) -> None:
        """Drop outdated tokens of these players, and close phones with another token or room."""
        for player_id in player_ids:
            known, seat = self._tokens.get(player_id), present.get(player_id)
            if known is None:
                continue
            if seat is not None and seat.token_hash == known:
                self._seats[known] = seat
            else:
                del self._tokens[player_id], self._seats[known]
        for phone in self.connections.phones_of(player_ids):
            seat = present.get(phone.player_id)
            if seat is None:
                self.connections.remove_phone(phone)
            elif phone.token_hash != seat.token_hash:
                self.connections.replace_phone(phone)
            elif phone.room_key[1] != seat.room_id:
                self.connections.end(phone, SERVICE_RESTART)
