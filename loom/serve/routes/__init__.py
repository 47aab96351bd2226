"""The routes, one module per family; each offers `router(serving)`. `app` lists them."""
