"""A kind of evidence that no file of the node knows reaches every surface: opening hours, with a part, a finder and a watch."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar, Self

import httpx
import pytest
from support.nodes import KILNS, kiln_node, served
from support.sources import sources

from loom.answer.plan import Pin, Plan
from loom.build import seal, stage
from loom.compose import Node
from loom.core.generation import PartFiles
from loom.core.mint.make import make
from loom.core.policy.policy import Policy
from loom.core.values import Candidate, Evidence, Finding, Json, Outcome, Question, Tier
from loom.serve.app import create_app
from loom_adapters.concept_list import FakeCorpus
from loom_adapters.generation_folder import GenerationFolder
from loom_adapters.scripted_model import FakeModel

CHAT = "/v1/chat/completions"
SHOPS = {"urn:shop:clay-corner": ("Clay Corner", "09:00", "17:30"), "urn:shop:glaze-house": ("Glaze House", "11:00", "20:00")}
QUESTION = "When is Clay Corner open, and do they sell a kiln?"


class Hours:
    """The part: one line of JSON per shop."""

    KIND: ClassVar[str] = "hours"

    def __init__(self, shops: Mapping[str, tuple[str, str, str]]) -> None:
        self.shops = shops

    @classmethod
    def open(cls, files: PartFiles) -> Self:
        lines = [json.loads(line) for line in bytes(files.blob("hours.jsonl")).splitlines()]
        return cls({line["iri"]: (line["title"], line["opens"], line["closes"]) for line in lines})


def press_hours(work: stage.Work) -> None:
    lines = [
        json.dumps({"closes": closes, "iri": iri, "opens": opens, "title": title}, sort_keys=True)
        for iri, (title, opens, closes) in sorted(SHOPS.items())
    ]
    work.parts["hours"] = {"hours.jsonl": "\n".join(lines).encode()}


class HoursFinder:
    """Finds shops that a question about opening names; only addresses leave it."""

    name = "hours"
    waits = False

    async def find(self, question: Question, pin: Pin, policy: Policy) -> Finding:
        part = pin.generation.part(Hours)
        if part is None or "open" not in question.text:
            return Finding(self.name)
        named = [iri for iri, (title, _, _) in part.shops.items() if title in question.text]
        candidates = tuple(Candidate(iri, 1.0, "hours", "name") for iri in named)
        return Finding(self.name, candidates, confidence=0.99, named=bool(named), reason="fact" if named else "off_topic")

    async def mint(self, question: Question, pin: Pin, policy: Policy, admitted: Sequence[Candidate]) -> Sequence[Evidence]:
        part = pin.generation.part(Hours)
        assert part is not None
        return [
            make(
                iri=each.iri,
                title=part.shops[each.iri][0],
                lines=[("{} is open from {} to {}.".format(*part.shops[each.iri]), (part.shops[each.iri][0],))],
                tier=Tier.COMPUTED,
                must=True,
                found=each,
            )
            for each in admitted
        ]


class HoursWatch:
    """Counts the served times that an answer repeats."""

    key = "hours"

    def __init__(self, plan: Plan) -> None:
        shown = [each for each in plan.block.served if each.evidence.iri.startswith("urn:shop:")]
        self._times = [word.strip(".") for each in shown for line in each.lines for word in line.split() if ":" in word]
        self._text = ""

    def feed(self, text: str) -> None:
        self._text += text

    def report(self, outcome: Outcome) -> Mapping[str, Json] | None:
        return {"times": len(self._times), "repeated": sum(time in self._text for time in self._times)} if self._times else None

    async def after(self, outcome: Outcome) -> None:
        pass


@pytest.fixture
def node(tmp_path: Path) -> Node:
    """A node composed with the kind, over a generation that a build with its stage sealed."""
    stages = stage.ordered([*stage.found(), stage.Stage("hours", ("read",), press_hours)])
    work = stage.Work([stage.Source("kilns", FakeCorpus(KILNS))])
    stage.run(work, stages)
    store = GenerationFolder(tmp_path)
    with store.draft() as draft:
        seal.write(draft, work.concepts, work.report, work.parts)
        store.point(store.seal(draft))
    plain = kiln_node(tmp_path, concepts=())
    return replace(
        plain,
        finders=(*plain.finders, HoursFinder()),
        watches=lambda plan: (*plain.watches(plan), HoursWatch(plan)),
        parts=(*plain.parts, Hours),
    )


async def post(node: Node, path: str, body: Any, **headers: str) -> httpx.Response:
    async with served(create_app(node)) as url, httpx.AsyncClient(base_url=url) as client:
        return await client.post(path, json=body, headers=headers)


def chat(**more: Any) -> dict[str, Any]:
    return {"model": "any", "messages": [{"role": "user", "content": QUESTION}], **more}


def test_no_file_of_the_node_knows_it() -> None:
    texts = [file.read_text(encoding="utf-8") for file in sources().values()]
    assert len(texts) > 100
    assert not [text for text in texts if "HoursFinder" in text or "urn:shop:" in text or 'KIND = "hours"' in text]


@pytest.mark.parametrize("policy", ["default", "reference"])
async def test_it_is_in_the_scaffold_beside_the_concepts(node: Node, policy: str) -> None:
    scaffold = (await post(node, "/loom/scaffold", {"prompt": QUESTION, "policy": policy})).json()
    assert "Clay Corner is open from 09:00 to 17:30." in scaffold["scaffold"]
    assert "A furnace that hardens clay." in scaffold["scaffold"]
    assert "Glaze House" not in scaffold["scaffold"]
    assert "Clay Corner" in scaffold["targets"]


async def test_its_receipt_says_what_it_is(node: Node) -> None:
    loom = (await post(node, CHAT, chat())).json()["loom"]
    assert loom["decision"]["engaged"] and loom["decision"]["confidence"] == 0.99
    first = loom["units"][0]
    assert (first["iri"], first["title"], first["tier"]) == ("urn:shop:clay-corner", "Clay Corner", "computed")
    assert (first["retriever"], first["score"], first["cut"]) == ("hours", 1.0, False)
    assert first["tokens"] > 0
    assert {unit["tier"] for unit in loom["units"][1:]} == {"discovered"}


async def test_the_reader_answers_from_it_and_exposure_and_its_watch_count_it(node: Node) -> None:
    body = (await post(node, CHAT, chat())).json()
    assert "09:00" in body["choices"][0]["message"]["content"]
    assert body["loom"]["hours"] == {"times": 2, "repeated": 2}
    assert "Clay Corner" not in body["loom"]["exposure"]["dropped"]
    assert body["loom"]["exposure"]["counts"]["n11"] >= 1
    cited = [note["url_citation"]["url"] for note in body["choices"][0]["message"]["annotations"]]
    assert "urn:shop:clay-corner" in cited


async def test_a_model_is_shown_it_and_what_the_answer_leaves_out_is_counted(node: Node) -> None:
    model = FakeModel()
    silent = replace(node, backend=model)
    body = (await post(silent, CHAT, chat(model="words?words=3"))).json()
    (sent,) = model.bodies
    assert "Clay Corner is open from 09:00 to 17:30." in sent["messages"][0]["content"]
    assert "Clay Corner" in body["loom"]["exposure"]["dropped"]
    assert body["loom"]["hours"] == {"times": 2, "repeated": 0}


async def test_the_last_chunk_of_a_stream_tells_the_same(node: Node) -> None:
    streamed = await post(node, CHAT, chat(stream=True))
    events = [line.removeprefix("data: ") for line in streamed.text.split("\n") if line.startswith("data: ")]
    last = json.loads(events[-2])["loom"]
    whole = (await post(node, CHAT, chat())).json()["loom"]
    for key in ("hours", "units", "exposure", "decision", "injected_tokens"):
        assert last[key] == whole[key], key


async def test_what_must_be_shown_is_shown_or_refused_never_dropped(node: Node) -> None:
    tight = await post(node, "/loom/scaffold", {"prompt": QUESTION, "budget": 5})
    assert tight.status_code == 400
    assert "Clay Corner" in tight.text


async def test_other_questions_do_not_meet_it(node: Node) -> None:
    loom = (await post(node, CHAT, {"model": "any", "messages": [{"role": "user", "content": "What is a kiln?"}]})).json()[
        "loom"
    ]
    assert {unit["retriever"] for unit in loom["units"]} == {"lexical"}
    assert "hours" not in loom


async def test_a_finder_that_fails_is_a_label_and_the_rest_is_served(node: Node) -> None:
    class Broken(HoursFinder):
        async def find(self, question: Question, pin: Pin, policy: Policy) -> Finding:
            raise RuntimeError("the clock stopped")

    broken = replace(node, finders=(*node.finders[:-1], Broken()))
    loom = (await post(broken, CHAT, chat())).json()["loom"]
    assert loom["decision"]["engaged"]
    assert loom["decision"]["failures"] == ["hours: RuntimeError: the clock stopped"]
    assert {unit["retriever"] for unit in loom["units"]} == {"lexical"}


@pytest.mark.parametrize("policy", ["default", "reference"])
async def test_a_context_has_it_in_its_tier_with_an_address_and_a_receipt(node: Node, policy: str) -> None:
    body = (await post(node, "/loom/context", {"prompt": QUESTION, "policy": policy})).json()
    assert "tiers" in body, body
    first = body["tiers"][0]
    assert first["tier"] == "computed" and [unit["iri"] for unit in first["units"]] == ["urn:shop:clay-corner"]
    assert first["units"][0]["text"] == "Clay Corner is open from 09:00 to 17:30." and first["units"][0]["why"] == "name"
    assert {"iri": "urn:shop:clay-corner", "why": "name", "retriever": "hours", "score": 1.0} in body["addresses"]
    receipt = body["receipts"][0]
    assert receipt["iri"] == "urn:shop:clay-corner" and receipt["generation"] == body["pin"]["generation"]
    assert receipt["sha256"] == sha256(first["units"][0]["text"].encode()).hexdigest()
