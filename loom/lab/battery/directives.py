"""Replies that ask for content, most of them malformed (H1): what they may fetch is known since they are made piece by piece."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from loom.core.values import Json
from loom.lab.battery.truth import Truth

REPLIES = 1_000
MOST = 4
PATHS = (
    "../../etc/passwd",
    "/etc/shadow",
    "C:\\windows\\win.ini",
    "..\\..\\secret.txt",
    "file:///etc/hosts",
    "~/.ssh/id",
    "a/../../b",
)
KEYWORDS = ("HYDRATE:", "hydrate:", "HYDRATE", "HYDRATE :", "FETCH:", "HYDRATE::", "«HYDRATE:»")
RANGES = (
    "@10-40",
    "@40-10",
    "@-",
    "@abc",
    "@1e9-2",
    "@10",
    "@-5-20",
    "@0-99999999999999999999",
    "@10-40-70",
    "@ 10 - 40 ",
    "@NaN-inf",
)
NOISE = ("", " ", "\t", "\u200b", "\x00", "\ufeff", "`", "**", '"', "- ", "> ")


@dataclass(frozen=True, slots=True)
class Reply:
    """`may` are the sources that it names in any way: nothing else may be fetched. `must` are those that a well-formed reply asks
    for, None where the reply is not well formed."""

    text: str
    may: tuple[str, ...]
    must: tuple[str, ...] | None

    def as_json(self) -> dict[str, Json]:
        return {"text": self.text, "may": list(self.may), "must": None if self.must is None else list(self.must)}


def replies(truth: Truth, count: int = REPLIES) -> tuple[Reply, ...]:
    random = Random(f"{truth.seed}:directives:battery")
    named = [(f"{base}/{path}", path) for base in sorted(truth.sources) for path in sorted(truth.sources[base])]
    paths = [path for _, path in named]
    named = [(source, path) for source, path in named if paths.count(path) == 1]
    return tuple(_well(named, random) if number % 5 == 0 else _ill(named, random) for number in range(count))


def _well(named: Sequence[tuple[str, str]], random: Random) -> Reply:
    chosen = random.sample(named, random.randint(1, MOST))
    text = "\n".join(f"HYDRATE: {path}{random.choice(('', '@10-40'))}" for _, path in chosen)
    sources = tuple(source for source, _ in chosen)
    return Reply(text, sources, sources)


def _ill(named: Sequence[tuple[str, str]], random: Random) -> Reply:
    lines, may = [], []
    for _ in range(random.randint(1, 9)):
        what = random.random()
        if what < 0.4:
            source, name = random.choice(named)
            may.append(source)
            name = random.choice((name, name.upper(), f'"{name}"', f" {name} "))
        elif what < 0.7:
            name = random.choice(PATHS)
        else:
            name = "".join(random.choices("aeiou/.@:-\\ \n\"'", k=random.randint(0, 20)))
        noise = random.choice(NOISE)
        lines.append(f"{noise}{random.choice(KEYWORDS)}{random.choice(('', ' '))}{name}{random.choice(('', *RANGES))}{noise}")
    return Reply("\n".join(lines), tuple(dict.fromkeys(may)), None)
