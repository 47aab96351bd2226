import pytest

from loom_adapters.spoken_words import spoken


def test_common_words_have_great_values_and_rare_ones_none() -> None:
    english = spoken(("en",), 20_000)
    assert len(english) == 20_000
    assert english["the"] > 7 > english["kitchen"] > 4
    assert "rillettes" not in english
    assert all(round(value, 2) == value for value in english.values())


def test_fewer_words_are_the_commonest_of_more() -> None:
    few, many = spoken(("en",), 500), spoken(("en",), 1_000)
    assert few.items() <= many.items()
    assert min(few.values()) >= max(many[word] for word in many.keys() - few.keys())


def test_languages_are_joined_and_a_word_of_two_has_its_greater_value() -> None:
    english, german, both = (spoken(tags, 2_000) for tags in (("en",), ("de-CH",), ("en", "", "de-CH")))
    assert both.keys() == english.keys() | german.keys()
    assert both["die"] == german["die"] > english["die"]


@pytest.mark.parametrize("tag", ["", "xx", "zh-Hant", "../en", "e n", "ÉN"])
def test_a_language_without_a_list_adds_nothing(tag: str) -> None:
    assert spoken((tag,)) == {}
