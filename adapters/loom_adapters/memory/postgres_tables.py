"""The tables of conversation memory in PostgreSQL."""

from collections.abc import Iterator

FORMAT = 1
"""Of the tables, in `format`. A version that changes them says here how it takes over those of the one before."""

PARTS = 16
"""Tables into which those with text are divided by conversation."""

CALLERS = -1
"""Stands in `wipes` for the names of callers and conversations."""

_KEY = "caller bigint not null, conversation bigint not null"
_TABLES = f"""
create table format (number integer not null);
insert into format values ({FORMAT});
create table callers (seq bigint generated always as identity primary key, digest bytea not null unique, body bytea not null);
create table conversations (
  seq bigint generated always as identity primary key, caller bigint not null, digest bytea not null, body bytea not null,
  unique (caller, digest)
);
create table counts (
  {_KEY}, next bigint not null, names bigint not null, turns bigint not null, pieces bigint not null, length bigint not null,
  width bigint not null, primary key (caller, conversation)
);
create table turns (
  {_KEY}, turn bigint not null, id bytea not null, state smallint not null, body bytea,
  primary key (caller, conversation, turn), unique (caller, conversation, id)
) partition by hash (conversation);
create table names (
  {_KEY}, kind smallint not null, number bigint not null, id bytea not null, body bytea not null,
  primary key (caller, conversation, kind, number), unique (caller, conversation, kind, id)
) partition by hash (conversation);
create table mentions (
  {_KEY}, kind smallint not null, number bigint not null, place bigint not null,
  primary key (caller, conversation, kind, number, place)
);
create table postings (
  {_KEY}, term bigint not null, chunk bigint not null, before bigint not null, body bytea not null,
  primary key (caller, conversation, term, chunk)
);
create table waiting ({_KEY}, turn bigint not null, body bytea not null, primary key (caller, conversation, turn));
create table wipes (seq bigint generated always as identity primary key, part integer not null)
"""


def statements() -> Iterator[str]:
    yield from (statement.strip() for statement in _TABLES.split(";\n"))
    for table in ("turns", "names"):
        for part in range(PARTS):
            yield f"create table {table}_{part} partition of {table} for values with (modulus {PARTS}, remainder {part})"
    for table in ("callers", "conversations", "turns", "names"):
        yield f"alter table {table} alter column body set statistics 0"
    # A chunk is rewritten at each turn that has its term; room in the page lets that stay in the page.
    yield "alter table postings set (fillfactor = 80)"
    yield "alter table counts set (fillfactor = 50)"
