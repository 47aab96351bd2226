"""Days at the ends of months and years, and dates that several words say together."""

import pytest

from loom.core.memory.calendar import dates_of


@pytest.mark.parametrize(
    ("text", "said", "wanted"),
    [
        ("We met on 29 February.", "2023-03-01", ("2020-02-29",)),
        ("We will meet on Feb 29.", "2025-01-10", ("2028-02-29",)),
        ("We met on 29 February last year.", "2025-06-01", ("2024-02-29",)),
        ("We met on 29 February last year.", "2024-06-01", ()),
        ("We met on the 31st.", "2024-03-01", ("2024-01-31",)),
        ("We're leaving on the 30th.", "2024-02-29", ("2024-03-30",)),
        ("We met two weeks ago.", "2024-01-01", ("2023-12-18/2023-12-24",)),
        ("We met last Tuesday.", "2024-01-01", ("2023-12-26",)),
        ("We met yesterday.", "2024-03-01", ("2024-02-29",)),
        ("A year ago today we met.", "2024-06-01", ("2023-06-01",)),
        ("A year ago today we met.", "2024-02-29", ("2023",)),
        ("We met two weeks ago yesterday.", "2024-01-10", ("2023-12-26",)),
    ],
)
def test_at_the_ends_of_months_and_years(text: str, said: str, wanted: tuple[str, ...]) -> None:
    assert dates_of(text, said) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("We met in May last year.", ("2023-05",)),
        ("We met in May of last year.", ("2023-05",)),
        ("Last year in May we met.", ("2023-05",)),
        ("We met on 3 May last year.", ("2023-05-03",)),
        ("We'll meet next year in March.", ("2025-03",)),
        ("On Tuesday last week we met.", ("2024-05-28",)),
        ("Last week on Tuesday we met.", ("2024-05-28",)),
        ("I leave next week Friday.", ("2024-06-14",)),
        ("We met a week ago on Tuesday.", ("2024-05-28",)),
        ("We met on Friday two weeks ago.", ("2024-05-24",)),
        ("The Tuesday before last we met.", ("2024-05-21",)),
        ("We meet the Friday after next.", ("2024-06-14",)),
        ("We met the night before last.", ("2024-06-02",)),
        ("We met on Monday the 5th.", ("2024-02-05",)),
        ("We'll meet on Monday the 5th.", ("2024-08-05",)),
        ("We met on Saturday, 1 June.", ("2024-06-01",)),
        ("We met on Saturday, June 1st, 2019.", ("2019-06-01",)),
        ("We met the 4th of May.", ("2024-05-04",)),
        ("We met on Monday and on Sunday.", ("2024-06-03", "2024-06-02")),
        ("We met the last week of May.", ("2024-05",)),
        ("We met a year and two days ago.", ()),
        ("We met three days before yesterday.", ()),
        ("We met on 12/25.", ("2023-12-25",)),
        ("It is open 24/7, I give it 10/10.", ()),
    ],
)
def test_words_beside_each_other_name_one_date(text: str, wanted: tuple[str, ...]) -> None:
    assert dates_of(text, "2024-06-04") == wanted
