"""Which seats a browser holds, by the tokens that it brings."""

from collections import OrderedDict
from collections.abc import Mapping
from typing import Final

from lostcities.rules import SEATS, Seat
from lostcities.server.seats import SeatKey, hash_of_token
from lostcities.server.store import KeyRow, Store
from lostcities.server.store_tables import COOKIE

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
        """Keep a key that is stored, unless another may take its place."""
        if key.kind != COOKIE:
            return
        self._known[key.key_hash] = key
        if len(self._known) > _MOST_REMEMBERED:
            self._known.popitem(last=False)

    async def held_by(self, tokens: Mapping[SeatKey, str]) -> list[SeatKey]:
        """Return the seats that these tokens open, of those that they claim to."""
        return [seat for seat in tokens if await self._opens(tokens[seat], seat)]

    async def _opens(self, token: str, seat: SeatKey) -> bool:
        key = await self.find(token)
        return key is not None and (SeatKey(key.series, key.seat), key.kind) == (seat, COOKIE)

    async def seats_in(self, series: str, tokens: Mapping[SeatKey, str]) -> tuple[Seat, ...]:
        """Return the seats of a series of tables that these tokens open."""
        claimed = [SeatKey(series, seat) for seat in SEATS]
        held = await self.held_by({key: tokens[key] for key in claimed if key in tokens})
        return tuple(key.seat for key in held)
