"""A section for a topic: its place, its text, and the page with it; written by rule, by a model, or by hand."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from loom.core.errors import BadInput
from loom.core.proposals import rendering
from loom.core.proposals.anchors import in_full
from loom.core.proposals.assertion import Assertion
from loom.core.proposals.dossier import Dossier, diff_of
from loom.core.proposals.rendering import Edit
from loom.core.proposals.sections import text_of, with_section, without
from loom.core.proposals.topics import Topic
from loom.core.values import Iri, Json
from loom.lab.asking import Asker
from loom.lab.judging.fences import DATA, messages
from loom.lab.lines import lines
from loom.lab.showing import plain
from loom.lab.tolerant import objects
from loom.ports import VaultPages
from loom.proposals.desk import Desk
from loom.proposals.served import Served

PURPOSE = "propose"
ALLOWANCE = 4_096

SYSTEM = f"""You add reported assertions to a page of reference material. You never change what the page says: you write one passage that \
is put at the end of one of its parts.
Reply with one JSON object and nothing else: {{"anchor": "the heading of the part, exactly as it stands in the page with its # marks, or \
empty for a new part at the end", "text": "the passage, in Markdown: sentences or list items"}}.
Say what the assertions say and nothing else, name the source of each in brackets, link concepts as [[Title]] with the titles that are \
given. No headings, no comments, no code, no fields.
{DATA}"""


@dataclass(frozen=True, slots=True)
class Draft:
    """A section that was drafted: the dossier without its scores, the page before and with it, and the titles of what its assertions
    are about beside the topic, whether or not the page states them already."""

    dossier: Dossier
    before: str
    after: str
    about: tuple[str, ...] = ()

    @property
    def block(self) -> str:
        """What would be added, under the title of its page."""
        return f"# {self.dossier.title}\n\n{self.dossier.text}\n"


def page_of(pages: VaultPages, served: Served, topic: Iri) -> tuple[str, bytes]:
    """The page of a concept, as the generation says where it is: below the vault, or below a source that is named first. Raises BadInput
    where there is none."""
    stated = served.page(topic)
    for name in (stated, stated.partition("/")[2]):
        if name.lower().endswith((".md", ".markdown")):
            data = pages.read(name)
            if data is not None:
                return name, data
    raise BadInput(
        f"Expected the page of {served.title(topic)!r} at {stated or '(nowhere)'} in the vault, but it is not there; build the vault anew.",
        param="page",
    )


def drafted(desk: Desk, served: Served, topic: Topic, edit: Edit | None = None, writer: str = "") -> Draft:
    """The section of a topic, from an edit, or by rule where there is none, behind what was approved for its place before. Raises
    BadInput where the page has no one place for it."""
    name, page = page_of(desk.pages, served, topic.iri)
    made = rendering.checked(edit, served.known) if edit is not None else by_rule(topic, served)
    made = replace(made, anchor=in_full(text_of(without(page)), made.anchor))
    stated = {served.title(iri) for iri in served.stated(topic.iri)}
    about = rendering.related(topic.assertions, topic.iri, served.title)
    names = tuple(title for title in about if title not in stated)
    earlier = desk.approved(name, made.anchor)
    body = rendering.body(
        made.anchor, [*(each.text for each in earlier), made.text], [*(each for one in earlier for each in one.names), *names]
    )
    after = with_section(page, made.anchor, body)
    dossier = Dossier(
        topic.iri,
        served.title(topic.iri),
        name,
        topic.reason,
        made.text,
        made.anchor,
        names,
        topic.assertions,
        sha256(page).hexdigest(),
        diff_of(name, page, after),
        served.id,
        writer,
    )
    return Draft(dossier, text_of(page), text_of(after), about)


def by_rule(topic: Topic, served: Served) -> Edit:
    return Edit(rendering.items(topic.assertions, topic.iri, served.title))


async def written(asker: Asker, model: str, pages: VaultPages, served: Served, topic: Topic) -> Edit:
    """The edit that a model writes for a topic. Raises BadInput where it gives none that can be read."""
    _, page = page_of(pages, served, topic.iri)
    said = await asker.ask(
        model,
        plain(*messages(SYSTEM, [("page", text_of(page)), ("assertions", _listed(topic.assertions, served))])),
        purpose=PURPOSE,
        more={"temperature": 0, "max_tokens": ALLOWANCE},
    )
    if said.error is not None:
        raise BadInput(f"Expected an edit from {model}, but it failed: {said.error}", param="writer")
    return edit_of(next(iter(objects(said.text)), None), f"what {model} said")


def _listed(assertions: Sequence[Assertion], served: Served) -> str:
    return "\n".join(
        f"- {each.text} (source: {each.source}; concepts: {', '.join(filter(None, map(served.title, each.resolved))) or 'none'})"
        for each in assertions
    )


def edit_of(stated: Json, where: str) -> Edit:
    """The edit of a JSON object: `text`, and `anchor` where it goes under a heading. Raises BadInput."""
    if not isinstance(stated, dict) or not isinstance(stated.get("text"), str):
        raise BadInput(f"Expected an object with text, and anchor, in {where}, but got {str(stated)[:60]!r}.", param="edit")
    anchor = stated.get("anchor") or ""
    if not isinstance(anchor, str) or len(anchor) > 500 or not anchor.isprintable():
        raise BadInput(f"Expected anchor to be a heading in {where}, but got {str(anchor)[:60]!r}.", param="anchor")
    return Edit(stated["text"], anchor)


def edits_in(path: Path) -> dict[str, Edit]:
    """Edits by the topic that each names, a title or an IRI: a JSON object a line. Raises BadInput."""
    found: dict[str, Edit] = {}
    for number, row in lines(path, "edits"):
        where = f"line {number} of {path}"
        topic = row.get("topic")
        if not isinstance(topic, str) or not topic.strip():
            raise BadInput(f"Expected the title or IRI of a topic in {where}, but got {str(topic)[:60]!r}.", param="edits")
        if topic in found:
            raise BadInput(f"Expected one edit a topic, but {topic!r} comes again in {where}.", param="edits")
        found[topic] = edit_of(row, where)
    return found
