"""What a question is read as, by declared names alone."""

import random
from dataclasses import replace

import pytest
from hypothesis import strategies as st
from support import asked_bases as kb
from support.trying import many

from loom.core.facts.asked import Ask
from loom.core.facts.citing import cite, cited
from loom.core.facts.memory_held import MemoryHeld
from loom.core.facts.reading import read
from loom.core.facts.values import Attribute, Base, Entity, Metric, SourceFile
from loom.core.values import Turn

HELD = kb.held()

SUBJECTS = {
    "Cuore in Ghiaccio": kb.CUORE,
    "Heart in Ice": kb.CUORE,
    "Orizzonte Blu": kb.BLU,
    "blue horizon": kb.BLU,
    "Harbour Lights": kb.LIGHTS,
    "harbour lights": kb.LIGHTS,
    "Via degli Aceri": kb.MAPLE,
    "MAPLE STREET": kb.MAPLE,
}


@pytest.mark.parametrize(("name", "entity"), SUBJECTS.items())
@pytest.mark.parametrize(
    "form",
    [
        "What was the peak share of {}, and when?",
        "Qual è stato il picco di share di {} e quando?",
        "Wie hoch war die höchste share von {}?",
        "Quel est le pic de share de {} ?",
        "¿Cuál fue el máximo de share de {}?",
        "{}: highest share?",
    ],
)
def test_a_named_thing_a_metric_and_a_statistic(form: str, name: str, entity: str) -> None:
    ask = read(HELD, form.format(name))
    assert ask.entities == (entity,)
    assert (ask.sources, ask.bases, ask.unowned, ask.carried) == ((), (), (), ())
    assert ask.metrics == (kb.SHARE if entity in (kb.CUORE, kb.BLU) else kb.REACH,)
    assert ask.statistics == ("max",)
    assert not ask.compares


@pytest.mark.parametrize("name", ["Heart  in\nIce", "HEART IN ICE", "Ｈｅａｒｔ in Ice", "heart-in-ice", "Heart in Ice's"])
def test_names_are_compared_folded(name: str) -> None:
    assert read(HELD, f"What is the share of {name}?").entities == (kb.CUORE,)


@pytest.mark.parametrize(
    ("text", "statistics"),
    [
        ("When did the share of Maple Street peak?", ("max",)),
        ("lowest and highest share of Maple Street", ("min", "max")),
        ("the first and the last share of Maple Street", ("first", "last")),
        ("How many rows does Maple Street have?", ("count",)),
        ("How many spettatori had Cuore in Ghiaccio?", ()),
        ("What was the average share of Maple Street?", ("mean",)),
        ("What does the share of Maple Street mean?", ()),
        ("la quota media di Orizzonte Blu, in media", ("mean",)),
        ("il valore più basso della quota di Orizzonte Blu", ("min",)),
        ("der niedrigste Wert von Harbour Lights", ("min",)),
        ("la valeur la plus élevée de Harbour Lights", ("max",)),
        ("el valor más bajo de Harbour Lights", ("min",)),
        ("the share of Maple Street", ()),
    ],
)
def test_statistics_are_words_of_the_question(text: str, statistics: tuple[str, ...]) -> None:
    assert read(HELD, text).statistics == statistics


def test_words_of_metrics_are_declared_ones_alone_and_the_longest_wins() -> None:
    assert read(HELD, "la quota di ascolto di Orizzonte Blu").metrics == (kb.SHARE,)
    assert read(HELD, "spettatori e quota di Orizzonte Blu").metrics == (kb.VIEWERS, kb.SHARE)
    for undeclared in ("shares", "audienceshare", "shar", "Marktanteil", "quote", "rating"):
        assert read(HELD, f"What is the {undeclared} of Orizzonte Blu?").metrics == ()


def test_a_metric_of_no_named_base_is_still_read() -> None:
    assert read(HELD, "What is the turnover of Harbour Lights?").metrics == (kb.REVENUE,)


@pytest.mark.parametrize(
    ("text", "sources"),
    [
        ("What is in ratings/cuore.csv?", ("cuore",)),
        ("What does Harbour Lights transcript say?", ("lights-talk",)),
        ("How large is the AI medicine segment?", ("segment",)),
        ("How large is the ai medicine market?", ("segment",)),
        ('Open "AI cast list"', ("cast",)),
        ("the file lights.srt", ("lights-talk",)),
        ("Orizzonte Blu copione", ("blu-talk",)),
    ],
)
def test_a_file_is_named_by_title_alias_or_path(text: str, sources: tuple[str, ...]) -> None:
    ask = read(HELD, text)
    assert ask.sources == tuple(kb.Q[key] for key in sources)
    assert not ask.unowned


@pytest.mark.parametrize(
    "text",
    [
        "What is the AI outlook?",
        "AI?",
        "How will AI change the list?",
        "Is TV dead?",
        "Was ist AI?",
        "the talk",
        "blue ice",
    ],
)
def test_short_words_and_shared_ones_never_anchor_alone(text: str) -> None:
    ask = read(HELD, text)
    assert (ask.bases, ask.sources, ask.entities) == ((), (), ())


def test_a_common_word_in_small_letters_names_nothing_and_one_of_several_names_means_their_base() -> None:
    for text in ("What lights are there in London?", "Which horizon is blue?", "How large is a segment of everything?"):
        ask = read(HELD, text)
        assert (ask.bases, ask.sources, ask.entities) == ((), (), ())
    assert read(HELD, "What is in Copione?").bases == (kb.IT,)
    assert read(HELD, "what did marcantonio say?").entities == (kb.ELENA,)
    assert read(HELD, "What did marcantonio say?").entities == (kb.ELENA,)


def test_one_long_word_of_one_base_anchors_and_of_two_it_does_not() -> None:
    assert read(HELD, "when did ghiaccio start").entities == (kb.CUORE,)
    assert read(HELD, "When did Ghiaccio start?").entities == (kb.CUORE,)
    assert (read(HELD, "Who saw the Lights?").entities, read(HELD, "Who saw the Lights?").sources) == ((kb.LIGHTS,), ())
    shared = read(HELD, "how is the airtime")
    assert (shared.bases, shared.sources, shared.entities) == ((), (), ())


@pytest.mark.parametrize(
    ("text", "unowned"),
    [
        ("What was the peak share of Cucina con Giallo?", "Cucina con Giallo"),
        ('the share of "cucina con giallo"', "cucina con giallo"),
        ("la quota di Il Mercante di Nebbia", "Il Mercante di Nebbia"),
        ("What Was the Peak Share of Cucina con Giallo?", "Cucina con Giallo"),
        ("the share of «Nova»", "Nova"),
        ("the share of „Nova Zwei“", "Nova Zwei"),
        ("Peak share of Cuore con Giallo?", "Cuore con Giallo"),
        ("the share of Maple Street Christmas Special", "Maple Street Christmas Special"),
        ("the share of Cuore in Ghiaccio 2", "Cuore in Ghiaccio 2"),
        ("the share of Return to Maple Street", "Return to Maple Street"),
        ("the share of Death in Maple Street", "Death in Maple Street"),
        ("the share of the programme Nova", "Nova"),
        ("la quota del programma Nova", "Nova"),
        ("what is in the transcript Zeppelin?", "Zeppelin"),
        ("what is in file cucina.csv?", "cucina.csv"),
        ("die höchste share von Nachtschicht Berlin", "Nachtschicht Berlin"),
        ("Who is Elena Rossi in 1999?", "Elena Rossi"),
    ],
)
def test_a_name_that_nobody_owns_is_told_and_a_part_of_it_names_nothing(text: str, unowned: str) -> None:
    ask = read(HELD, text)
    assert ask.unowned == (unowned,)
    assert (ask.bases, ask.sources, ask.entities) == ((), (), ())


@pytest.mark.parametrize(
    "text",
    [
        "Is Maple Street better?",
        "During Maple Street, what was the Audience Share?",
        "Who is Elena in Harbour Lights?",
        "What Was The Peak Share Of Maple Street",
        "WHAT WAS THE PEAK SHARE OF MAPLE STREET",
        "Compare Maple Street and Harbour Lights",
        "Show Maple Street share",
        "What was the share of Maple Street on Monday?",
        "What was the share of Maple Street in May?",
        "Setting AI aside, what was the share of Maple Street?",
        'Who says "I never left" in Harbour Lights?',
        'What does "audience share" mean for Harbour Lights?',
        "Wie hoch war der Maple Street Anteil?",
        "the share of Maple Street at 2:26",
        'the share of "Maple Street"',
    ],
)
def test_an_owned_name_leaves_nothing_unowned(text: str) -> None:
    ask = read(HELD, text)
    assert ask.unowned == ()
    assert ask.entities


def test_an_unowned_name_beside_an_owned_one() -> None:
    ask = read(HELD, "Which peaked higher, Maple Street or Cucina con Giallo?")
    assert (ask.entities, ask.unowned, ask.compares) == ((kb.MAPLE,), ("Cucina con Giallo",), True)
    ask = read(HELD, "Elena Rossi in Harbour Lights")
    assert (ask.entities, ask.unowned) == ((kb.LIGHTS,), ("Elena Rossi",))


@pytest.mark.parametrize(
    ("text", "compares"),
    [
        ("Compare the peaks of Cuore in Ghiaccio and Orizzonte Blu", True),
        ("share of cuore in ghiaccio vs harbour lights", True),
        ("Cuore in Ghiaccio, Orizzonte Blu", True),
        ("Is the share of Orizzonte Blu higher than 30?", True),
        ("Che differenza c'è tra Orizzonte Blu e Cuore in Ghiaccio?", True),
        ("Orizzonte Blu and once more Orizzonte Blu", False),
        ("the peak share of Orizzonte Blu", False),
    ],
)
def test_comparison(text: str, compares: bool) -> None:
    assert read(HELD, text).compares is compares


@pytest.mark.parametrize(
    ("text", "passage"),
    [
        ("What was happening in Harbour Lights when the share peaked?", True),
        ("Cosa succede in Orizzonte Blu?", True),
        ("Quote the dialogue of Harbour Lights", True),
        ("What is the last scene of Orizzonte Blu about?", True),
        ("What is the share of Orizzonte Blu?", False),
    ],
)
def test_passages(text: str, passage: bool) -> None:
    assert read(HELD, text).passage is passage


def history(*names: str) -> list[Turn]:
    lines = " ".join(f"The value is 3 {cite(name)}." for name in names)
    return [Turn("user", "Tell me."), Turn("assistant", lines), Turn("user", f"Thanks {cite('ratings/maple.csv')}")]


def test_a_citation_is_read_back() -> None:
    assert cited(f"a {cite('x y.csv')} b {cite('z')} c {cite('x y.csv')}") == ("x y.csv", "z")
    assert cited(cite("a]\n[b")) == ("a b",)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "When did it peak?",
            "What can we deduce from these readings?",
            "And the minimum?",
            "What about the lowest?",
            "Why is that?",
        ),
        *("E il minimo?", "Quando lo ha raggiunto questo?", "Und der niedrigste Wert?", "Wann erreichte es den Höchstwert?"),
        *(
            "Et le minimum ?",
            "Quand cela a-t-il culminé ?",
            "¿Y el mínimo?",
            "¿Cuándo fue eso?",
            "What is the lowest?",
            "When?",
        ),
    ],
)
def test_a_follow_up_that_points_back_is_about_what_was_cited_last(text: str) -> None:
    before = [*history("ratings/lights.csv"), *history("ratings/cuore.csv", "talk/cuore.txt")]
    assert read(HELD, text, before).carried == (kb.Q["cuore"], kb.Q["cuore-talk"])
    assert read(HELD, text).carried == ()


def test_only_answers_are_looked_at_and_only_known_files_carry() -> None:
    assert read(HELD, "When did it peak?", [Turn("user", cite("ratings/maple.csv"))]).carried == ()
    before = [*history("ratings/blu.csv"), Turn("assistant", f"None {cite('nothing.csv')}")]
    assert read(HELD, "When did it peak?", before).carried == (kb.Q["blu"],)
    ask = read(HELD, "What was its share at 2:26?", before)
    assert [(one.base, one.attribute) for one in ask.positions] == [(kb.IT, "second")]
    assert ask.metrics == (kb.SHARE,)


OWN = st.sampled_from(
    [
        "What was the peak share of {}?",
        "And what happens in {} at 2:26?",
        "Compare it with {}",
        "What about {} and its lowest share?",
        "Dimmi la quota di {}",
    ]
)
SELF_CONTAINED = st.sampled_from(
    ["What was the audience share at 2:26?", "Which glacier moves fastest?", "Qual era la quota di ascolto massima ieri sera?"]
)
NAMES = st.sampled_from(
    [*SUBJECTS, "Cucina con Giallo", '"Nova"', "ratings/maple.csv", "Ascolti televisivi", "AI medicine segment"]
)


def turns(seed: int) -> list[Turn]:
    draw = random.Random(seed)
    texts = ["", "It peaked.", "[source: ]", "[source: nothing]", *(cite(iri.split("source/")[1]) for iri in kb.Q.values())]
    return [Turn(draw.choice(("user", "assistant")), draw.choice(texts)) for _ in range(draw.randrange(5))]


TURNS = st.integers(0, 2**32).map(turns)


@many(st.one_of(st.builds(lambda form, name: form.format(name), OWN, NAMES), SELF_CONTAINED), TURNS)
def test_a_self_contained_question_reads_the_same_with_and_without_history(text: str, before: list[Turn]) -> None:
    assert repr(read(HELD, text, before)) == repr(read(HELD, text))


@many(st.text(max_size=200), TURNS)
def test_every_text_is_read(text: str, before: list[Turn]) -> None:
    ask = read(HELD, text, before)
    assert ask.text == text
    assert ask == read(HELD, text, before)


PIECES = st.sampled_from(
    [
        *SUBJECTS,
        *(
            "peak",
            "share",
            "Cucina con Giallo",
            '"Nova"',
            "AI",
            "2:26",
            "from 2:00 to 2:30",
            "minute 2",
            "scene 3",
            "and",
            "Compare",
        ),
        *(
            "in",
            "the",
            "of",
            "quota",
            "spettatori",
            "AI medicine segment",
            "programme",
            "transcript",
            "?",
            ",",
            ".",
            "\n",
            "it",
            "«",
            "»",
        ),
    ]
)


def shuffled(draw: random.Random) -> list[Base]:
    """The same declarations in another order; positions and files keep their own order nowhere."""
    found = []
    for base in kb.bases():
        parts = {}
        for field in ("attributes", "sources", "entities", "metrics", "aliases"):
            values = list(getattr(base, field))
            draw.shuffle(values)
            parts[field] = tuple(values)
        found.append(replace(base, **parts))
    draw.shuffle(found)
    return found


SHUFFLED = [kb.held(shuffled(random.Random(number))) for number in range(5)]


@many(st.lists(PIECES, max_size=9).map(" ".join), st.sampled_from(SHUFFLED))
def test_the_order_of_declarations_tells_nothing(text: str, other: MemoryHeld) -> None:
    assert repr(read(HELD, text)) == repr(read(other, text))


def test_an_accent_is_part_of_a_name_and_a_script_without_spaces_is_read() -> None:
    base = Base(
        "urn:b:",
        "b",
        "Basis",
        sources=(SourceFile("urn:b:source/a", "urn:b:", "a.csv", "東京物語の記録", "series", (), "", ("urn:b:entity/t",)),),
        entities=(Entity("urn:b:entity/t", "urn:b:", "東京物語"), Entity("urn:b:entity/c", "urn:b:", "Céladon")),
    )
    held = MemoryHeld([base])
    assert read(held, "東京物語は何ですか").entities == ("urn:b:entity/t",)
    assert read(held, "What is CÉLADON?").entities == ("urn:b:entity/c",)
    assert read(held, "What is celadon?").entities == ()


def test_acronyms_in_names_of_several_bases_do_not_commit_but_corroborate() -> None:
    def market(number: int, title: str) -> Base:
        iri = f"urn:m{number}:"
        return Base(
            iri,
            f"m{number}",
            f"Base number {number}",
            sources=(SourceFile(f"{iri}s", iri, f"f{number}.md", title, "document"),),
        )

    held = MemoryHeld([market(n, title) for n, title in enumerate(("AI news", "AI quiz", "AI medicine segment", "TV and AI"))])
    for text in ("What will AI do?", "AI and TV", "AI TV", "the AI report", "AI, AI, AI"):
        ask = read(held, text)
        assert (ask.sources, ask.bases) == ((), ())
    assert read(held, "What is the size of the AI medicine segment?").sources == ("urn:m2:s",)
    assert read(held, 'What is in "TV and AI"?').sources == ("urn:m3:s",)


def test_a_common_word_for_values_is_no_metric_of_somebody_else() -> None:
    def base(name: str, word: str) -> Base:
        iri = f"urn:{name}:"
        entity = Entity(f"{iri}e", iri, f"Thing {name}")
        return Base(iri, name, f"Base {name}", entities=(entity,), metrics=(Metric(f"{iri}m", iri, word),))

    held = MemoryHeld([base("alpha", "value"), base("gamma", "weight")])
    assert read(held, "When did the weight of Thing gamma reach its highest value?").metrics == ("urn:gamma:m",)
    assert read(held, "the highest value of Thing alpha").metrics == ("urn:alpha:m",)
    assert read(held, "the highest value?").metrics == ("urn:alpha:m",)


def test_words_that_very_many_names_share_tell_none_of_them() -> None:
    iri = "urn:many:"
    held = MemoryHeld(
        [Base(iri, "many", "Products", entities=tuple(Entity(f"{iri}{n}", iri, f"Product line {n}") for n in range(300)))]
    )
    assert read(held, "Which is better, Product line 7 or Product line 8?").entities == (f"{iri}7", f"{iri}8")
    ask = read(held, "Which Product line is best?")
    assert (ask.entities, ask.bases) == ((), (iri,))


def test_nothing_held_nothing_read() -> None:
    assert read(MemoryHeld(), 'Anything "quoted" at 2:26?') == Ask('Anything "quoted" at 2:26?')
    bare = MemoryHeld([Base("urn:x:", "x", "", attributes=(Attribute(""),), metrics=(Metric("urn:x:m", "urn:x:", ""),))])
    assert read(bare, "What is this at 3?").positions == ()


@pytest.mark.parametrize(
    ("text", "positions", "unowned", "entities"),
    [
        ("What was the peak share of The Third Minute?", 0, 0, ("urn:kb:hours:entity/third",)),
        ("what was the peak share of the third minute", 0, 0, ("urn:kb:hours:entity/third",)),
        ("What was the share of Minute Twelve Stories?", 0, 1, ()),
        ("What was the share of Harbour Lights in the fourth minute?", 1, 0, (kb.LIGHTS,)),
        ("WHAT WAS THE SHARE OF HARBOUR LIGHTS IN MINUTE FOUR?", 1, 0, (kb.LIGHTS,)),
    ],
)
def test_a_position_in_words_is_no_part_of_a_name(text: str, positions: int, unowned: int, entities: tuple[str, ...]) -> None:
    base = "urn:kb:hours:"
    third = Entity(f"{base}entity/third", base, "The Third Minute")
    bases = [*kb.bases(), Base(base, "hours", "Hours", "en", attributes=(kb.SECOND,), entities=(third,))]
    ask = read(MemoryHeld(bases), text)
    assert (len({one.text for one in ask.positions}), len(ask.unowned), ask.entities) == (positions, unowned, entities)
