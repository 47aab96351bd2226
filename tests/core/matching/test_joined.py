"""How longer words go on: against a plain loop over the vocabulary."""

from hypothesis import given
from hypothesis import strategies as st

from loom.core.concepts import Blob, blob
from loom.core.matching.joined import tails

words = st.text(alphabet="bcdé窯3", min_size=1, max_size=5)


@given(st.sets(words, max_size=200), words)
def test_tails_are_what_follows_in_longer_words(vocabulary: set[str], word: str) -> None:
    data, offsets = blob(f"{each}\n" for each in sorted(vocabulary))
    longer = [each[len(word) :] for each in vocabulary if each.startswith(word) and each != word]
    assert tails(Blob(memoryview(data), offsets), word) == {each[:n] for each in longer for n in (1, 2)}
