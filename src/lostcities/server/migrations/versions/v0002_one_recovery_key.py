"""One recovery key a seat: earlier ones are deleted, and the database allows no second."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_IS_RECOVERY = sa.text("kind = 'recovery'")


def upgrade() -> None:
    """Keep the newest of each seat."""
    op.execute(
        sa.text(
            "DELETE FROM keys WHERE kind = 'recovery' AND EXISTS ("
            "SELECT 1 FROM keys AS newer WHERE newer.kind = 'recovery' "
            "AND newer.series = keys.series AND newer.seat = keys.seat "
            "AND (newer.at > keys.at OR (newer.at = keys.at AND newer.key_hash > keys.key_hash)))"
        )
    )
    op.create_index(
        "keys_one_recovery",
        "keys",
        ["series", "seat"],
        unique=True,
        sqlite_where=_IS_RECOVERY,
        postgresql_where=_IS_RECOVERY,
    )


def downgrade() -> None:
    """Allow several again."""
    op.drop_index("keys_one_recovery", "keys")
