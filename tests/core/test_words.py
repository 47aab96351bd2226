"""Words of the default matcher, script by script."""

import pytest

from loom.core.text import words


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Naïve cafés", ["naive", "cafes"]),
        ("baker's percentage, don't", ["baker", "percentage", "dont"]),
        ("日本語とPython3", ["日", "本", "語", "と", "python3"]),
        ("தமிழ் மொழி", ["தமிழ", "மொழி"]),
        ("বাংলা ভাষা।", ["বাংলা", "ভাষা"]),
        ("ไทย", ["ไ", "ท", "ย"]),
        ("Ｆｕｌｌ ｗｉｄｔｈ", ["full", "width"]),
        ("snake_case-and/slash", ["snake", "case", "and", "slash"]),
        ("", []),
    ],
)  # fmt: skip
def test_words(text: str, found: list[str]) -> None:
    assert words(text) == found
