"""The tables of the database, in words that SQLite and PostgreSQL both understand."""

import sqlalchemy as sa

METADATA = sa.MetaData()
COOKIE, RECOVERY, PRESS = "cookie", "recovery", "press"
"""What a key may be. A seat may have many cookies, one way back, and the press by which it was taken."""
FOLLOWED = "followed"
"""The kind of a log's last entry, once a rematch was opened at another table."""

TABLES = sa.Table(
    "tables",
    METADATA,
    sa.Column("table_id", sa.String(64), primary_key=True),
    sa.Column("series", sa.String(64), nullable=False, index=True),
    sa.Column("invite", sa.String(32), nullable=True, unique=True),
    sa.Column("created_at", sa.BigInteger, nullable=False),
)
"""Which tables there are; a series is a table with its rematches."""

LOG = sa.Table(
    "log",
    METADATA,
    sa.Column("table_id", sa.String(64), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("move_id", sa.String(72), nullable=True),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.UniqueConstraint("table_id", "move_id", name="log_move_once"),
)
"""What happened, entry by entry. Nothing here is ever changed or deleted."""

KEYS = sa.Table(
    "keys",
    METADATA,
    sa.Column("key_hash", sa.String(64), primary_key=True),
    sa.Column("series", sa.String(64), nullable=False),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
)
"""The hashes of the tokens that open seats."""

_IS_RECOVERY = KEYS.c.kind == sa.literal_column(f"'{RECOVERY}'")
ONE_RECOVERY = sa.Index(
    "keys_one_recovery",
    KEYS.c.series,
    KEYS.c.seat,
    unique=True,
    sqlite_where=_IS_RECOVERY,
    postgresql_where=_IS_RECOVERY,
)
"""A new recovery link takes the place of the one before it."""
