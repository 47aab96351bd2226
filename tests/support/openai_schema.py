"""OpenAI's own description of its interface, as validators of what the node sends.

| place | what the description says | what OpenAI sends itself | how it is read here |
|---|---|---|---|
| `choices[].finish_reason` of a chunk | one of five words, `nullable` | null on all chunks but the last | or null |
| `choices[].logprobs` of a chunk | an object, `nullable` | null | or null |
| `logprobs.content`, `.refusal` of a chunk | a list, `nullable` | null | or null |
| `usage` of a chunk | a reference, `nullable` | null on all chunks but the last | or null |

`nullable` is a word of OpenAPI 3.0 that version 3.1, which the description claims to follow, does not know: read strictly, no
stream with `include_usage`, and no chunk before the last, could ever be valid. Nothing else is loosened. Unknown members such as
`loom` and `reasoning_content` are allowed by the description as it stands; `format` is an annotation and is not checked.
"""

import json
import lzma
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

FILE = (
    Path(os.environ.get("LOOM_TEST_DATA") or Path(__file__).resolve().parents[3] / "shared" / "data")
    / "suites"
    / "openai-openapi.json.xz"
)


def _nullable(node: Any) -> Any:
    """The schema with `nullable` said in the words of the version that it claims."""
    if isinstance(node, list):
        return [_nullable(item) for item in node]
    if not isinstance(node, dict):
        return node
    read = {key: _nullable(value) for key, value in node.items() if key != "nullable"}
    return {"anyOf": [read, {"type": "null"}]} if node.get("nullable") is True else read


@cache
def description() -> Any:
    """The description as it stands; None where the data are absent."""
    return json.loads(lzma.decompress(FILE.read_bytes())) if FILE.is_file() else None


@cache
def _validator(name: str, strict: bool) -> Callable[[Any], None] | None:
    given = description()
    if given is None:
        return None
    from jsonschema import Draft202012Validator
    from referencing import Registry
    from referencing.jsonschema import DRAFT202012

    found = given if strict else {"components": {"schemas": _nullable(given["components"]["schemas"])}}
    registry = Registry().with_resource("urn:openai", DRAFT202012.create_resource(found))
    validator = Draft202012Validator({"$ref": f"urn:openai#/components/schemas/{name}"}, registry=registry)

    def check(value: Any) -> None:
        fault = next(validator.iter_errors(value), None)
        if fault is not None:
            where = "/".join(map(str, fault.absolute_path))
            raise AssertionError(f"{name}: {fault.message} at {where or 'the top'}")

    return check


def check(name: str, value: Any) -> None:
    """Raise AssertionError where the value is not valid; nothing where the description is absent."""
    if (validator := _validator(name, False)) is not None:
        validator(value)


def check_strictly(name: str, value: Any) -> None:
    """The same by the letter of the description."""
    if (validator := _validator(name, True)) is not None:
        validator(value)


def needed() -> None:
    """Skip a test that is about validity itself."""
    if description() is None:
        pytest.skip(f"needs {FILE}; set LOOM_TEST_DATA to the data folder")
