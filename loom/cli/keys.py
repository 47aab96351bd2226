"""`loom keys`: make, list and revoke the API keys of a node."""

import argparse
import sys
from datetime import UTC, datetime
from pathlib import Path

from loom.core.errors import BadInput
from loom.serve.keys import DEFAULT_SCOPES, SCOPES, new_key, read_keys, revoke, write_keys
from loom.settings import load


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = subparsers.add_parser(
        "keys", help="make, list and revoke API keys", description="API keys of a node, stored as hashes."
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    adding = actions.add_parser("add", help="make a key and print it once")
    adding.add_argument("name", help="what the key is for")
    adding.add_argument(
        "--scopes",
        default=",".join(DEFAULT_SCOPES),
        help=f"out of {', '.join(SCOPES)}; admin covers all (default: %(default)s)",
    )
    adding.add_argument("--rate-limit", type=int, metavar="N", help="requests a minute; 0 none (default: LOOM_RATE_LIMIT)")
    actions.add_parser("list", help="list the keys")
    revoking = actions.add_parser("revoke", help="remove a key; running nodes follow within two seconds")
    revoking.add_argument("key", help="its id or name")
    for action in actions.choices.values():
        action.add_argument("--file", type=Path, help="the key file (default: LOOM_API_KEYS_FILE)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    path = arguments.file or _stated()
    if arguments.action == "add":
        if arguments.rate_limit is not None and arguments.rate_limit < 0:
            raise BadInput(f"Expected 0 or more requests a minute as --rate-limit, not {arguments.rate_limit}.")
        keys = read_keys(path) if path.exists() else {}
        scopes = [scope.strip() for scope in arguments.scopes.split(",") if scope.strip()]
        key, text = new_key(arguments.name, scopes, datetime.now(UTC).isoformat(timespec="seconds"), arguments.rate_limit)
        write_keys(path, {**keys, key.id: key})
        print(text)
        print(
            f"Key {key.id} for {key.name} may {', '.join(key.scopes)}. It is shown this once; {path} keeps a hash.",
            file=sys.stderr,
        )
    elif arguments.action == "list":
        for key in read_keys(path).values():
            limit = "" if key.rate_limit is None else f"  {key.rate_limit} a minute"
            print(f"{key.id}  {','.join(key.scopes):<22}  {key.created}  {key.name}{limit}")
    else:
        key = revoke(path, arguments.key)
        print(f"Revoked {key.id} ({key.name}).")
    return 0


def _stated() -> Path:
    path = load().serving.api_keys_file
    if not path:
        raise BadInput("Expected the key file as --file or LOOM_API_KEYS_FILE; neither is given.")
    return Path(path)
