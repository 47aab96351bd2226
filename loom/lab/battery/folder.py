"""What a run of the battery leaves in its folder."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import orjson

from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.files import write_json
from loom.lab.lines import object_in

RESULTS, ROWS, ANSWERS, TIMINGS = "results.json", "rows.jsonl", "answers.jsonl", "timings.json"
MODELS, MODEL_ROWS, MODEL_TIMES = "models.json", "model_rows.jsonl", "model_times.jsonl"
REPORT = "report.md"


@dataclass(frozen=True, slots=True)
class BatteryFolder:
    """Results, rows of contexts, answers of scripted models, rows of real ones; times stand apart from all of them."""

    path: Path

    def check(self) -> None:
        """Raises BadInput where it holds something else than a run of the battery."""
        try:
            names = {each.name for each in self.path.iterdir()} if self.path.exists() else set()
        except OSError as error:
            raise BadInput(f"{self.path} is no folder that can be read; name another.", param="out") from error
        if names and not names & {RESULTS, MODEL_ROWS, ROWS}:
            raise BadInput(
                f"Expected --out to be a new or empty folder, or that of a run of the battery, but {self.path} is none; name another.",
                param="out",
            )

    def keep(self, result: Mapping[str, Json], models: Mapping[str, Json], timings: Mapping[str, Json]) -> str:
        """Write the results, what models came to where any were asked, and the times apart; gives the digest of the results."""
        write_json(self.path / TIMINGS, timings)
        if models:
            write_json(self.path / MODELS, models)
        return write_json(self.path / RESULTS, result)

    def results(self) -> dict[str, Json]:
        """Raises BadInput where there are none."""
        return self._read(RESULTS)

    def models(self) -> dict[str, Json]:
        """What models came to; nothing where none was asked."""
        return self._read(MODELS) if (self.path / MODELS).exists() else {}

    def timings(self) -> dict[str, Json]:
        return self._read(TIMINGS) if (self.path / TIMINGS).exists() else {}

    def _read(self, name: str) -> dict[str, Json]:
        path = self.path / name
        try:
            return object_in(path.read_bytes(), str(path), "folder")
        except OSError as error:
            raise BadInput(
                f"Expected a folder that `loom lab battery run` left, but {path} cannot be read ({error.strerror}).",
                param="folder",
            ) from error


def encoded(row: Mapping[str, Json]) -> bytes:
    """A row as a line."""
    return orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE)
