"""Where claims are kept: a file of SQLite, a schema of PostgreSQL, or this process."""
