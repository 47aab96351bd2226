"""The ids of the battery in groups, as figures are given for them."""

QUANTITATIVE = ("S1", "S3", "R1q", "X1", "X3", "X4", "A1")
COMPARATIVE = ("S2", "X2", "C1")
TRAPS = ("S4", "N1", "N2", "N3", "N4")
CONTENT = ("S5", "R5q", "U3", "T1")
STATED = ("V1", "P1", "K1")
OPEN = ("S6", "B1", "M1")
GROUPS: dict[str, tuple[str, ...]] = {
    "quantitative": QUANTITATIVE,
    "comparative": COMPARATIVE,
    "traps": TRAPS,
    "content": CONTENT,
    "stated": STATED,
    "open": OPEN,
    "load and directives": ("L1", "H1"),
}


def group_of(battery: str) -> str:
    """The group of an id."""
    return next(name for name, ids in GROUPS.items() if battery in ids)
