"""Where the write path reads and writes: the pages of a vault, and the records of proposals."""
