"""The graph pipeline and derivation by the small tier, beside kept claims."""

from support.claim_worlds import SMALL, fits_of, workspace

from loom.claims.asks import TakeIn
from loom.compose_lab import claims_in_memory, scripted_judges
from loom.core.claims.intake.ids import entry
from loom.core.claims.parts import Parts
from loom.lab.claims.artifacts import artifacts
from loom.lab.claims.beside import beside, small_tier
from loom.lab.claims.entities import indexed, names_in
from loom.lab.claims.pooling import split
from loom.lab.claims.study import PARTS
from loom.lab.claims.workspace import Workspace
from loom.lab.claims.worlds.tables import Tables, tables


def test_names_are_told_by_their_capitals_and_not_by_the_start_of_a_sentence() -> None:
    assert names_in("The boiler belongs to Ana Ruiz and to Alder.") == ["Ana Ruiz", "Alder"]
    assert names_in("Pumps fail.") == [] and names_in("Arlen Mill pays Arlen Mill.") == ["Arlen Mill"]


async def test_entities_that_occur_together_are_one_community_with_one_summary() -> None:
    texts = ["Arlen Mill sells to Borth Quay.", "Borth Quay owes Calder Yard.", "Dunmore Works is closed.", "Nobody knows."]
    said = Tables()
    entries = [entry(f"memo-{at}", text) for at, text in enumerate(texts)]
    said.propositions.update({each.id: [text] for each, text in zip(entries, texts, strict=True)})
    held = Workspace(claims_in_memory, scripted_judges, said, Parts(entailment=False))
    await held.do([TakeIn(each) for each in entries])
    graph = await indexed(held)
    assert graph.community == {"Arlen Mill": 0, "Borth Quay": 0, "Calder Yard": 0, "Dunmore Works": 1}
    assert len(graph.summaries) == len(graph.calls) == 2 and graph.summaries[1] == texts[2]
    assert all(each.tier == "large" and each.price > 0 for each in graph.calls)
    ids = {text: id for id, text in graph.texts.items()}
    cites = graph.sources([(ids[texts[3]], texts[3])], "What of Borth Quay?", 8)
    assert [each.text for each in cites[:3]] == [texts[3], texts[0], texts[1]] and cites[-1].id == "community:0"
    assert len(graph.sources([(ids[text], text) for text in texts], "What of Borth Quay?", 3)) == 3
    assert [each.id for each in graph.sources([(ids[texts[3]], texts[3])], "nothing", 8)] == [ids[texts[3]]]
    await held.aclose()


async def test_kept_claims_are_preferred_to_both_and_the_strongest_model_is_needed() -> None:
    world, held = await workspace()
    said = tables(world, SMALL, 1)
    fits = fits_of(world, 0.02, 0.01)
    await held.settle(fits)
    requests = split(world.queries, 1)[1][:20]
    full = await artifacts(held, world, requests)
    found = await beside(
        held, world, requests, full, (claims_in_memory, scripted_judges, said, PARTS), lambda weak: weak.settle(fits)
    )
    assert found.preferred["graph"].significant and found.strongest
    assert found.preferred["small"].wins + found.preferred["small"].losses + found.preferred["small"].ties == len(requests)
    assert found.index > 0 and found.communities == SMALL.entities
    assert small_tier(scripted_judges)(said).derivation.tier == "small"  # type: ignore[attr-defined]
    await held.aclose()
