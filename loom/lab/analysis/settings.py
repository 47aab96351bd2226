"""How a study is analysed, as its folder states it and as a caller may want it otherwise."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import orjson

from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.study.study import Contrast, Family


@dataclass(frozen=True, slots=True)
class Settings:
    """`facts` are what study.json says beside; `unavailable` and `template_seeds` what planning found."""

    matcher: str = "default"
    seed: int = 42
    resamples: int = 10_000
    cluster: str = "domain"
    margin: float = 0.25
    families: tuple[Family, ...] = ()
    arms: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    unavailable: Mapping[str, str] = field(default_factory=dict)
    template_seeds: Sequence[Json] = ()
    facts: Mapping[str, Json] = field(default_factory=dict)

    def but(self, **wanted: Json) -> "Settings":
        """The same, with what is not None of `wanted`."""
        return replace(self, **{name: value for name, value in wanted.items() if value is not None})


OWN = ("name", "generation", "node", "policy", "wrapper", "budget", "questions_sha256", "retry", "judges")
"""Members of study.json that results show."""


def settings_of(path: Path) -> Settings | None:
    """The settings of a study.json, None where there is none. Raises BadInput where it is no such file."""
    try:
        stated = orjson.loads(path.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, orjson.JSONDecodeError) as error:
        raise BadInput(f"Expected a study in {path}, but it cannot be read: {error}.", param="study") from None
    try:
        weighed = stated["statistics"]
        return Settings(
            matcher=str(stated["matcher"]),
            seed=int(stated["seed"]),
            resamples=int(weighed["resamples"]),
            cluster=str(weighed["cluster"]),
            margin=float(weighed["margin"]),
            families=tuple(_family(each) for each in stated["families"]),
            arms=tuple(str(each) for each in stated["arms"]),
            models=tuple(str(each["name"]) for each in stated["models"]),
            unavailable={str(arm): str(why) for arm, why in (stated.get("unavailable") or {}).items()},
            template_seeds=tuple(stated.get("template_seeds") or ()),
            facts={name: stated[name] for name in OWN if stated.get(name) is not None},
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadInput(
            f"Expected a study as `loom lab run` writes it in {path}, but it is another shape ({error}).", param="study"
        ) from None


def _family(stated: Mapping[str, Json]) -> Family:
    contrasts = []
    for each in stated["contrasts"]:
        a, dash, b = str(each).partition(" - ")
        if not dash:
            raise ValueError(f"no contrast: {each}")
        contrasts.append(Contrast(a, b))
    return Family(str(stated["name"]), tuple(contrasts))
