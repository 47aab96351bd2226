"""The file of a workspace: what is wrong in it is said with the file, what was expected, what came, and what to do."""

from pathlib import Path

import pytest

from loom.compose_claims import judges, read_stated
from loom.core.errors import BadSettings

MODEL = '[models.small]\nurl = "http://127.0.0.1:1/v1"\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[parts]\nscope = "on"', '[parts]: Expected the part scope to be true or false, but got "on"; write one of these.'),
        ("[parts]\nscope = 1", "to be true or false, but got 1; write"),
        ("[parts]\nsupports = true", 'to be "write" or "log", but got true; write'),
        ("[parts]\nscopes = true", "but got 'scopes'; write one of these, or take it out."),
        ("embeds = 1", "Expected only embed, answers,"),
        ("parts = 1", "Expected [parts] as a table, but got 1; write its members"),
        ("embed = 1", "Expected embed as a text, but got 1; put it in quotes."),
        ('penalty = "low"', "Expected penalty as a number of at least 0, but got 'low'; give one"),
        ("hyde_below = 2", "Expected hyde_below as a number from 0 to 1, but got 2; give one"),
        ("[rules]\nodd = 1", "[rules]: expected only"),
        ('[models.small]\nurl = "host:1"', "[models.small]: expected url as the base URL"),
        (MODEL + "concurrency = 0", "from 1 to 256, but got 0; give"),
        (MODEL + "odd = 0", "[models.small]: expected only"),
        (MODEL + '[judges]\nverdicts = "large"', "but got 'large'; describe it"),
        (MODEL + '[judges]\nverdict = "small"', "[judges]: expected only"),
        ("embed = ", "expected TOML in UTF-8, but"),
    ],
)
def test_what_is_wrong_in_the_file_is_said_with_its_name(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "claims.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BadSettings) as raised:
        read_stated(str(file))
    assert raised.value.message.startswith(f"{file}: ") and said in raised.value.message


def test_a_file_that_is_not_there_is_named_with_what_names_another(tmp_path: Path) -> None:
    with pytest.raises(
        BadSettings, match=r"none\.toml, but it cannot be read: No such file.*; see that it is there, or .* --file"
    ):
        read_stated(str(tmp_path / "none.toml"))


@pytest.mark.parametrize("folder", [False, True])
def test_an_embedder_that_there_is_not_is_told_by_what_the_file_may_say(tmp_path: Path, folder: bool) -> None:
    file, name = tmp_path / "claims.toml", str(tmp_path) if folder else "has"
    file.write_text(f"embed = '{name}'", encoding="utf-8")
    with pytest.raises(BadSettings) as raised:
        judges(read_stated(str(file)), tmp_path)
    said = raised.value.message
    assert (
        raised.value.param == "embed"
        and 'embed in the claims file as "hash"' in said
        and name[:50] in said
        and "--" not in said
    )
