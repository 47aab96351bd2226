"""Bases of prose: code with its generic words, a large general one that overlaps with everything by accident, and press cuttings with
numbers near the true ones."""

from collections.abc import Sequence
from random import Random

from loom.lab.battery.corpus_base import File, KnowledgeBase
from loom.lab.battery.corpus_broadcast import SECTIONS
from loom.lab.battery.truth import Subject

CRAFTS = (
    "basket weaving", "bell founding", "bookbinding", "cheese making", "clock repair", "dry stone walling", "felt making",
    "glass blowing", "hedge laying", "ice fishing", "kite building", "lace making", "map drawing", "paper folding", "rope making",
    "thatching",
)  # fmt: skip
ASPECTS = ("tools", "seasons", "mistakes", "apprentices", "storage")
SENTENCES = (
    "Whoever starts with {craft} buys too many {aspect} and too little patience.",
    "The {aspect} of {craft} fill more books than anybody reads.",
    "Old hands in {craft} say little about {aspect}, and what they say rhymes.",
    "In wet years {craft} moves indoors, {aspect} and all.",
    "A village that gives up {craft} keeps its {aspect} in the church.",
    "There is a song about {aspect} in {craft}; it has no second verse.",
)
OVERLAPS = (
    "The largest share of the work is waiting.",
    "At its peak the fair drew people from five valleys.",
    "Second {second} of the old film shows a pair of hands and nothing else.",
    "The package arrived open, its value unknown.",
    "Somebody called {person} kept a greenhouse there and gave away the seedlings.",
    "The programme of the feast was printed on a single sheet.",
    "Viewers of the procession stood on the wall.",
    "A project of this kind has no status but finished.",
)
"""Sentences that have words of other bases in them."""
CODE = """# Helpers

## Peaks

```python
def peak(values, default=None):
    data = [value for value in values if value is not None]
    return max(data, default=default)
```

## Shares

```python
def share(part, total):
    result = part / total if total else 0
    return result
```

## Notes

The name of a value is a name, and the file of a file is a file. Call `run(config)` before `main()`; `status` is an enum, `project`
is a path, `second` is the other one, `viewers` is a list of callbacks.
"""
SCRIPT = """config = load(path)
for item in config.items:
    status = item.status or default
    report(item.name, status, package=item.package)

def minimum(series):
    first, *rest = series
    return reduce(lower, rest, first)
"""


def code(random: Random) -> KnowledgeBase:
    shuffled = random.sample(("alpha", "beta", "gamma", "delta"), 3)
    modules = "\n\n".join(f"module {name}\nimports util, types, config, status" for name in shuffled)
    files = (
        File("docs/helpers.md", "Helpers", "document", CODE, attribute="section"),
        File("docs/script.txt", "Script listing", "text", SCRIPT),
        File("docs/modules.txt", "Module list", "text", modules + "\n"),
        File("docs/ai-review.txt", "AI review bot", "text", segment_line("code") + "\n"),
    )
    return KnowledgeBase("code", "Toolbox repository", "en", files, {}, (SECTIONS,))


def general(person: str, seconds: Sequence[int], random: Random) -> KnowledgeBase:
    """Eighty sections; `person` and `seconds` are found elsewhere too."""
    subjects = [(craft, aspect) for craft in CRAFTS for aspect in ASPECTS]
    random.shuffle(subjects)
    sections = []
    overlaps = [line.format(person=person, second=seconds[at % len(seconds)]) for at, line in enumerate(OVERLAPS)] * 2
    at = set(random.sample(range(len(subjects)), len(overlaps)))
    for number, (craft, aspect) in enumerate(subjects, 1):
        said = [line.format(craft=craft, aspect=aspect) for line in random.sample(SENTENCES, 3)]
        if number - 1 in at:
            said.append(overlaps.pop())
        sections.append(f"## {number}. {craft.capitalize()}: {aspect}\n\n{' '.join(said)}\n")
    files = (
        File("handbook.md", "Handbook of crafts", "document", "# Handbook\n\n" + "\n".join(sections), attribute="section"),
        File("ai-for-gardeners.txt", "AI for gardeners", "text", segment_line("general") + "\n"),
        File("tv-sets.txt", "TV sets in the attic", "text", "Old TV sets hum in the key of rain.\n"),
    )
    return KnowledgeBase("general", "General handbook", "en", files, {"it": ("Manuale generale",)}, (SECTIONS,))


def press(programmes: Sequence[Subject]) -> KnowledgeBase:
    """Cuttings: each programme with a number that is nearly its best."""
    files: list[File] = []
    for one in programmes:
        language = next(iter(one.names))
        name = one.names[language]
        text = (
            f"Si mormora che {name} abbia sfiorato il {one.rumoured.replace('.', ',')} %.\n\nIl direttore non conferma.\n"
            if language == "it"
            else f"They whisper that {name} came close to {one.rumoured} %.\n\nThe director would not confirm it.\n"
        )
        files.append(File(f"cuttings/{len(files) + 1}.txt", f"Cutting {len(files) + 1}", "text", text))
    files.append(File("columns/ai-and-tv.txt", "AI and TV column", "text", segment_line("press") + "\n"))
    return KnowledgeBase("press", "Press cuttings", "en", tuple(files), {"it": ("Rassegna stampa",)})


SEGMENT_LINES = {
    "code": "The AI review bot asks for a test whenever it meets a comma.",
    "general": "An AI for gardeners named every weed after the neighbours.",
    "press": "On AI and TV the column says that both prefer to talk.",
    "clinic": "The AI reading aid underlines what the nurse already knew.",
}


def segment_line(base: str) -> str:
    """The line of a file whose name has the acronym in it."""
    return SEGMENT_LINES[base]
