"""A chain: A –r1→ B –r2→ C, and the question for C that names A and the two relations (paper, Appendix C)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from loom.core.errors import BadInput
from loom.core.text import slug_of
from loom.core.values import Json
from loom.lab.files import write_lines
from loom.lab.lines import lines
from loom.lab.question import LabQuestion, Target, question_of

TEMPLATE, SET = "T-CHAIN", "chains"


@dataclass(frozen=True, slots=True)
class Chain:
    """`targets` are all that A leads to by r1 and then r2, and B alone reaches them all; `routes` is how many of what A points at
    by r1 reach one of them, B counted."""

    a: Target
    first: str
    b: Target
    second: str
    targets: tuple[Target, ...]
    domain: str = ""
    routes: int = 1

    @property
    def id(self) -> str:
        asked = "\n".join([self.a.iri, self.first, self.second])
        return "c" + sha256(asked.encode("utf-8", "replace")).hexdigest()[:12]

    @property
    def prompt(self) -> str:
        return prompt(self.a.title, self.first, self.second)

    @property
    def iris(self) -> frozenset[str]:
        return frozenset([self.a.iri, self.b.iri, *(target.iri for target in self.targets)])

    @property
    def titles(self) -> tuple[str, ...]:
        """A, B and the targets, by name."""
        return (self.a.title, self.b.title, *(target.title for target in self.targets))

    def question(self, a: str | None = None, gold: Iterable[Target] | None = None) -> LabQuestion:
        """The question, or the same of another name and with other gold, as a manipulation makes it."""
        return LabQuestion(
            self.id,
            self.prompt if a is None else prompt(a, self.first, self.second),
            tuple(self.targets if gold is None else gold),
            set=SET,
            key=f"chain:{self.a.slug}:{self.first}:{self.second}",
            template=TEMPLATE,
            domain=self.domain,
            class_slugs=(self.a.slug,),
            more={"chain": self.as_json()},
        )

    def as_json(self) -> dict[str, Json]:
        return {
            "a": self.a.as_json(),
            "r1": self.first,
            "b": self.b.as_json(),
            "r2": self.second,
            "targets": [target.as_json() for target in self.targets],
            "domain": self.domain,
            "routes": self.routes,
        }


def prompt(a: str, first: str, second: str) -> str:
    return (
        f'Start from "{a}", follow "{first}", and from whatever that leads to follow "{second}". '
        "Which names do you arrive at? Answer with these names only."
    )


def write(path: Path, chains: Iterable[Chain]) -> str:
    """Chains as a file of questions, each with its chain; gives the SHA-256."""
    return write_lines(path, (chain.question().as_json() for chain in chains))


def read(path: Path) -> tuple[Chain, ...]:
    """The chains of a file. Raises BadInput with the first line that is none."""
    found: dict[str, Chain] = {}
    for number, row in lines(path, "chains"):
        chain = chain_of(row.get("chain"), f"line {number} of {path}")
        if found.setdefault(chain.id, chain) is not chain:
            raise BadInput(f"Expected each chain once, but {chain.id} stands in line {number} of {path} again.", param="chains")
    if not found:
        raise BadInput(f"Expected at least one chain in {path}, but it has none.", param="chains")
    return tuple(found.values())


def chain_of(stated: Json, where: str) -> Chain:
    """A chain as a line states it. Raises BadInput."""
    if not isinstance(stated, Mapping):
        raise BadInput(
            f"Expected a chain in {where}, but there is none; make the file with `loom lab chains mine`.", param="chains"
        )
    a, b = (_ends([stated.get(name)], name, where)[0] for name in ("a", "b"))
    first, second = stated.get("r1"), stated.get("r2")
    if not isinstance(first, str) or not isinstance(second, str) or not first or not second:
        raise BadInput(f"Expected r1 and r2 of the chain in {where} to be names of relations.", param="chains")
    targets = _ends(stated.get("targets"), "targets", where)
    routes = stated.get("routes", 1)
    return Chain(a, first, b, second, targets, str(stated.get("domain") or ""), routes if isinstance(routes, int) else 1)


def _ends(stated: Json, name: str, where: str) -> tuple[Target, ...]:
    found = question_of({"prompt": name, "gold": stated}, f"{name} of the chain in {where}").gold
    if not found or not all(target.iri for target in found):
        raise BadInput(f"Expected {name} of the chain in {where} to be concepts, each with title and iri.", param="chains")
    return tuple(Target(target.title, target.slug or slug_of(target.iri), target.iri) for target in found)
