"""SPARQL over the triples of a generation, in processes that can be killed.

    keeper   one process a node: holds the queue, the deadlines and the children; follows the current generation
    holder   one process a generation: loads the triples once, and forks
    child    runs one query at a time over what it inherited, and streams the result to whoever asked
    client   the web process' side: a `TripleStore`

The engine can neither cancel a query nor refuse to reach out, and some queries break it; a child can be killed, has no file
descriptor left to open anything with, and costs about a megabyte.
"""
