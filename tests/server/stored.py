"""What lies in a database, read past the program that is tested."""

from collections import Counter
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import create_async_engine

from lostcities.server.store import Store, read_url
from lostcities.server.store_tables import KEYS, LOG, TABLES


@dataclass(frozen=True)
class Stored:
    """What a database holds of a table: how often each command, and how many of how many places."""

    commands: Counter[str]
    num_entries: int
    num_places: int


async def read_tables(database: str, table_ids: set[str]) -> dict[str, Stored]:
    """Read from the database itself."""
    engine = create_async_engine(read_url(database))
    found = {}
    async with engine.connect() as connection:
        for table_id in table_ids:
            query = sa.select(LOG.c.seq, LOG.c.move_id).where(LOG.c.table_id == table_id)
            rows = (await connection.execute(query)).all()
            commands = Counter(str(row.move_id)[2:] for row in rows if row.move_id is not None)
            found[table_id] = Stored(commands, len(rows), max(row.seq for row in rows) + 1)
    await engine.dispose()
    return found


async def forget_tables(database: str, prefix: str) -> None:
    """Delete the tables whose names begin so, that a test may give these names again."""
    store = Store(database)
    await store.open()
    await store.close()
    engine = create_async_engine(read_url(database))
    async with engine.begin() as connection:
        for name in (LOG.c.table_id, TABLES.c.table_id, KEYS.c.series):
            await connection.execute(sa.delete(name.table).where(name.startswith(prefix)))
    await engine.dispose()
