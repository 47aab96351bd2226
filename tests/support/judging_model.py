"""A model for judges: it reads the fenced data of a request and replies by the plain rules, or as it is told to misbehave."""

import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from loom.core.claims.judging.asked import WAYS, Pair, Stated
from loom.core.claims.judging.extracting import extract
from loom.core.claims.judging.verdicts import verdict
from loom.core.claims.records import Entry
from loom.core.errors import UpstreamFailure
from loom.core.frames import Frame
from loom.core.replies import usage_of, whole
from loom.core.values import ModelCard, Prompt

Reply = Callable[[str, Mapping[str, Any]], Any]
"""From the name of the judge and the fenced data to the object that is replied, or to the text itself."""


def data_of(body: Mapping[str, Any]) -> dict[str, Any]:
    """The data that a request holds between its two lines."""
    lines = body["messages"][1]["content"].split("\n")
    assert lines[0].startswith("--- data ") and lines[-1] == lines[0].replace("--- data", "--- end of data")
    found: dict[str, Any] = json.loads("\n".join(lines[1:-1]))
    return found


def by_rules(judge: str, data: Mapping[str, Any]) -> Any:
    """What an obedient model would say, by the plain rules where there are some."""
    items = data.get("items", [])
    if judge == "extraction":
        text = data["entry"]
        drawn = extract(Entry("e", "s", text, data["kind"], data["author"], data["observed"])).drawn
        return {"signals": [{"quote": text[each.start : each.end], "proposition": each.proposition} for each in drawn]}
    if judge == "entailment":
        return {"answers": [{"id": each["id"], "entailed": each["premise"] == each["proposition"]} for each in items]}
    if judge == "verdicts":
        told = [(each["id"], verdict(Pair(Stated(each["new"]), Stated(each["claim"]))).verdict) for each in items]
        return {"answers": [{"id": id, "verdict": said} for id, said in told]}
    if judge == "derivation":
        ids = [each["id"] for each in data["evidence"]]
        made = {"proposition": "Both hold.", "antecedents": ids, "preconditions": ["nothing changes"]}
        return {"propositions": [made] if len(ids) > 1 else []}
    if judge == "projecting":
        axis = data["axis"]
        return {"value": axis["low"] if axis["space"] == "scalar" else axis["values"][0], "relevance": 0.75}
    if judge == "filing":
        told = [
            {"domain": each["id"], "probability": 0.9 if each["name"].lower() in item["text"].lower() else 0.1}
            for item in items
            for each in data["domains"]
        ]
        size = len(data["domains"])
        return {"answers": [{"id": each["id"], "domains": told[at * size : (at + 1) * size]} for at, each in enumerate(items)]}
    if judge == "routing":
        return {"answers": [{"id": each["id"], "probabilities": dict.fromkeys(WAYS, 0.2) | {"author": 0.6}} for each in items]}
    if judge == "proposing":
        axis = {
            "name": "cost",
            "definition": "What it costs.",
            "space": "ordinal",
            "values": ["low", "high"],
            "low": 0,
            "high": 1,
        }
        return {"axes": [axis | {"prototypes": [{"value": "low", "example": "It is cheap."}], "why": "they differ"}]}
    if judge == "deciding":
        ways = by_rules("routing", data)["answers"]
        homes = by_rules("filing", data | {"items": [each | {"text": each["request"]} for each in items]})["answers"]
        return {"answers": [way | home for way, home in zip(ways, homes, strict=True)]}
    if judge == "supposing":
        return {"passage": f"In short: {data['question'].rstrip('?')}."}
    return {"text": "The plan [1] and the budget [9]."}


@dataclass
class JudgingModel:
    """A `ModelBackend`. `bodies` are the requests as they came; `refuses` are members of a request that it answers with `status`; `says`
    replies; `breaks` are how many requests fail first; `usage` whether it counts tokens."""

    says: Reply = by_rules
    refuses: frozenset[str] = frozenset()
    status: int = 400
    strict_only: bool = False
    breaks: int = 0
    usage: bool = True
    bodies: list[dict[str, Any]] = field(default_factory=list)
    served_as: str = "delegated"

    @asynccontextmanager
    async def chat(
        self, prompt: Prompt, *, allowance: int | None = None, insist: bool = False, headers: Mapping[str, str] | None = None
    ) -> AsyncIterator["Said"]:
        body = json.loads(json.dumps(dict(prompt.body)))
        self.bodies.append(body | {"allowance": allowance})
        if self.breaks:
            self.breaks -= 1
            raise UpstreamFailure("The model at nowhere cannot be reached.", code="upstream_unreachable")
        told = body.get("response_format", {})
        if refused := sorted(self.refuses & {*body, told.get("type", ""), *(["schema"] if "schema" in told else [])}):
            yield Said(self.status, json.dumps({"error": {"message": f"Unsupported: {refused[0]}."}}).encode())
            return
        reply = self.says(judge_of(body), data_of(body))
        text = reply if isinstance(reply, str) else json.dumps(reply)
        head = {"id": "chat-1", "created": 1, "model": body["model"]}
        data = whole(head, text, usage=usage_of(100, 10)).data
        if not self.usage:
            payload = json.loads(data)
            payload.pop("usage")
            data = json.dumps(payload).encode()
        yield Said(200, data)

    def forward(self, method: str, path: str, body: bytes, headers: Mapping[str, str]) -> Any:
        raise NotImplementedError

    async def models(self) -> Sequence[ModelCard]:
        return []

    async def aclose(self) -> None: ...


STARTS = {
    "extraction": "Take the atomic",
    "entailment": "For each item say whether the premise",
    "verdicts": "For each item say how",
    "derivation": "Derive propositions",
    "projecting": "Say where the proposition",
    "filing": "Say of each text",
    "routing": "Say what each request",
    "proposing": "Propose axes",
    "rendering": "Write what is requested",
    "supposing": "Write the passage",
    "deciding": "Say of each request two",
}


def judge_of(body: Mapping[str, Any]) -> str:
    """Which judge asks, told by the beginning of what it says."""
    told = body["messages"][0]["content"]
    return next(judge for judge, start in STARTS.items() if told.startswith(start))


@dataclass
class Said:
    """An `Upstream` that is whole."""

    status: int
    data: bytes
    headers: Mapping[str, str] = field(default_factory=dict)
    streamed: bool = False
    sent: str = ""

    async def frames(self) -> AsyncIterator[Frame]:
        yield Frame(self.data, self.data)
