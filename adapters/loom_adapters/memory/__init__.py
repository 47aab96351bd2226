"""Conversation memory in a database: a file of SQLite, a PostgreSQL, or this process.

    sqlite, postgres, kept   the three `Memories`; the first two differ in `Session`, and in how what is deleted leaves the disk
    conversation             what is written and taken away inside one transaction, over any `Session`
    view                     what may be asked, over any `Session`
    chunks                   postings as bytes: sixteen a posting, some dozens of postings a row
    written                  turns, and what was read in them, as JSON
    keys                     digests, by which everything is found

Text is in columns named `body` and nowhere else: keys and indexes hold numbers and digests, postings are kept under the digest of
their term. So what must be erased is in one place, and no index, statistic or message of the database can quote it.
"""
