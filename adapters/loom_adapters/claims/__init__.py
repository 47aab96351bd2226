"""Where claims are kept: a file of SQLite, a schema of PostgreSQL, or this process.

sql, kept                the stores; they differ in `Session`, and in how a transaction begins
stored                   the methods of `ClaimStore`, over two kinds of transaction
session, sql_session     what a transaction can do; the same over SQLAlchemy
engines                  the two databases: how a transaction begins, and what a failure is called
schema, migrating        the tables, and how a store is brought to them (`migrations`, by Alembic)
written, bookkeeping     a commit step by step; the lease, the queue and what the fast path notes
view, shaped, columns    a version for readers; rows put together into records; whole columns for who opens the network
recall                   the search index of a process, brought up to the version that is looked at
transfer                 JSON lines out and in
"""
