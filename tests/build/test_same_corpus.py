"""The real pages and the index that another compiler made of them say the same. Skipped where the corpus is absent."""

import json
import lzma

from support.pages import built
from support.real import real

from loom.build.agreement import compare
from loom_adapters.page_folder import PageFolder
from loom_adapters.source_files import ArchiveFiles


def test_pages_and_compiled_index_agree() -> None:
    classes = json.loads(lzma.decompress(real("scaffold-index-v1.json.xz").read_bytes()))["classes"]
    work = built(PageFolder(ArchiveFiles(real("pages.tar.xz")), prose=False))
    agreement = compare(work.concepts, classes, work.report)
    assert agreement.compared == {"class": 8138, "title": 8138, "parent": 9623, "ancestor": 24272, "relation": 103756}
    assert agreement.differences == []
    counted = {
        "unknown-relation": 157, "duplicate-json-key": 5, "slug-differs": 428, "page-slug-differs": 96, "label-differs": 259,
        "file-name-differs": 303, "heading-differs": 252, "no-heading": 53, "duplicate-page-slug": 4, "duplicate-page-iri": 4,
        "parent-cycle": 2, "repeated-parent": 121, "contradictory-edge": 57, "dangling-parent": 2, "root-parent": 5,
        "dangling-relation": 5267, "self-loop": 1, "definition-cut": 5447, "wikilink-in-definition": 16, "quality-score-only": 740,
        "no-quality": 47, "quality-differs": 1013, "empty-relation": 296, "no-relations": 80, "script-html": 33, "bidi-control": 1,
        "not-nfc": 1, "astral-character": 48, "long-title": 183, "title-shadows-slug": 5, "unread-block": 3690,
    }  # fmt: skip
    assert {kind: work.report.count(kind) for kind in counted} == counted
