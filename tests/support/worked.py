"""The invented classes of the worked example of the reference format."""

from loom.core.values import Concept, Ref

BASE = "urn:ngm:class:"


def ref(slug: str) -> Ref:
    return Ref(BASE + slug)


TIDE_KILN = Concept(
    BASE + "tide-kiln",
    "Tide Kiln",
    "A kiln whose firing schedule follows the tide table.",
    domain="ceramics",
    maturity="draft",
    quality=0.7,
    parents=(ref("kiln"),),
    ancestors=(ref("heat-source"), ref("artefact")),
    relations=(
        ("zonedBy", (ref("harbour-rule"),)),
        ("uses", (ref("salt-glaze"), ref("missing-thing"))),
        ("requires", (ref("tide-table"),)),
    ),
)
KILN = Concept(BASE + "kiln", "Kiln", "A chamber that reaches firing temperature.", domain="ceramics", quality=0.9)
SALT_GLAZE = Concept(BASE + "salt-glaze", "Salt Glaze", "A glaze formed by salt vapour.")
TIDE_TABLE = Concept(BASE + "tide-table", "Tide Table", domain="sea", maturity="mature", quality=0.5)
HARBOUR_RULE = Concept(
    BASE + "harbour-rule",
    "Harbour Rule",
    "A rule that a harbour master enforces.",
    domain="sea",
    maturity="mature",
    quality=0.5,
)
CLASSES = (TIDE_KILN, KILN, SALT_GLAZE, TIDE_TABLE, HARBOUR_RULE)
