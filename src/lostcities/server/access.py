"""Which seats a browser holds, by the tokens that it brings."""

from collections import OrderedDict
from collections.abc import Mapping
from typing import Final

from lostcities.rules import SEATS, Seat
from lostcities.server.seats import SeatKey, hash_of_token
from lostcities.server.store import KeyRow, Store

COOKIE, RECOVERY = "cookie", "recovery"
_MOST_REMEMBERED: Final = 100_000


class Access:
    """The keys of seats, as far as they were looked up."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: OrderedDict[str, KeyRow] = OrderedDict()

    async def find(self, token: str) -> KeyRow | None:
        """Return what a token opens, None if nothing.

        Raises:
            StoreUnavailableError: If the store cannot be read.
        """
        key_hash = hash_of_token(token)
        known = self._known.get(key_hash)
        if known is None:
            known = await self._store.find_key(key_hash)
            if known is None:
                return None
            self.remember(known)
        return known

    def remember(self, key: KeyRow) -> None:
        """Keep a key that is stored."""
        self._known[key.key_hash] = key
        if len(self._known) > _MOST_REMEMBERED:
            self._known.popitem(last=False)

    async def seats_in(self, series: str, tokens: Mapping[SeatKey, str]) -> tuple[Seat, ...]:
        """Return the seats of a series of tables that these tokens open."""
        held = []
        for seat in SEATS:
            token = tokens.get(SeatKey(series, seat))
            key = await self.find(token) if token else None
            if key is not None and (key.series, key.seat, key.kind) == (series, seat, COOKIE):
                held.append(seat)
        return tuple(held)
