"""Run by Alembic: bring the database of a connection to a revision, one process at a time."""

from alembic import context
from sqlalchemy import Connection, text

from agewise.fleet.catalogue.tables import Base

LOCK = 0x6167_6577
"""Number of the lock that two processes which make tables at the same time share (`agew`)."""


def upgrade(connection: Connection) -> None:
    """Run what is missing, inside the transaction that the caller has begun."""
    # SQLite is locked already by the way in which that transaction began.
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
    context.configure(connection=connection, target_metadata=Base.metadata)
    with context.begin_transaction():
        context.run_migrations()


upgrade(context.config.attributes["connection"])
