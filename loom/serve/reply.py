"""Responses of the ordinary routes, and their request bodies."""

from typing import Any

from fastapi import Request, Response

from loom.serve.body import parse_object
from loom.serve.errors import dumped


def json_response(value: Any, status: int = 200) -> Response:
    return Response(dumped(value), status, media_type="application/json")


async def object_of(request: Request) -> dict[str, Any]:
    """The JSON object that a request carries, whatever its content type says; raises BadInput."""
    return parse_object(await request.body())
