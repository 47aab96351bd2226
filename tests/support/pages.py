"""Outline pages with fenced JSON-LD, written by hand for tests of what reads them."""

import json
from typing import Any

from loom.build import stage
from loom.build.checks import KINDS
from loom.core.report import Report
from loom.core.values import Concept
from loom.ports import CorpusReader

BASE = "urn:ngm:class:"


def ref(slug: str, label: str = "") -> dict[str, str]:
    return {"@id": BASE + slug, "label": label or slug.replace("-", " ").title()}


def page_block(slug: str, title: str = "", **more: Any) -> dict[str, Any]:
    return {
        "@context": "https://example.org/context.jsonld",
        "@id": f"urn:visionflow:page:{slug}",
        "@type": "Page",
        "vc:slug": slug,
        "title": title or slug.replace("-", " ").title(),
        "vc:public": True,
        "vc:schemaVersion": 2,
        **more,
    }


def class_block(slug: str, label: str = "", **more: Any) -> dict[str, Any]:
    return {
        "@id": BASE + slug,
        "@type": "Class",
        "label": label or slug.replace("-", " ").title(),
        "definition": f"What a {slug.replace('-', ' ')} is.",
        "domain": "pottery",
        "maturity": "mature",
        "quality": 0.8,
        "subClassOf": [],
        "relations": {},
        **more,
    }


def fenced(block: dict[str, Any] | str, info: str = "json-ld") -> str:
    text = block if isinstance(block, str) else json.dumps(block, indent=2, ensure_ascii=False)
    return f"```{info}\n{text}\n```\n"


def page(slug: str, label: str = "", *, body: str = "- ### Content\n  - Some text.\n", page: Any = None, **more: Any) -> str:
    """A whole page; keywords go into the Class block, `page` replaces the Page block."""
    title = label or slug.replace("-", " ").title()
    blocks = fenced(page if page is not None else page_block(slug, title)) + "\n" + fenced(class_block(slug, title, **more))
    return f"public:: true\n\n# {title}\n{blocks}\n\n{body}"


def read(reader: CorpusReader) -> tuple[list[Concept], Report]:
    report = Report(KINDS)
    return list(reader.read(report)), report


def built(*readers: CorpusReader) -> stage.Work:
    """Every stage of a build over these sources."""
    work = stage.Work([stage.Source(f"source-{at}", reader) for at, reader in enumerate(readers)])
    stage.run(work, stage.found())
    return work


def examples(report: Report, kind: str) -> list[tuple[str, str]]:
    """(where, message) of the remarks of one kind."""
    return [(one["where"], one["message"]) for one in report.as_json().get(kind, {}).get("examples", [])]
