"""A talk that is read turn by turn, and asked as a chat asks."""

from loom.answer.memory import SERVES, Recalled, evidence_of, recalled
from loom.core.memory.incremental import read
from loom.core.memory.memory_view import MemoryView
from loom.core.memory.values import Said


class Talk:
    """Turns as (speaker, text), all of one day."""

    def __init__(self, *turns: tuple[str, str], date: str = "2024-05-20") -> None:
        self.view = MemoryView()
        for number, (speaker, text) in enumerate(turns):
            said = Said(speaker, text, date, f"t{number}")
            self.view.add(said, read(self.view, number, said))

    def people(self) -> list[str]:
        return [person.key for person in self.view.people()]

    def filed(self, turn: int) -> dict[str, list[str]]:
        """The sentences of a turn by subject."""
        whole = self.view.said([turn])[turn].whole
        return {
            subject: [whole[each.start : each.end] for each in piece.sentences]
            for (number, subject), piece in self.view.every()
            if number == turn and subject
        }

    def subjects(self, question: str, speaker: str = "Visitor") -> tuple[str, ...]:
        return self._recalled(question, speaker).recall.subjects

    def shown(self, question: str, speaker: str = "Visitor") -> str:
        """What a model would be shown of what was said; "" where nothing is."""
        found = self._recalled(question, speaker)
        lines = [line for each in evidence_of(self.view, "talk", found) for line in each.lines[1:]]
        return "" if found.recall.silent else "\n".join(lines)

    def _recalled(self, question: str, speaker: str) -> Recalled:
        return recalled(self.view, question, SERVES, speaker)
