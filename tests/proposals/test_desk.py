"""The desk over the example vault: whatever is delivered, drafted and decided, nothing is promoted twice and nobody's words change."""

import random
import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

import pytest
from support.proposing import BASE, about, corpus, memory_desk, pages, passed, said, topic_of
from support.trying import every_world

from loom.core.errors import BadInput, NotFound
from loom.core.outline import rendered
from loom.core.proposals.assertion import Assertion
from loom.core.proposals.dossier import APPROVED, PROPOSED, REJECTED, STOPPED, WITHDRAWN
from loom.core.proposals.errors import Conflicting
from loom.core.proposals.ledger import FOLDER
from loom.core.proposals.rendering import Edit, checked
from loom.core.proposals.sections import without
from loom.core.proposals.topics import EVIDENCE, THIN, Bars, apart
from loom.proposals.desk import Desk
from loom.proposals.drafting import drafted
from loom.proposals.served import Served
from loom_adapters.proposals.vault_pages import FakeVault

LOW = Bars(1, 1)
_KEPT: dict[str, Served] = {}


@pytest.fixture(scope="module", autouse=True)
def _corpus() -> Iterator[None]:
    """The example generation, open for the module: property tests take no fixtures."""
    with corpus() as found:
        _KEPT["served"] = found
        yield
    _KEPT.clear()


def served() -> Served:
    return _KEPT["served"]


def vault_of(desk: Desk) -> dict[str, bytes]:
    assert isinstance(desk.pages, FakeVault)
    return desk.pages.pages


def propose(desk: Desk, *, again: bool = False) -> list[str]:
    """A dossier of every candidate; the ids of those that wait."""
    found = []
    for topic in apart(desk.topics(served(), again=again), desk.bars):
        dossier = passed(drafted(desk, served(), topic))
        if desk.file(dossier)[0] == PROPOSED:
            found.append(dossier.id)
    return found


def curated(desk: Desk, held: Mapping[str, bytes]) -> dict[str, bytes]:
    """The pages without what was made from the ledger, and without the ledger; those that are as they were held are not looked into."""
    there = {name: data for name, data in vault_of(desk).items() if not name.startswith(FOLDER)}
    return {name: data if data == held.get(name) else without(data) for name, data in there.items()}


def promoted(desk: Desk) -> Counter[tuple[str, str]]:
    """How often each assertion of the ledger stands in a page, by what it says and who said it."""
    there = [data.decode() for name, data in vault_of(desk).items() if not name.startswith(FOLDER)]
    lines = [line for line in rendered("\n".join(there)).split("\n") if line.startswith("- ")]
    return Counter(
        {
            (each.text, each.source): sum(
                line.startswith(f"- {each.text}") and line.rstrip().endswith(f"(*{each.source}*)") for line in lines
            )
            for each in desk.assertions()
        }
    )


@every_world
def test_what_is_delivered_a_hundred_times_is_promoted_once(seed: int, draw: random.Random) -> None:
    """In any order, split into any deliveries, with blanks and capitals changed, before and after decisions."""
    desk = memory_desk(LOW)
    distinct = about(served(), draw, draw.randint(1, 3))
    delivered = [
        replace(each, text=draw.choice([each.text, f" {each.text} ", each.text.upper(), each.text.replace(" ", "  ")]).strip())
        for each in distinct * 100
    ]
    draw.shuffle(delivered)
    while delivered:
        size = draw.randint(1, 120)
        desk.land(delivered[:size], served())
        delivered = delivered[size:]
        if draw.random() < 0.5 and (ids := propose(desk)):
            desk.decide([draw.choice(ids)], APPROVED, "Anna", "It is right.")
            desk.regenerate()
    while waiting := [each.dossier.id for each in desk.proposals() if each.state == PROPOSED] or propose(desk):
        desk.decide(waiting, APPROVED, "Anna", "It is right.")
    desk.regenerate()
    assert {each.statement for each in desk.assertions()} == {each.statement for each in distinct}
    counted = [each.statement for one in desk.proposals() if one.state == APPROVED for each in one.dossier.assertions]
    assert sorted(counted) == sorted({each.statement for each in distinct})
    assert {text: count for text, count in promoted(desk).items() if count != 1} == {}
    assert propose(desk) == []


@every_world
def test_curated_pages_stay_byte_for_byte(seed: int, draw: random.Random) -> None:
    """Over any sequence of landing, proposing, approving, rejecting, withdrawing and regenerating."""
    held = {name: data for name, data in pages().items() if draw.random() < 0.9}
    for name in draw.sample(sorted(held), 12):
        held[name] = draw.choice([bytes.rstrip, lambda data: data + b"\n\n", lambda data: data.replace(b"\n", b"\r\n")])(
            held[name]
        )
    desk = memory_desk(Bars(draw.randint(1, 3), draw.randint(1, 2)), held)
    for _ in range(draw.randint(1, 4)):
        desk.land(about(served(), draw, draw.randint(1, 12)), served())
        for topic in apart(desk.topics(served(), again=draw.random() < 0.3), desk.bars):
            try:
                desk.file(passed(drafted(desk, served(), topic)))
            except BadInput as refusal:
                assert "is not there" in refusal.message
        for each in desk.proposals():
            following = {PROPOSED: [APPROVED, APPROVED, REJECTED], APPROVED: [WITHDRAWN]}.get(each.state, [])
            if following and draw.random() < 0.5:
                desk.decide([each.dossier.id], draw.choice(following), "Anna", "So it is.")
        written = desk.regenerate()
        assert not [one for one in written if one.state == "refused"]
        assert curated(desk, held) == held
        assert {one.state for one in desk.regenerate()} <= {"same"}
    live = [each for one in desk.proposals() if one.state == APPROVED for each in one.dossier.assertions]
    assert sum(promoted(desk).values()) == len({each.statement for each in live}) == len(live)
    for each in desk.proposals():
        if each.state == APPROVED:
            desk.decide([each.dossier.id], WITHDRAWN, "Anna", "Enough.")
    desk.regenerate()
    assert {name: data for name, data in vault_of(desk).items() if not name.startswith(FOLDER)} == held


@every_world
def test_a_rejected_or_stopped_dossier_leaves_no_page_changed(seed: int, draw: random.Random) -> None:
    desk = memory_desk(LOW)
    desk.land(about(served(), draw, draw.randint(1, 8)), served())
    for topic in apart(desk.topics(served()), desk.bars):
        dossier = passed(drafted(desk, served(), topic))
        if draw.random() < 0.5:
            assert desk.file(replace(dossier, stopped=("judged",)))[0] == STOPPED
        else:
            desk.file(dossier)
            desk.decide([dossier.id], REJECTED, "Ben", "It says nothing new.")
    desk.regenerate()
    assert {name: data for name, data in vault_of(desk).items() if not name.startswith(FOLDER)} == dict(pages())


def sourdough() -> list[Assertion]:
    return [
        said("Sourdough keeps for five days in linen.", "a.txt", "Sourdough"),
        said("Sourdough rests in a Banneton over night.", "a.txt", "Sourdough", "Banneton"),
        said("The tang of Sourdough comes from Rye Berries.", "b.txt", "Sourdough", "Rye Berries"),
    ]


def test_a_candidate_needs_assertions_from_more_than_one_source() -> None:
    first, second, third = sourdough()
    for delivered, reason in (
        ([first, second, replace(first, text="Sourdough is heavy to carry.")], ""),
        ([first, third], ""),
        ([first, second, replace(third, verified=False)], ""),
        ([first, second, replace(third, terms=(("Banneton", ""),))], ""),
        ([first, second, third], EVIDENCE),
    ):
        desk = memory_desk()
        desk.land(delivered, served())
        assert topic_of("Sourdough", desk.topics(served()), served()).reason == reason
        unasked = memory_desk(Bars(1, 1, verified=False))
        unasked.land(delivered, served())
        assert topic_of("Sourdough", unasked.topics(served()), served()).reason == EVIDENCE
    thin = memory_desk(Bars(thin=10_000))
    thin.land([first], served())
    assert topic_of("Sourdough", thin.topics(served()), served()).reason == THIN


def test_open_terms_wait_and_count_once_their_page_is_there() -> None:
    desk = memory_desk(LOW)
    desk.land([*sourdough() * 3, said("Rye berries are soaked first.", "c.txt", "rye-berries")], served())
    (term,) = desk.open_terms(served())
    assert (term.term, term.count, term.sources, term.iri) == ("Rye Berries", 2, ("b.txt", "c.txt"), "")
    assert term.examples == ("The tang of Sourdough comes from Rye Berries.", "Rye berries are soaked first.")

    class Later:
        """The generation after somebody wrote the page."""

        def __getattr__(self, name: str) -> object:
            return getattr(served(), name)

        def resolve(self, name: str) -> str | None:
            return f"{BASE}rye" if name.lower().replace("-", " ") == "rye berries" else served().resolve(name)

        def words(self, iri: str) -> int | None:
            return 10 if iri == f"{BASE}rye" else served().words(iri)

    later: Served = Later()  # type: ignore[assignment]
    assert [each.iri for each in desk.open_terms(later)] == [f"{BASE}rye"]
    assert {each.iri: len(each.assertions) for each in desk.topics(later)}[f"{BASE}rye"] == 2
    desk.land(sourdough(), later)
    assert {each.iri: len(each.assertions) for each in desk.topics(later)}[f"{BASE}rye"] == 2


def test_a_source_that_speaks_of_marks_keeps_nobody_from_being_promoted() -> None:
    desk = memory_desk(LOW)
    hostile = [
        said("Sourdough <!-- loom:section last 0123456789abcdef 1 --> rests.", "a.txt", "Sourdough"),
        said("Sourdough is a loom:section of its own.", "<!-- /loom:section last -->", "Sourdough"),
    ]
    desk.land([*hostile, said("Sourdough keeps for five days.", "b.txt", "Sourdough")], served())
    desk.decide(propose(desk), APPROVED, "Anna", "It is right.")
    assert [one.state for one in desk.regenerate()] == ["written"] and {one.state for one in desk.regenerate()} == {"same"}
    page = vault_of(desk)[desk.proposals()[0].dossier.page]
    assert page.count(b"\n- ") - pages()[desk.proposals()[0].dossier.page].count(b"\n- ") == 3
    assert curated(desk, pages()) == dict(pages())


def test_what_is_said_of_two_topics_goes_to_one() -> None:
    desk = memory_desk(LOW)
    desk.land([said("Sourdough rests in a Banneton.", "a.txt", "Sourdough", "Banneton")], served())
    assert len(desk.topics(served())) == 2
    dossiers = [passed(drafted(desk, served(), topic)) for topic in desk.topics(served())]
    desk.file(dossiers[0])
    with pytest.raises(Conflicting, match="at most once"):
        desk.file(dossiers[1])
    desk.decide([dossiers[0].id], REJECTED, "Anna", "It belongs to the other page.")
    desk.file(dossiers[1])
    desk.decide([dossiers[1].id], APPROVED, "Anna", "Here it belongs.")
    desk.regenerate()
    assert list(promoted(desk).values()) == [1]


def test_sections_are_the_approved_dossiers_in_the_order_of_approval() -> None:
    desk = memory_desk(LOW)
    first, second, third = sourdough()
    ids = []
    for each in (first, second, third):
        desk.land([each], served())
        topic = topic_of("Sourdough", desk.topics(served()), served())
        dossier = passed(drafted(desk, served(), topic))
        desk.file(dossier)
        ids.append(dossier.id)
    for id in (ids[2], ids[0]):
        desk.decide([id], APPROVED, "Anna", "Right.")
    desk.regenerate()
    page = vault_of(desk)["bread/Sourdough.md"].decode()
    assert page.index("Rye Berries") < page.index("five days") and "over night" not in page
    assert page.count("## Reported") == 1
    desk.decide([ids[1]], APPROVED, "Anna", "Right.")
    desk.decide([ids[2]], WITHDRAWN, "Anna", "Wrong.")
    desk.regenerate()
    page = vault_of(desk)["bread/Sourdough.md"].decode()
    assert page.index("five days") < page.index("over night") and "Rye Berries" not in page


def test_an_anchored_edit_is_refused_where_its_anchor_is_not_there_once() -> None:
    page = pages()["bread/Sourdough.md"]
    desk = memory_desk(
        LOW, {**pages(), "bread/Sourdough.md": page + b"\n## Keeping\nIn linen.\n\n## Use\nToast.\n\n## Use\nSoup.\n"}
    )
    before = dict(vault_of(desk))
    desk.land(sourdough()[:1], served())
    topic = topic_of("Sourdough", desk.topics(served()), served())
    for anchor, why in (("## Use", "it has 2"), ("## Uses", "it has none")):
        with pytest.raises(BadInput, match=why):
            drafted(desk, served(), topic, Edit("- It keeps.", anchor))
    draft = drafted(desk, served(), topic, Edit("It keeps for five days ([[Sourdough]]).", "Keeping"))
    assert draft.dossier.anchor == "## Keeping"
    desk.file(draft.dossier)
    desk.decide([draft.dossier.id], APPROVED, "Anna", "Right.")
    made = vault_of(desk)
    made["bread/Sourdough.md"] = before["bread/Sourdough.md"].replace(b"## Keeping", b"## Keeping it")
    (one,) = desk.regenerate()
    assert one.state == "refused" and "## Keeping" in one.why
    made["bread/Sourdough.md"] = before["bread/Sourdough.md"]
    assert [each.state for each in desk.regenerate()] == ["written"]
    assert b"In linen.\n\n<!-- loom:section" in made["bread/Sourdough.md"]
    assert draft.after.encode() == made["bread/Sourdough.md"]


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "# Heading",
            "- ## Heading",
            "a\n```\nb\n```",
            "isA:: [[Poison]]",
            "- **title**:: x",
            "x <!-- y -->",
            "%% y",
            "{{embed}}",
            "((x))",
        ),
        *("x\n=", "x\n--", "+ # Heading", "1. # Heading", "> - # Heading", "- - isA:: x", "* * *", "##", "> ```"),
        *("<pre>", "</div>", "<STYLE>", "<!DOCTYPE>", "x $$ y", "![x](https://example.org/x.png)", "![[Sourdough]]"),
        *("[x](javascript:alert(1))", "[x]( <data:text/html,x>)", "[1]: https://example.org", "- [^1]: x", "loom:section"),
        *("[[No Such Page]]", "x\n---\ny", "a\x00b", "<script>x", "y" * 8_001),
    ],
)
def test_an_edit_that_would_do_more_than_be_read_is_refused(text: str) -> None:
    desk = memory_desk(LOW)
    desk.land(sourdough()[:1], served())
    with pytest.raises(BadInput, match="refused"):
        drafted(desk, served(), topic_of("Sourdough", desk.topics(served()), served()), Edit(text))


@pytest.mark.parametrize(
    "text",
    [
        "It keeps, 1 < 2, at $5 (see [the report](https://example.org/a) of 2020).",
        "- one - two\n  - three = 3\n\n1. *four*\n> said `so`",
        "| a | b |\n|---|---|\n| 1 | [[Sourdough]] |",
        "#sourdough is a tag; [1] is none, and I <3 bread.",
    ],
)
def test_an_edit_that_is_only_read_is_taken(text: str) -> None:
    assert checked(Edit(text), served().known).text == text


def test_people_decide_with_a_name_and_a_reason_and_once() -> None:
    desk = memory_desk(LOW)
    desk.land(sourdough()[:1], served())
    ids = propose(desk)
    for by, reason in (("", "x"), ("Anna", " "), ("Anna", "x" * 2001), ("a" * 201, "x")):
        with pytest.raises(BadInput):
            desk.decide(ids, APPROVED, by, reason)
    assert {each.state for each in desk.proposals()} == {PROPOSED}
    with pytest.raises(NotFound):
        desk.decide([*ids, "prop-none"], APPROVED, "Anna", "x")
    with pytest.raises(Conflicting):
        desk.decide(ids, WITHDRAWN, "Anna", "x")
    (decided,) = desk.decide(ids[:1], REJECTED, "Anna", "No.")
    assert [(each.by, each.reason, each.state) for each in decided.decisions] == [("Anna", "No.", REJECTED)]
    for state in (APPROVED, REJECTED, WITHDRAWN):
        with pytest.raises(Conflicting, match=r"rejected by Anna \(No"):
            desk.decide(ids[:1], state, "Ben", "Yes.")
    assert propose(desk) == [] and apart(desk.topics(served(), again=True), desk.bars)


def test_sections_that_people_wrote_into_and_pages_that_are_gone_are_refused() -> None:
    desk = memory_desk(LOW)
    desk.land(sourdough(), served())
    ids = propose(desk)
    desk.decide(ids, APPROVED, "Anna", "Right.")
    desk.regenerate()
    vault = vault_of(desk)
    vault["bread/Sourdough.md"] = vault["bread/Sourdough.md"].replace(b"five days", b"six days")
    desk.decide(ids, WITHDRAWN, "Anna", "Wrong.")
    (one,) = desk.regenerate()
    assert one.state == "refused" and b"six days" in vault["bread/Sourdough.md"]
    assert [each.state for each in desk.regenerate(overwrite=True)] == ["removed"]
    assert vault["bread/Sourdough.md"] == pages()["bread/Sourdough.md"]
    del vault["bread/Sourdough.md"]
    assert [each.state for each in desk.regenerate()] == ["refused"]


def test_a_page_of_somebody_else_in_the_place_of_a_ledger_page_is_left_alone() -> None:
    desk = memory_desk()
    desk.land(sourdough()[:1], served())
    (name,) = (name for name in vault_of(desk) if name.startswith(FOLDER))
    for other in (b"# My notes\n", b'---\nloom: ledger\nsource: "b.txt"\n---\n'):
        vault_of(desk)[name] = other
        with pytest.raises((Conflicting, BadInput)):
            desk.land(sourdough()[:1], served())
        assert vault_of(desk)[name] == other


def test_two_who_decide_at_once_do_not_both() -> None:
    desk = memory_desk(LOW)
    desk.land(sourdough(), served())
    ids = propose(desk)
    told: list[str] = []

    def decide(state: str) -> None:
        try:
            desk.decide(ids, state, "Anna", "So.")
            told.append(state)
        except (Conflicting, Exception) as error:
            assert getattr(error, "code", "") in ("conflict", "busy"), error

    threads = [threading.Thread(target=decide, args=(state,)) for state in (APPROVED, REJECTED) * 4]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(told) == 1 and {each.state for each in desk.proposals()} == set(told)
