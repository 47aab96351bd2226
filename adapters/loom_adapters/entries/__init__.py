"""Readers of entries: documents, mail, transcripts and JSON lines, from the files of a folder or an archive."""

from loom_adapters.entries.files import FakeEntries, FileEntries, is_entry

__all__ = ["FakeEntries", "FileEntries", "is_entry"]
