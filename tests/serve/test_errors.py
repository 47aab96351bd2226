"""The wire form of errors: every code has one, and each says what a client should do."""

import json

import pytest

from loom.core import errors as core
from loom.core.errors import LoomError, UpstreamFailure
from loom.core.sparql import errors as sparql
from loom.serve import body, errors
from loom.serve.errors import TABLE, TooMany, WrongMethod, form_of, rendered


def subclasses(kind: type) -> list[type]:
    return [kind, *(deeper for direct in kind.__subclasses__() for deeper in subclasses(direct))]


def test_every_error_of_the_node_has_a_row():
    building = {core.BadSource.code, core.ReasonerFailure.code}
    outside = {UpstreamFailure.code, body.ClientGone.code, core.BadSettings.code} | building
    assert sparql.Busy.code in TABLE
    commands = ("loom.bench.", "loom.cli.")
    served = [
        kind
        for kind in subclasses(LoomError)
        if kind.__module__.startswith("loom.") and not kind.__module__.startswith(commands)
    ]
    codes = {kind.code for kind in served}
    assert codes - outside <= set(TABLE), codes - outside - set(TABLE)
    assert set(TABLE) <= codes


@pytest.mark.parametrize("code", sorted(TABLE))
def test_both_forms(code: str):
    error = LoomError("Expected this, got that; do so.", param="thing")
    error.code = code
    status, headers, data = rendered(error, "/v1/models", "req_1")
    said = json.loads(data)
    assert set(said) == {"error"} and set(said["error"]) == {"message", "type", "param", "code"}
    assert status == TABLE[code].status and dict(headers)[b"content-type"] == b"application/json"
    status, headers, data = rendered(error, "/loom/scaffold", "req_1")
    said = json.loads(data)
    assert said["status"] == status and said["error"] == code and said["request_id"] == "req_1" and said["param"] == "thing"
    assert dict(headers)[b"x-should-retry"] in (b"true", b"false")


def test_an_upstream_failure_keeps_its_status_and_is_not_retried():
    for status, kind in ((504, "server_error"), (429, "rate_limit_error"), (502, "server_error")):
        failure = UpstreamFailure("It did not answer.", status=status, code="upstream_timeout")
        form = form_of(failure)
        assert (form.status, form.type, form.retry) == (status, kind, False)


def test_headers_that_say_when_and_how():
    assert dict(rendered(TooMany("Slower.", 2.1), "/v1", "r")[1])[b"retry-after"] == b"3"
    assert dict(rendered(TooMany("Slower.", 2.1), "/v1", "r")[1])[b"retry-after-ms"] == b"2100"
    assert dict(rendered(WrongMethod("No.", "GET, HEAD"), "/v1", "r")[1])[b"allow"] == b"GET, HEAD"


def test_text_that_is_not_unicode_still_goes_out():
    _, _, data = rendered(LoomError("bad \ud800 text"), "/v1", "r")
    assert json.loads(data)["error"]["message"].startswith("bad ")


def test_the_module_lists_no_traceback():
    assert "Traceback" not in errors.UNKNOWN
