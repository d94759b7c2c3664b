"""What alembic runs: the store hands over its connection."""

from alembic import context

from lostcities.server.store_tables import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    transaction_per_migration=True,
)
with context.begin_transaction():
    context.run_migrations()
