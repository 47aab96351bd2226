"""The migrations of the tables of claims, which Alembic runs when a store is opened."""
