"""What a build shows: plain lines in a file, bars on a terminal, nothing when quiet."""

import io

from loom.build.checks import KINDS
from loom.build.stage import Stage
from loom.cli.building import Showing, remark_lines
from loom.core.report import Report
from loom.core.values import Where


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def shown(out: io.StringIO, *, quiet: bool = False) -> str:
    showing = Showing(quiet=quiet, to=out)
    with showing:
        showing.begin(Stage("read", (), lambda work: None))
        showing.taken(1234, 2000)
        showing.begin(Stage("closure", (), lambda work: None))
    showing.say("done")
    return out.getvalue()


def test_elsewhere_there_is_a_line_for_each_stage() -> None:
    lines = shown(io.StringIO()).splitlines()
    assert [line.split(":")[0] for line in lines] == ["read", "closure", "done"]
    assert lines[0].endswith("1,234 pages")


def test_on_a_terminal_there_are_bars() -> None:
    text = shown(Terminal())
    assert "\x1b[" in text
    assert "read" in text
    assert "closure" in text


def test_quiet_shows_nothing() -> None:
    assert shown(io.StringIO(), quiet=True) == shown(Terminal(), quiet=True) == ""


def test_control_characters_of_a_source_do_not_reach_the_terminal() -> None:
    out = io.StringIO()
    Showing(to=out).say("a\x1b[2Jb\u202ec")
    assert out.getvalue() == "a\ufffd[2Jb\ufffdc\n"


def test_remarks_are_summed_up_by_severity() -> None:
    report = Report(KINDS)
    for at in range(5):
        report.note("self-loop", f"loop {at}", Where("a.md", at + 1))
    report.note("no-quality", "none")
    lines = list(remark_lines(report))
    assert lines[0] == "warning: 5 remarks of 1 kinds"
    assert lines[2:5] == [f"    a.md:{at + 1}: loop {at}" for at in range(3)]
    assert lines[5:] == ["info: 1 remarks of 1 kinds", "  no-quality 1"]
