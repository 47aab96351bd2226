"""What can be wrong with a source of entries. What is an error was not read; the rest of the source was."""

from collections.abc import Mapping

from loom.core.report import Kind

_ERRORS = {
    "not-text": "A file is no text in UTF-8 (or UTF-16 with its mark); save it as UTF-8.",
    "file-too-large": "Files above the limit are not read.",
    "unreadable-file": "A file could not be read.",
    "bad-file-name": "A path that is not plain text, or leaves its folder, is not read.",
    "broken-mail": "A message could not be parsed, or has no text; export it again.",
    "broken-mailbox": "A mailbox does not begin with a message; export it again.",
    "broken-line": "A line is no JSON object with a text and, where given, plain fields; correct it.",
    "broken-cue": "A cue or line of a transcript could not be read as it stands.",
    "no-cues": "A transcript holds no line with a time.",
}
_WARNINGS = {
    "mail-defect": "A message is not as its headers say; what could be read of it was.",
    "no-author": "A message does not say who wrote it; its file stands for its source.",
    "bad-date": "A date could not be read; the entry has none.",
    "replaces": "What an entry says it replaces is read where it is sent to a node (POST /loom/entries); the entry was read without it.",
    "case-collision": "Two paths differ by case alone.",
    "file-name-portable": "A name that not every system allows.",
}
_INFO = {
    "empty-file": "A file without text gives no entry.",
    "other-file": "Files of other kinds are not read.",
    "hidden-file": "Hidden files are not read.",
    "symbolic-link": "Links are not followed.",
}
KINDS: Mapping[str, Kind] = {
    name: Kind(name, severity, meaning)
    for severity, table in (("error", _ERRORS), ("warning", _WARNINGS), ("info", _INFO))
    for name, meaning in table.items()
}
