"""Who may judge whom."""

import pytest

from loom.core.errors import BadInput
from loom.lab.judging.families import MEMBERS, OTHER, SAME, UNKNOWN, Judge, Writer, bare, check, families_of, itself, kinship


@pytest.mark.parametrize(
    ("name", "families"),
    [
        ("openai/gpt-4.1", ("gpt",)),
        ("gpt-oss-20b", ("gpt",)),
        ("o3-mini", ("gpt",)),
        ("anthropic/claude-opus-4-6", ("claude",)),
        ("google/gemini-3.1-pro", ("gemini",)),
        ("gemma3:4b", ("gemini",)),
        ("meta-llama/Llama-3.3-70B-Instruct", ("llama",)),
        ("ollama/qwen2.5:7b", ("qwen",)),
        ("mistral-small", ("mistral",)),
        ("open-mixtral-8x7b", ("mistral",)),
        ("deepseek-chat", ("deepseek",)),
        ("z-ai/glm-4.6", ("glm",)),
        ("chatglm3-6b", ("glm",)),
        ("phi-4", ("phi",)),
        ("SmolLM2-135M-Instruct", ("smollm",)),
        ("deepseek-r1-distill-qwen-7b", ("qwen", "deepseek")),
        ("delphi-9", ()),
        ("my-model", ()),
    ],
)
def test_families_are_told_by_names(name: str, families: tuple[str, ...]) -> None:
    assert set(families_of(name)) == set(families)


def test_a_model_is_itself_under_each_of_its_names() -> None:
    assert bare("openai/gpt-4.1-2025-04-14") == bare("GPT-4.1") == "gpt-4.1"
    assert itself(Judge("judge", model="openai/gpt-4.1"), Writer("small", reported="gpt-4.1-2025-04-14"))
    assert not itself(Judge("judge", model="gpt-4.1"), Writer("gpt-4.1-mini"))
    assert not itself(Judge("judge", model="qwen2:7b"), Writer("w", model="qwen2:0.5b"))


def test_a_distilled_model_is_of_both_families() -> None:
    distilled = Writer("deepseek-r1-distill-qwen-7b")
    assert kinship(Judge("qwen3"), distilled) == kinship(Judge("deepseek-v3"), distilled) == SAME
    assert kinship(Judge("gpt-4.1"), distilled) == OTHER
    assert kinship(Judge("mystery"), distilled) == UNKNOWN


def test_what_is_stated_wins_over_the_name() -> None:
    assert kinship(Judge("mystery", family="Claude"), Writer("claude-haiku")) == SAME
    assert kinship(Judge("mystery", family="house"), Writer("other", family="house")) == SAME
    assert kinship(Judge("gpt-like", family="house"), Writer("gpt-4.1")) == OTHER


def test_the_same_family_is_refused_unless_allowed() -> None:
    with pytest.raises(BadInput, match="both gpt"):
        check([Judge("gpt-4.1")], [Writer("gpt-4.1-mini")])
    (warning,) = check([Judge("gpt-4.1")], [Writer("gpt-4.1-mini")], allow_same=True)
    assert "own family" in warning


def test_nobody_judges_what_he_wrote_however_allowed() -> None:
    with pytest.raises(BadInput, match="wrote none"):
        check([Judge("judge", model="gpt-4.1")], [Writer("a", reported="openai/gpt-4.1")], allow_same=True)


def test_the_unknown_is_a_warning() -> None:
    (warning,) = check([Judge("gpt-4.1")], [Writer("mystery")])
    assert "mystery" in warning and "--family" in warning


def test_two_judges_of_one_family_are_a_warning_and_two_of_one_name_refused() -> None:
    assert any("one family" in warning for warning in check([Judge("gpt-4.1"), Judge("gpt-5")], [Writer("qwen3")]))
    with pytest.raises(BadInput, match="different names"):
        check([Judge("gpt-4.1"), Judge("gpt-4.1")], [])
    with pytest.raises(BadInput, match="a judge"):
        check([], [])


def test_the_unknown_are_told_once_each_and_how_to_say_more() -> None:
    judges = [Judge("gpt-4.1"), Judge("qwen3")]
    first, second = check(judges, [Writer("mystery"), Writer("riddle")], ways=MEMBERS)
    assert "mystery" in first and "gpt-4.1 and qwen3" in first and "riddle" in second
    assert "--family" not in first and "family = " in first
