"""Chunks of postings under random deletions: what they hold, and how many turns stand before each, is what the turns say."""

import random
from pathlib import Path

import pytest
from support.memory_rows import strays
from support.remembering import HERE, read

from loom.core.memory.values import Said
from loom_adapters.memory.sqlite import SqliteMemories

SPEAKERS = ("Anna", "Ben", "Clara", "Dora")
TEXTS = ("I keep tea.", "I keep tea. Ben keeps tea.", "Anna keeps tea. Ben keeps tea. Clara keeps tea.", "Does Clara keep tea?")


@pytest.mark.parametrize("seed", range(3))
async def test_chunks_are_counted_whatever_goes(tmp_path: Path, seed: int) -> None:
    """One word is in every turn, of one to three subjects, so that its postings fill several chunks that end in the middle of a turn; a
    question before a turn stands beside it, and a turn whose question goes is written anew."""
    draw, memories = random.Random(seed), SqliteMemories(tmp_path / "m.sqlite")
    held: list[str] = []
    made = 0
    for _ in range(14):
        turns = []
        for _ in range(draw.choice((20, 40, 57, 80))):
            turns.append(Said(draw.choice(SPEAKERS), draw.choice(TEXTS), "2026-05-01", f"t{made}"))
            made += 1
        await memories.append(HERE, turns, read)
        held += [each.id for each in turns]
        chosen = [id for id in held if draw.random() < 0.15]
        await memories.forget(HERE, chosen)
        held = [id for id in held if id not in chosen]
        assert strays("sqlite", str(tmp_path / "m.sqlite")) == []
    await memories.forget_subject(HERE, draw.choice(SPEAKERS).lower(), read)
    await memories.aclose()
    assert strays("sqlite", str(tmp_path / "m.sqlite")) == []


async def test_a_turn_alone_in_its_chunk_is_written_anew(tmp_path: Path) -> None:
    """Each question goes once its answer is there, so that every answer is written anew: at some, a chunk begins."""
    memories = SqliteMemories(tmp_path / "m.sqlite")
    for number in range(130):
        asked = Said("Ben", "Does Clara keep tea?", "2026-05-01", f"q{number}")
        told = Said("Clara", "I keep tea.", "2026-05-01", f"a{number}")
        await memories.append(HERE, [asked, told], read)
        await memories.forget(HERE, [asked.id])
    await memories.aclose()
    assert strays("sqlite", str(tmp_path / "m.sqlite")) == []
