"""What a workspace states about itself in a TOML file: its parts, its models and who judges what.

```toml
embed = "hash"                 # a sentence-transformers model, or hash
answers = "claims-answers.sqlite"   # where models' answers are kept, so that none is paid for twice
penalty = 0.002
hyde_below = 0.5               # the confidence of a read below which the part `hyde` has a passage supposed
unsure_below = 0.0             # the probability below which a model's way gives way to the next slower one
reason_below = 0.0             # the confidence below which what was routed to retrieve is reasoned about
requests = "requests.jsonl"    # labelled requests, which router = "embedding" learns from
judged = "judged.jsonl"        # graded queries, which dimensions are screened and weighed on

[parts]
acceptance = "off"

[rules]
gate = 30.0

[models.small]
url = "http://127.0.0.1:8081/v1"
model = "qwen3-4b"
tier = "small"
key_env = "SMALL_KEY"
price = { prompt = 0.05, completion = 0.20 }   # a million tokens

[judges]                       # whoever is not named judges by rules, without a model
verdicts = "small"
derivation = "small"
reranking = "cross"            # a model whose url has the route /rerank; only the prompt of its price counts
```
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from loom.claims.fast import PENALTY, WEAK
from loom.core.claims.dimensions.rules import DEFAULT, Rules
from loom.core.claims.parts import Parts, read_parts
from loom.core.errors import BadSettings, LoomError

COMPONENTS = (
    "extraction", "entailment", "verdicts", "derivation", "projecting", "filing", "routing", "proposing", "rendering", "supposing",
    "queries", "reranking",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ModelStated:
    """A model behind a URL. Prices are of a million tokens."""

    name: str
    url: str
    model: str
    tier: str = ""
    key_env: str = ""
    price: tuple[float, float] = (0.0, 0.0)
    concurrency: int = 4


@dataclass(frozen=True, slots=True)
class Stated:
    """The file, read. `judges` names the model of each component that has one."""

    embed: str = "hash"
    answers: str = "claims-answers.sqlite"
    penalty: float = PENALTY
    hyde_below: float = WEAK
    unsure_below: float = 0.0
    reason_below: float = 0.0
    requests: str = ""
    judged: str = ""
    parts: Parts = field(default_factory=Parts)
    rules: Rules = DEFAULT
    models: Mapping[str, ModelStated] = field(default_factory=dict)
    judges: Mapping[str, str] = field(default_factory=dict)


def stated(given: Mapping[str, Any]) -> Stated:
    """Raises BadSettings with the table and member that is wrong."""
    _known(
        given,
        (
            "embed",
            "answers",
            "penalty",
            "hyde_below",
            "unsure_below",
            "reason_below",
            "requests",
            "judged",
            "parts",
            "rules",
            "models",
            "judges",
        ),
        "",
    )
    try:
        parts = read_parts(_table(given, "parts"))
    except LoomError as error:
        raise BadSettings(f"[parts]: {error.message}", param="parts") from error
    rules = _rules(_table(given, "rules"))
    models = {name: _model(name, _table(_table(given, "models"), name)) for name in _table(given, "models")}
    judges = {str(component): str(name) for component, name in _table(given, "judges").items()}
    _known(judges, COMPONENTS, "[judges]")
    for component, name in judges.items():
        if name not in models:
            raise BadSettings(
                f"[judges]: expected {component} to name one of the models {', '.join(models) or '(there are none)'}, but got {name!r}; "
                "describe it under [models], or name another.",
                param="judges",
            )
    if parts.hyde and "supposing" not in judges:
        raise BadSettings(
            "[parts]: expected a model under [judges] supposing, since hyde is on and rules suppose nothing; name one, or take hyde out.",
            param="hyde",
        )
    if parts.router == "model" and "routing" not in judges:
        raise BadSettings(
            '[parts]: expected a model under [judges] routing beside router = "model"; name one, or take router = "rules", which routes '
            "by words.",
            param="router",
        )
    if parts.router == "embedding" and not given.get("requests"):
        raise BadSettings(
            '[parts]: expected requests = "FILE" beside router = "embedding", which is learned from labelled requests; name the file.',
            param="router",
        )
    return Stated(
        _text(given, "embed", "hash", ""),
        _text(given, "answers", "claims-answers.sqlite", ""),
        _number(given, "penalty", PENALTY, ""),
        _share(given, "hyde_below", WEAK),
        _share(given, "unsure_below", 0.0),
        _share(given, "reason_below", 0.0),
        _text(given, "requests", "", ""),
        _text(given, "judged", "", ""),
        parts,
        rules,
        models,
        judges,
    )


def _rules(given: Mapping[str, Any]) -> Rules:
    _known(given, tuple(each.name for each in fields(Rules)), "[rules]")
    try:
        return Rules(**given)
    except LoomError as error:
        raise BadSettings(f"[rules]: {error.message}", param="rules") from error


def _model(name: str, given: Mapping[str, Any]) -> ModelStated:
    where = f"[models.{name}]"
    _known(given, ("url", "model", "tier", "key_env", "price", "concurrency"), where)
    url = _text(given, "url", "", where)
    if not url.startswith(("http://", "https://")):
        raise BadSettings(
            f"{where}: expected url as the base URL of an OpenAI-compatible server, but got {url!r:.60}; write it with http:// or https://.",
            param="url",
        )
    price = _table(given, "price")
    _known(price, ("prompt", "completion"), f"{where} price")
    concurrency = given.get("concurrency", 4)
    if not isinstance(concurrency, int) or isinstance(concurrency, bool) or not 1 <= concurrency <= 256:
        raise BadSettings(
            f"{where}: expected concurrency as a whole number from 1 to 256, but got {concurrency!r:.60}; give one of these.",
            param="concurrency",
        )
    return ModelStated(
        name,
        url,
        _text(given, "model", name, where),
        _text(given, "tier", name, where),
        _text(given, "key_env", "", where),
        (_number(price, "prompt", 0.0, where), _number(price, "completion", 0.0, where)),
        concurrency,
    )


def _expected(where: str) -> str:
    """The beginning of a sentence on a table of the file, "" for the file itself."""
    return f"{where}: expected" if where else "Expected"


def _table(given: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = given.get(name, {})
    if not isinstance(value, Mapping):
        raise BadSettings(f"Expected [{name}] as a table, but got {value!r:.60}; write its members under it.", param=name)
    return value


def _known(given: Mapping[str, Any], names: tuple[str, ...], where: str) -> None:
    if unknown := sorted(set(given) - set(names)):
        raise BadSettings(
            f"{_expected(where)} only {', '.join(names)}, but got {unknown[0]!r}; write one of these, or take it out.",
            param=str(unknown[0]),
        )


def _text(given: Mapping[str, Any], name: str, default: str, where: str) -> str:
    value = given.get(name, default)
    if not isinstance(value, str):
        raise BadSettings(f"{_expected(where)} {name} as a text, but got {value!r:.60}; put it in quotes.", param=name)
    return value


def _share(given: Mapping[str, Any], name: str, default: float) -> float:
    value = _number(given, name, default, "")
    if value > 1:
        raise BadSettings(f"Expected {name} as a number from 0 to 1, but got {value:g}; give one of these.", param=name)
    return value


def _number(given: Mapping[str, Any], name: str, default: float, where: str) -> float:
    value = given.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < float("inf"):
        raise BadSettings(
            f"{_expected(where)} {name} as a number of at least 0, but got {value!r:.60}; give one, without quotes.", param=name
        )
    return float(value)
