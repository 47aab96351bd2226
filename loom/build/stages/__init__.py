"""One stage a module, each with its `STAGE`."""
