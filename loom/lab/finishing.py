"""What follows the rows of a study: answers graded, relations audited, the analysis and its page. It resumes like the rows do."""

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from typing import Protocol

from loom.core.values import Json
from loom.lab.asking import Asker
from loom.lab.judging.auditing import audit
from loom.lab.judging.families import MEMBERS, Judge, Writer, check
from loom.lab.judging.quality import judge, why_not
from loom.lab.judging.sampling import drawn
from loom.lab.judging.units import frame_of, units_at
from loom.lab.judging.working import Worked
from loom.lab.judging.writers import family_of, judge_of
from loom.lab.report import Made, make, source_of
from loom.lab.report.making import REPORT
from loom.lab.row import Row, read_rows
from loom.lab.running.folder import StudyFolder
from loom.lab.scoring.scored import Titles
from loom.lab.study import Member, Study

RAW = "raw"


class Live(Protocol):
    """Shows how far work is: `live` while a piece of it is done (what it is called, about how many answers it wants), `kept`
    where an answer is there already."""

    def live(self, label: str, total: int) -> AbstractAsyncContextManager[None]: ...
    def kept(self) -> None: ...


@dataclass(slots=True)
class Finished:
    """What came after the rows. `missing` counts verdicts that could not be had."""

    made: Made
    judged: Mapping[str, Json] = field(default_factory=dict)
    audited: Mapping[str, Json] = field(default_factory=dict)
    missing: int = 0

    def as_json(self) -> dict[str, Json]:
        return {
            "report": self.made.report.name,
            "figures": len(self.made.figures),
            "warnings": [warning["text"] for warning in self.made.results["warnings"]],
            "judged": dict(self.judged),
            "audited": dict(self.audited),
            "verdicts_missing": self.missing,
        }


def judges_of(study: Study) -> tuple[Judge, ...]:
    return tuple(judge_of(member, {}) for member in study.judges)


def check_judges(study: Study) -> tuple[str, ...]:
    """The warnings of who judges whom, before anything is paid for. Raises BadInput where a judge would judge its own kind."""
    if not study.judges:
        return ()
    return check(judges_of(study), map(_writer, study.models), allow_same=study.judging.allow_same_family, ways=MEMBERS)


def _writer(member: Member) -> Writer:
    return Writer(member.name, member.model, family=family_of(member.kind, member.model, member.family))


async def finish(folder: StudyFolder, study: Study, asker: Asker, shown: Live, *, titles: Titles | None = None) -> Finished:
    """Judge and audit where the study has judges, then analyse and draw. Raises BadInput."""
    graded, audited = Worked(), Worked()
    if study.judges and study.judging.quality:
        graded = await _graded(folder, study, asker, shown)
    else:
        folder.judged.unlink(missing_ok=True)
    if study.judges and study.judging.audit:
        audited = await _audited(folder, study, asker, shown)
    else:
        folder.audited.unlink(missing_ok=True)
    made = make(source_of(folder.path), folder.path / REPORT, titles=titles, flags=" --titles" if titles else "")
    return Finished(
        made,
        graded.as_json() if study.judges and study.judging.quality else {},
        audited.as_json() if study.judges and study.judging.audit else {},
        len(graded.failed) + graded.left + len(audited.failed) + audited.left,
    )


async def _graded(folder: StudyFolder, study: Study, asker: Asker, shown: Live) -> Worked:
    arms = study.judging.arms

    def wanted(row: Row) -> bool:
        return arms is None or row.arm in arms

    answers = sum(wanted(row) and why_not(row) is None for row in read_rows(folder.rows))
    share = 1 + study.judging.second_share * (len(study.judges) - 1)
    async with shown.live("verdicts", round(answers * share)):
        judged = await judge(
            folder.rows,
            folder.judged,
            asker,
            judges_of(study),
            seed=study.seed,
            second_share=study.judging.second_share,
            concurrency=study.concurrency,
            wanted=wanted,
            kept=shown.kept,
            only=True,
        )
    return judged.worked


async def _audited(folder: StudyFolder, study: Study, asker: Asker, shown: Live) -> Worked:
    """The relational audit of one arm: the live path's where the study has it."""
    grounded = [arm for arm in study.arms if arm != RAW]
    arm = "scaffold" if "scaffold" in grounded else grounded[0] if grounded else RAW
    frame = frame_of(folder.rows, arm, study.matcher)
    units = list(units_at(folder.rows, drawn(frame, study.judging.sizes, study.seed)))
    async with shown.live("audit", len(units)):
        audited = await audit(
            units,
            folder.audited,
            asker,
            judges_of(study)[0],
            matcher=study.matcher,
            seed=study.seed,
            concurrency=study.concurrency,
            writers={member.name: replace(_writer(member), reported="") for member in study.models},
            facts={"frame": frame.counts},
            kept=shown.kept,
            only=True,
        )
    return audited.worked
