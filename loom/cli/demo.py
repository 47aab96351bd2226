"""`loom demo`: the example corpus, built and served, with requests to try."""

import argparse
import json
from pathlib import Path

from loom.core.errors import NotFound

PACKAGE = Path(__file__).resolve().parents[1]
PLACES = (PACKAGE / "example", PACKAGE.parent / "fixtures" / "kitchen")
"""Where the example corpus is: in an installed wheel, and in a checkout."""

QUESTION = "What is the difference between braising and stewing?"


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = subparsers.add_parser(
        "demo",
        help="build the example corpus and serve it",
        description="Build the example corpus and serve it with the built-in reader, or with the model of LOOM_MODEL_URL.",
    )
    parser.add_argument("--out", metavar="FOLDER", help="folder of generations (default: LOOM_GENERATIONS)")
    parser.add_argument("--host", help="address to listen on (default: LOOM_HOST)")
    parser.add_argument("--port", help="port to listen on (default: LOOM_PORT)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Build, say what to try, serve until interrupted; returns the exit code of whichever command ended it."""
    from loom.cli.main import main
    from loom.settings import load

    given = {"LOOM_GENERATIONS": arguments.out, "LOOM_HOST": arguments.host, "LOOM_PORT": arguments.port}
    settings = load(flags={name: value for name, value in given.items() if value is not None})
    out, host, port = str(settings.node.generations), settings.serving.host, str(settings.serving.port)
    corpus = next((place for place in PLACES if place.is_dir()), None)
    if corpus is None:
        raise NotFound(
            f"The example corpus is in none of its places ({', '.join(map(str, PLACES))}); install Loom again, or build pages of your "
            "own with `loom build FOLDER --out generations` and serve them with `loom serve`."
        )
    if code := main(["build", str(corpus), "--out", out, "--use"]):
        return code
    print(requests(host, port), flush=True)
    return main(["serve", "--generations", out, "--host", host, "--port", port])


def requests(host: str, port: str) -> str:
    """Three requests to paste into another terminal."""
    shown = f"[{host}]" if ":" in host else host
    base = f"http://{shown}:{port}"
    chat = json.dumps({"model": "reader", "messages": [{"role": "user", "content": QUESTION}]})
    stream = json.dumps({"model": "reader", "stream": True, "messages": [{"role": "user", "content": QUESTION}]})
    block = json.dumps({"prompt": QUESTION})
    header = "-H 'content-type: application/json'"
    return "\n".join(
        [
            "",
            "Try it from another terminal; any chat client works too, with the base URL " + base + "/v1",
            "",
            f"curl -s {base}/v1/chat/completions {header} -d '{chat}'",
            f"curl -sN {base}/v1/chat/completions {header} -d '{stream}'",
            f"curl -s {base}/loom/scaffold {header} -H 'accept: text/markdown' -d '{block}'",
            "",
        ]
    )
