"""What Alembic runs to migrate: it is handed an open transaction, and neither begins nor ends one."""

from alembic import context

from loom_adapters.claims.schema import FORMAT

context.configure(connection=context.config.attributes["connection"], version_table=FORMAT)
context.run_migrations()
