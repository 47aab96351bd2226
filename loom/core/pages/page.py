"""One page with fenced JSON-LD blocks: what it publishes, read purely from its text."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from urllib.parse import unquote

from loom.core import outline
from loom.core.hygiene import Found, decode, hazards
from loom.core.pages.blocks import Decode, load
from loom.core.pages.record import Noted, as_list, concept_of, text_of
from loom.core.text import slug_of
from loom.core.values import Concept, Iri, Json, Ref

DATA_INFO = ("json-ld", "jsonld", "application/ld+json")


@dataclass(slots=True)
class Page:
    """What one file gives: its concepts, the page's own address, and every remark that it deserves."""

    name: str
    concepts: list[Concept] = field(default_factory=list)
    iri: Iri = ""
    slug: str = ""
    links: list[Ref] = field(default_factory=list)
    found: list[Found] = field(default_factory=list)


def read_page(name: str, data: bytes, fast: Decode | None = None, *, prose: bool = True) -> Page:
    """Read one file. Nothing raises: what cannot be read is a remark of the page."""
    page = Page(name)
    text, page.found = decode(data)
    if text is None:
        return page
    if not text.strip():
        page.found.append(("empty-file", "the file is empty", 0))
        return page
    page.found += hazards(text, data)
    pages: list[tuple[dict[str, Json], int]] = []
    classes: list[tuple[dict[str, Json], int]] = []
    body, first = 0, len(text)
    for fence in outline.fences(text):
        block = _block(fence, page, fast)
        if block is None:
            continue
        body, first = fence.end, min(first, fence.start)
        kinds = _kinds(block)
        if "Page" in kinds:
            pages.append((block, fence.line))
        elif "Class" in kinds:
            classes.append((block, fence.line))
        else:
            page.found.append(("unread-block", f"a block of type {', '.join(sorted(kinds)) or '(none)'}", fence.line))
        if "\n" not in fence.text.strip("\n") and kinds & {"Page", "Class"}:
            page.found.append(("one-line-block", "the block is one line", fence.line))
    if _published(page, pages, classes):
        _read(
            page, text, body, outline.first_heading(text[:first]) or outline.first_heading(text[body:]), pages, classes, prose
        )
    return page


def _block(fence: outline.Fence, page: Page, fast: Decode | None) -> dict[str, Json] | None:
    """The object of a data fence at the margin; None for any other fence, and for one that is not JSON."""
    info = fence.info.split(" ", 1)[0]
    if info not in (*DATA_INFO, "json"):
        if not fence.closed:
            page.found.append(("stray-fence", "the fence is never closed", fence.line))
        return None
    if not fence.margin:
        page.found.append(("indented-block", "an example, left in the text", fence.line))
        return None
    value, found = load(fence.text, fence.line, fast)
    if info == "json":
        kinds = _kinds(value) if isinstance(value, dict) else set()
        if not kinds & {"Page", "Class"}:
            page.found.append(("plain-json-fence", "an example, left in the text", fence.line))
            return None
        page.found.append(("plain-json-fence", "it holds a block, which was read", fence.line))
    page.found += found
    if not fence.closed:
        page.found.append(("open-fence", "the fence is never closed", fence.line))
    if isinstance(value, dict):
        return value
    if not found:
        page.found.append(("bad-json-block", "expected an object", fence.line))
    return None


def _kinds(block: dict[str, Json]) -> set[str]:
    """Types of a block without their prefixes."""
    return {str(kind).rsplit(":", 1)[-1] for kind in as_list(block.get("@type"))}


def _published(page: Page, pages: list[tuple[dict[str, Json], int]], classes: list[tuple[dict[str, Json], int]]) -> bool:
    for what, blocks in (("Page", pages), ("Class", classes)):
        if len(blocks) > 1:
            page.found.append(("second-block", f"{len(blocks)} {what} blocks", blocks[1][1]))
    if not pages:
        page.found.append(
            ("no-page-block", "no Page block, so the page is not published", classes[0][1])
            if classes
            else ("no-class-block", "the file holds neither a Page nor a Class block", 0)
        )
        return False
    public = pages[0][0].get("vc:public", False)
    if public is not True and public != "true":
        if not isinstance(public, bool):
            page.found.append(("bad-value", f"vc:public expects true or false, got {public!r}", pages[0][1]))
        page.found.append(("not-public", "vc:public is not true", pages[0][1]))
        return False
    if not classes:
        page.found.append(("no-class-block", "the page is published and has no Class block", pages[0][1]))
    return True


def _read(
    page: Page,
    text: str,
    body: int,
    heading: str,
    pages: list[tuple[dict[str, Json], int]],
    classes: list[tuple[dict[str, Json], int]],
    prose: bool,
) -> None:
    block, line = pages[0]
    noted = Noted(page.found, line)
    page.iri = text_of(block.get("@id"), "@id", noted)
    page.slug = text_of(block.get("vc:slug"), "vc:slug", noted) or slug_of(page.iri)
    title = text_of(block.get("title"), "title", noted)
    page.links = list(_links(block.get("vc:outboundWikilinks"), noted))
    stem = page.name.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    page.found += _names(stem, title, heading, classes, line)
    outlined = text[body:]
    page.found += _outline_remarks(outlined, text, body)
    for content, at in classes:
        concept = concept_of(
            content, page.name, at, title or heading or unquote(stem), _preferred(block), Noted(page.found, at)
        )
        if prose:
            kept, cut = outline.prose(outlined, concept.full or concept.definition)
            if cut:
                page.found.append(("prose-cut", f"{len(outlined):,} code points of text", at))
            concept = replace(concept, prose=kept)
        page.concepts.append(concept)
        slug = slug_of(concept.iri)
        if page.slug and slug != page.slug:
            page.found.append(("page-slug-differs", f"the page says {page.slug}, the class {slug}", line))


def _names(stem: str, title: str, heading: str, classes: list[tuple[dict[str, Json], int]], line: int) -> Iterator[Found]:
    """How file name, title, heading and label disagree."""
    if title and stem != title:
        yield "file-name-differs", f"the file is called {stem!r}, the page {title!r}", line
    if not heading:
        yield "no-heading", "no heading of level one", 0
    for content, at in classes:
        label = content.get("label")
        if isinstance(label, str):
            if title and label != title:
                yield "label-differs", f"the page is titled {title!r}, its class {label!r}", at
            if heading and label != heading:
                yield "heading-differs", f"the heading is {heading!r}, the title {label!r}", at


def _outline_remarks(outlined: str, text: str, body: int) -> Iterator[Found]:
    if not outlined.strip():
        yield "empty-body", "no text after the blocks", 0
    for kind, mark, what in (("macro", "{{", "an outline macro"), ("block-reference", "((", "a block reference")):
        at = outlined.find(mark)
        while at >= 0:
            match = outline.MACRO.match(outlined, at)
            if match:
                yield kind, f"{what}: {match[0][:40]}", text.count("\n", 0, body + at) + 1
                break
            at = outlined.find(mark, at + 2)


def _links(value: Json, noted: Noted) -> Iterator[Ref]:
    """Outbound wikilinks: weaker than references between classes, kept by name."""
    for one in as_list(value):
        if isinstance(one, dict) and isinstance(one.get("@id"), str):
            label = one.get("vc:label", one.get("label", ""))
            yield Ref(one["@id"], label if isinstance(label, str) else "")
        elif isinstance(one, str):
            noted("text-for-object", f"the link {one!r}")
            yield Ref("", one)
        else:
            noted("bad-reference", f"a link that is {type(one).__name__}")


def _preferred(block: dict[str, Json]) -> list[str]:
    """Preferred terms of a page's legacy properties."""
    entries = [one for one in as_list(block.get("vc:legacyProperties")) if isinstance(one, dict)]
    values = [one.get("vc:value") for one in entries if one.get("vc:key") == "preferred-term"]
    return [value for value in values if isinstance(value, str)]
