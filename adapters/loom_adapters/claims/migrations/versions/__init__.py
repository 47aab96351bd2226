"""One module a migration. A migration that was released is never changed: the next one changes what it made."""
