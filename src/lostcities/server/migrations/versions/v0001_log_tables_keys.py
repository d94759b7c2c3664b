"""The first tables: the log, which tables there are, and the keys of seats."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create them."""
    op.create_table(
        "tables",
        sa.Column("table_id", sa.String(64), primary_key=True),
        sa.Column("series", sa.String(64), nullable=False, index=True),
        sa.Column("invite", sa.String(32), nullable=True, unique=True),
        sa.Column("created_at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "log",
        sa.Column("table_id", sa.String(64), primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("move_id", sa.String(72), nullable=True),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.UniqueConstraint("table_id", "move_id", name="log_move_once"),
    )
    op.create_table(
        "keys",
        sa.Column("key_hash", sa.String(64), primary_key=True),
        sa.Column("series", sa.String(64), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )


def downgrade() -> None:
    """Drop them, and everything in them."""
    for name in ("keys", "log", "tables"):
        op.drop_table(name)
