"""Studies as files: what is read, what is filled in, and how each fault is told."""

from pathlib import Path

import pytest

from loom.core.errors import BadInput
from loom.lab.study import READER, Contrast, Study, read

ARMS = ("raw", "scaffold", "true")

WHOLE = """
name = "kitchen"
questions = "questions.jsonl"
seed = 7
arms = ["raw", "scaffold"]
matcher = "reference"
policy = "reference"
wrapper = "neutral"
budget = 900
concurrency = 3
patience = 12
[allowance]
completion = 512
[statistics]
resamples = 1000
cluster = "template"
margin = 0.1
[[family]]
name = "primary"
contrasts = ["scaffold - raw"]
[[models]]
name = "reader"
kind = "reader"
[[models]]
name = "small"
kind = "url"
url = "http://127.0.0.1:8081/v1"
model = "smollm2"
key_env = "SMALL_KEY"
temperature = 0.7
concurrency = 2
requests_per_minute = 60
tokens_per_minute = 90000
price = { prompt = 0.15, completion = 0.60 }
family = "smollm"
extra = { top_p = 0.9 }
[[models]]
name = "deep-thinker"
url = "https://models.example/v1"
temperature = "none"
[[judges]]
name = "judge"
script = "judge"
allowance = 99
[judging]
second_share = 0.5
audit = true
sizes = { n11 = 4, n10 = 2 }
allow_same_family = true
"""
LEAST = 'questions = "questions.jsonl"\n[[models]]\nname = "reader"\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "questions.jsonl").write_text('{"id": "q", "prompt": "What is a kiln?"}\n', encoding="utf-8")
    return tmp_path


def study(folder: Path, text: str | bytes) -> Study:
    path = folder / "study.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read(path, ARMS, reasons=lambda name: "think" in name)


def test_everything_that_may_be_stated(folder: Path) -> None:
    made = study(folder, WHOLE)
    assert (made.name, made.seed, made.arms, made.matcher, made.policy) == (
        "kitchen",
        7,
        ("raw", "scaffold"),
        "reference",
        "reference",
    )
    assert (made.wrapper, made.budget, made.concurrency, made.patience) == ("neutral", 900, 3, 12)
    reader, small, deep = made.models
    assert (reader.kind, reader.model, reader.allowance, reader.price) == ("reader", "loom-reader", 512, READER.price)
    assert (small.kind, small.model, small.key_env, small.family) == ("url", "smollm2", "SMALL_KEY", "smollm")
    assert small.request == {"temperature": 0.7, "top_p": 0.9} and small.price and small.price.of(1_000_000, 1_000_000) == 0.75
    assert (deep.kind, deep.model, deep.reasoning, deep.allowance, deep.request) == ("url", "deep-thinker", True, 4096, {})
    (judge,) = made.judges
    assert (judge.kind, judge.script, judge.family, judge.allowance) == ("script", "judge", "judge", 99)
    assert made.families[0].contrasts == (Contrast("scaffold", "raw"),)
    assert (made.judging.audit, made.judging.quality, made.judging.second_share) == (True, True, 0.5)
    assert made.judging.sizes == {"n11": 4, "n10": 2, "n00": 0} and made.judging.allow_same_family
    assert (made.statistics.resamples, made.statistics.cluster, made.statistics.margin) == (1000, "template", 0.1)


def test_what_is_left_out_is_filled_in(folder: Path) -> None:
    made = study(folder, LEAST)
    assert (made.name, made.arms, made.seed, made.generations, made.generation) == ("study", ARMS, 42, None, "current")
    assert (made.policy, made.wrapper, made.budget) == (None, None, None), "the node decides"
    assert made.folder == folder / "study" and made.questions == folder.resolve() / "questions.jsonl"


def test_results_hold_no_place_and_no_key(folder: Path) -> None:
    stated = str(study(folder, WHOLE).as_json())
    assert "127.0.0.1" not in stated and "SMALL_KEY" not in stated and str(folder) not in stated


def test_questions_may_be_generated(folder: Path) -> None:
    assert study(folder, '[questions]\nper_domain = 3\n[[models]]\nname = "reader"\n').questions == {"per_domain": 3}


def test_arms_may_be_all(folder: Path) -> None:
    assert study(folder, 'arms = "all"\n' + LEAST).arms == ARMS


FAULTS = [
    ("", "Expected at least one model"),
    ('[[models]]\nname = "reader"\n', r"Expected questions to be a file of questions, or a table, .* got None"),
    ('questions = "none.jsonl"\n[[models]]\nname = "reader"\n', r"Expected a file of questions at .*none.jsonl"),
    ("sed = 3\n" + LEAST, r"in study.toml, but got 'sed'; is seed meant\?"),
    ('seed = "x"\n' + LEAST, "Expected seed to be a whole number of at least 0 in study.toml, but got 'x'"),
    ("seed = true\n" + LEAST, "Expected seed to be a whole number"),
    ("concurrency = 0\n" + LEAST, "Expected concurrency to be a whole number of at least 1"),
    ("budget = 1.5\n" + LEAST, "Expected budget to be a whole number"),
    ("patience = nan\n" + LEAST, "Expected patience to be a number of at least 0"),
    ("patience = inf\n" + LEAST, "Expected patience to be a number of at least 0"),
    ("name = 3\n" + LEAST, "Expected name to be a text in study.toml, but got 3"),
    ('arms = "none"\n' + LEAST, 'Expected arms of study.toml to be a list of names, or "all", but got'),
    ("arms = []\n" + LEAST, 'to be a list of names, or "all"'),
    ('arms = ["raw", "row"]\n' + LEAST, "to be among raw, scaffold, true, but got 'row'"),
    ('arms = ["raw", "raw"]\n' + LEAST, "'raw' comes twice"),
    ('matcher = "fuzzy"\n' + LEAST, "Expected matcher to be one of default, reference"),
    ('wrapper = "loud"\n' + LEAST, "Expected wrapper to be one of authoritative"),
    ('generations = "nowhere"\n' + LEAST, r"Expected a folder of generations at .*nowhere"),
    (LEAST + '[[models]]\nname = "reader"\n', r"a name of its own, since \[\[models\]\] 1 of study.toml has it"),
    (LEAST + '[[judges]]\nname = "reader"\n', r"in \[\[judges\]\] 1 of study.toml"),
    (LEAST + "[[models]]\n", r"Expected name in \[\[models\]\] 2 of study.toml"),
    (LEAST + '[[models]]\nname = "x"\nkind = "telepathy"\n', "Expected kind to be one of reader, url, script"),
    (LEAST + '[[models]]\nname = "x"\nkind = "url"\n', "Expected url to be the base of an OpenAI-compatible API"),
    (LEAST + '[[models]]\nname = "x"\nurl = "ftp://x"\n', "Expected url to be the base"),
    (LEAST + '[[models]]\nname = "x"\nkind = "reader"\nurl = "http://x"\n', "Expected kind to be url where url is given"),
    (LEAST + '[[models]]\nname = "x"\nkind = "script"\n', "Expected script to be the name of a scripted model"),
    (LEAST + '[[models]]\nname = "x"\ntemperature = 3\n', "Expected temperature to be a number of at least 0 and at most 2"),
    (LEAST + '[[models]]\nname = "x"\nprice = 3\n', r"Expected price to be a table, \[price\]"),
    (LEAST + '[[models]]\nname = "x"\nprice = { prompt = 1 }\n', "Expected completion in price of"),
    (LEAST + '[[models]]\nname = "x"\nprice = { prompt = 1, completion = 1, more = 1 }\n', "but got 'more'"),
    (LEAST + '[[models]]\nname = "x"\nextra = { model = "y" }\n', "Expected no model in extra"),
    (LEAST + '[[models]]\nname = "x"\nreasoning = "yes"\n', "Expected reasoning to be true or false"),
    (LEAST + '[[models]]\nname = "x"\ntoken_per_minute = 3\n', "is tokens_per_minute meant"),
    (
        'models = "reader"\nquestions = "questions.jsonl"\n',
        r"Expected models to be a list of tables, each under \[\[models\]\]",
    ),
    (LEAST + "[judging]\naudit = true\n", "Expected a judge"),
    (LEAST + "[judging]\nsecond_share = 2\n", "at most 1"),
    (LEAST + "[judging]\nsizes = { n01 = 3 }\n", "Expected one of n11, n10, n00"),
    (LEAST + '[judging]\narms = ["masked"]\n', "but got 'masked'"),
    (LEAST + "[statistics]\nresamples = 3\n", "at least 100"),
    (LEAST + '[statistics]\ncluster = "moon"\n', "one of domain, template, none"),
    (LEAST + '[[family]]\nname = "f"\n', "Expected contrasts to be a list such as"),
    (LEAST + '[[family]]\nname = "f"\ncontrasts = ["raw"]\n', "Expected a contrast such as scaffold - raw"),
    (LEAST + '[[family]]\nname = "f"\ncontrasts = ["raw - row"]\n', "but got 'row' in 'raw - row'"),
    (LEAST + '[[family]]\nname = "f"\ncontrasts = ["raw - raw"]\n', "Expected a contrast of two arms"),
    (LEAST + '[[family]]\nname = "f"\ncontrasts = ["raw - true", "raw - true"]\n', "nothing comes twice"),
    (LEAST + ('[[family]]\nname = "f"\ncontrasts = ["raw - true"]\n' * 2), "a name that no family before it has"),
    ("name = ", "Expected a study in TOML"),
    (b"name = '\xff'", "Expected a study in UTF-8"),
    (b"#" * (2 << 20), "Expected a study of at most 1 MB"),
    ("a = " + "[" * 5000, "Expected a study in TOML"),
]


@pytest.mark.parametrize(("text", "said"), FAULTS, ids=[said[:50] for _, said in FAULTS])
def test_a_fault_is_told_in_a_sentence(folder: Path, text: str | bytes, said: str) -> None:
    with pytest.raises(BadInput, match=said) as raised:
        study(folder, text)
    assert "\n" not in raised.value.message.rstrip()


def test_a_study_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"cannot be read: No such file"):
        read(tmp_path / "study.toml", ARMS)
    with pytest.raises(BadInput, match=r"is a folder"):
        read(tmp_path, ARMS)


VALUES = [
    "true",
    "-1",
    "0",
    "3",
    "1.5",
    "nan",
    '""',
    '"x"',
    "[]",
    "[1]",
    '["x"]',
    "{}",
    "{x = 1}",
    "[{}]",
    "1979-05-27",
    "[[1]]",
]
MEMBERS = (
    "name questions generations generation seed arms matcher policy wrapper budget concurrency patience statistics judging "
    "allowance family models judges"
).split()
OF_MODEL = (
    "name kind url model key_env profile script family reasoning allowance temperature extra concurrency requests_per_minute "
    "tokens_per_minute timeout price"
).split()


@pytest.mark.parametrize("value", VALUES)
def test_whatever_a_member_is_it_is_read_or_told(folder: Path, value: str) -> None:
    told = 0
    for name in MEMBERS:
        stated = {"questions": "{}", "models": '[{name = "reader"}]', name: value}
        told += _told(folder, "\n".join(f"{each} = {text}" for each, text in stated.items()))
    for name in OF_MODEL:
        stated = {"name": "'m'", name: value}
        lines = "\n".join(f"{each} = {text}" for each, text in stated.items())
        told += _told(folder, f"questions = {{}}\n[[models]]\n{lines}\n")
    assert told


def _told(folder: Path, text: str) -> bool:
    try:
        study(folder, text)
    except BadInput as error:
        assert error.message.startswith("Expected")
        return True
    return False


def test_the_study_of_the_documentation_is_read(tmp_path: Path) -> None:
    text = (Path(__file__).parents[2] / "docs" / "lab" / "studies.md").read_text(encoding="utf-8")
    (tmp_path / "study.toml").write_text(text.partition("```toml\n")[2].partition("```")[0], encoding="utf-8")
    (tmp_path / "generations").mkdir()
    (tmp_path / "questions.jsonl").touch()
    study = read(tmp_path / "study.toml", ("raw", "scaffold", "flat-bm25", "graph-query"))
    assert [member.name for member in study.members] == ["reader", "small", "judge"] and study.judging.audit
