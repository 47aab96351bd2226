"""The second unanswerable set: conversations written here, and questions of them that nothing said answers (specs/memory.md §9)."""
