"""Who wrote an answer and who judges it: families of models, told by their names or stated. A judge of the writer's family prefers
its own kind, and no model judges what it wrote (lab spec, "Judging")."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from loom.core.errors import BadInput

FAMILIES: tuple[tuple[str, str], ...] = (
    ("gpt", r"gpt|chatgpt|o[1345](?:-(?:mini|preview|pro|deep))?|davinci|codex"),
    ("claude", r"claude|sonnet|opus|haiku"),
    ("gemini", r"gemini|gemma|codegemma|palm|bison|t5gemma"),
    ("llama", r"llama|codellama|tinyllama|vicuna|alpaca|hermes|nemotron"),
    ("qwen", r"qwen|qwq|qvq|codeqwen|tongyi"),
    ("mistral", r"mistral|mixtral|ministral|magistral|codestral|devstral|pixtral|zephyr"),
    ("deepseek", r"deepseek"),
    ("glm", r"glm|chatglm|codegeex"),
    ("phi", r"phi"),
    ("smollm", r"smollm|smolvlm"),
    ("command", r"command|c4ai|aya|cohere"),
    ("grok", r"grok"),
    ("kimi", r"kimi|moonshot"),
    ("granite", r"granite"),
    ("olmo", r"olmo|tulu|molmo"),
    ("minimax", r"minimax|abab"),
    ("nova", r"nova|titan"),
    ("yi", r"yi"),
    ("internlm", r"internlm"),
    ("falcon", r"falcon"),
    ("jamba", r"jamba"),
    ("ernie", r"ernie"),
    ("hunyuan", r"hunyuan"),
    ("doubao", r"doubao"),
    ("stablelm", r"stablelm"),
    ("pythia", r"pythia"),
    ("reader", r"reader"),
)
"""Each family and the beginnings of words that tell it; models of one maker are one family (gemma is gemini's)."""

_TOLD = tuple((family, re.compile(rf"(?<![a-z])(?:{words})(?![a-z])")) for family, words in FAMILIES)
_DATED = re.compile(r"[-@_]?20\d\d[-_.]?\d\d[-_.]?\d\d$|[-@]\d{4}$")
_SERVED = re.compile(r":(?:free|latest|nitro|floor|beta|extended)$")

OTHER, SAME, UNKNOWN = "other", "same", "unknown"


def families_of(name: str) -> tuple[str, ...]:
    """The families that a name tells of, () where it tells of none; a distilled model may be of two."""
    plain = name.lower().rpartition("/")[2]
    return tuple(family for family, told in _TOLD if told.search(plain))


def bare(name: str) -> str:
    """A model's name without its provider, its date and the tag of how it is served, to tell one model by its several names."""
    return _DATED.sub("", _SERVED.sub("", name.strip().lower().rpartition("/")[2]))


@dataclass(frozen=True, slots=True)
class Writer:
    """A model that writes or judges. `name` is its name in a study, `model` its name upstream, `reported` what it called itself;
    `family` is stated where the name does not tell it."""

    name: str
    model: str = ""
    reported: str = ""
    family: str = ""

    @property
    def names(self) -> frozenset[str]:
        return frozenset(bare(name) for name in (self.name, self.model, self.reported) if name)

    @property
    def families(self) -> tuple[str, ...]:
        if self.family:
            own = self.family.strip().lower()
            return (own,) if " " in own else families_of(own) or (own,)
        return next((found for name in (self.model, self.reported, self.name) if (found := families_of(name))), ())


@dataclass(frozen=True, slots=True)
class Judge(Writer):
    """A model that judges. `allowance` is the completion tokens of one verdict; a model that reasons needs thousands."""

    allowance: int = 400


def kinship(judge: Writer, writer: Writer) -> str:
    """OTHER, SAME or UNKNOWN."""
    if not judge.families or not writer.families:
        return UNKNOWN
    return OTHER if set(judge.families).isdisjoint(writer.families) else SAME


def itself(judge: Writer, writer: Writer) -> bool:
    """Whether the judge is the model that wrote."""
    return not judge.names.isdisjoint(writer.names)


@dataclass(frozen=True, slots=True)
class Ways:
    """How one who is warned states a family, and allows a judge of the writer's own."""

    state: str
    allow: str


FLAGS = Ways("--family NAME=FAMILY", "--allow-same-family")
MEMBERS = Ways('family = "…" in its table of the study', "allow_same_family = true under [judging]")


def check(
    judges: Sequence[Judge], writers: Iterable[Writer], *, allow_same: bool = False, ways: Ways = FLAGS
) -> tuple[str, ...]:
    """The warnings of a judging. Raises BadInput where a judge would judge what it wrote, or a model of its family did so without
    being allowed."""
    if not judges:
        raise BadInput("Expected a judge, but none is named.", param="judge")
    if len({judge.name for judge in judges}) < len(judges):
        raise BadInput("Expected judges of different names: their verdicts are told apart by them.", param="judge")
    written = sorted(set(writers), key=lambda writer: (writer.name, writer.model, writer.reported, writer.family))
    warnings = []
    unknown: dict[str, list[str]] = {}
    for judge in judges:
        for writer in written:
            kin = kinship(judge, writer)
            if itself(judge, writer):
                raise BadInput(
                    f"Expected a judge that wrote none of the answers, but {judge.name} is {writer.name}; name another judge.",
                    param="judge",
                )
            if kin == SAME and not allow_same:
                raise BadInput(
                    f"Expected a judge of another family than the answers', but {judge.name} and {writer.name} are both "
                    f"{' and '.join(sorted(set(judge.families) & set(writer.families)))}; name another judge, or allow it with "
                    f"{ways.allow}: each verdict then says so.",
                    param="judge",
                )
            if kin == SAME:
                warnings.append(f"{judge.name} judges {writer.name}, which is of its own family.")
            if kin == UNKNOWN:
                names = unknown.setdefault((judge if not judge.families else writer).name, [])
                names += [judge.name] if judge.name not in names else []
    for name, judging in unknown.items():
        own = "judges its" if len(judging) == 1 else "judge their"
        warnings.append(
            f"The family of {name} is not known, so whether {' and '.join(judging)} {own} own kind cannot be told; state it with "
            f"{ways.state}."
        )
    for first, second in pairwise(judges):
        if kinship(first, second) == SAME:
            warnings.append(f"The judges {first.name} and {second.name} are of one family.")
    return tuple(dict.fromkeys(warnings))
