"""`loom serve`: the node, until interrupted."""

import argparse

from loom.settings_flags import add_flags, settings_of


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = subparsers.add_parser(
        "serve",
        help="serve the current generation",
        description="Serve the current generation. Settings come from flags, the environment and loom.toml, in this order.",
    )
    add_flags(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from loom.serve.run import serve

    return serve(settings_of(arguments))
