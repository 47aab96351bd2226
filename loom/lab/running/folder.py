"""The folder that a study leaves, and whether what is in it belongs to the study as it stands."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import orjson

from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.files import write_json
from loom.lab.study.study import Study

PLANS = ("generation", "questions_sha256", "arms", "seed", "matcher", "policy", "wrapper", "budget")
"""Members of a study that decide what is planned. All others may change: answers are kept by what was asked."""

JUDGES = ("version", "models", "judges", "judging")
"""Members that say who judges what. Where one changes, verdicts are made again, of replies that are kept where those fit."""

RESULTS = ("plan.jsonl", "rows.jsonl", "judged.jsonl", "audited.jsonl", "results.json", "report.html", "manifest.json")


@dataclass(frozen=True, slots=True)
class StudyFolder:
    """Where a study's files are."""

    path: Path

    @property
    def study(self) -> Path:
        return self.path / "study.json"

    @property
    def questions(self) -> Path:
        """The questions, where the study generated them."""
        return self.path / "questions.jsonl"

    @property
    def plan(self) -> Path:
        return self.path / "plan.jsonl"

    @property
    def answers(self) -> Path:
        return self.path / "answers.sqlite"

    @property
    def rows(self) -> Path:
        return self.path / "rows.jsonl"

    @property
    def judged(self) -> Path:
        return self.path / "judged.jsonl"

    @property
    def audited(self) -> Path:
        return self.path / "audited.jsonl"

    @property
    def ledger(self) -> Path:
        return self.path / "ledger.jsonl"

    def check(self, study: Study, *, fresh: bool) -> None:
        """Raises BadInput where the folder holds another plan. With `fresh` results of that are no matter: they are made anew."""
        earlier = self._earlier()
        if fresh or earlier is None:
            return
        stated = study.as_json()
        changed = [name for name in PLANS if earlier.get(name) != stated.get(name)]
        if changed:
            what = " and ".join(name.removesuffix("_sha256") for name in changed)
            raise BadInput(
                f"Expected the study that {self.path} was made by, but {what} changed, so that it would be planned anew; give another "
                "folder with --out, or --fresh to plan it anew there: answers that still fit are kept.",
                param="out",
            )

    def begin(self, study: Study, *, fresh: bool) -> None:
        """Write down the study. What an earlier plan or other judges left is taken away, but never an answer."""
        for name in (*RESULTS, self.study.name, self.ledger.name, self.questions.name):
            for half in self.path.glob(f".{name}.*"):  # of a run that was killed
                half.unlink(missing_ok=True)
        earlier = self._earlier()
        if fresh and earlier is not None:
            for name in RESULTS:
                (self.path / name).unlink(missing_ok=True)
        if earlier is not None and any(earlier.get(name) != study.as_json().get(name) for name in JUDGES):
            self.judged.unlink(missing_ok=True)
            self.audited.unlink(missing_ok=True)
        self.note(study)

    def note(self, study: Study) -> None:
        """Write the study down as it is known by now."""
        write_json(self.study, study.as_json())

    def _earlier(self) -> Mapping[str, Json] | None:
        try:
            earlier = orjson.loads(self.study.read_bytes())
        except FileNotFoundError:
            return None
        except (OSError, orjson.JSONDecodeError):
            earlier = None
        if not isinstance(earlier, dict):
            raise BadInput(
                f"Expected the study of an earlier run in {self.study}, but it cannot be read; remove it.", param="out"
            )
        return earlier
