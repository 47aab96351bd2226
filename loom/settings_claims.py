"""The settings of the claims layer. What a workspace itself states (parts, models, judges) is in the file that LOOM_CLAIMS_FILE names."""

from typing import Annotated, Literal

from pydantic import AfterValidator

from loom.settings_groups import Group, memory_store, setting
from loom.settings_kinds import Number, Text, Whole


class ClaimSettings(Group):
    """Interpretations that are kept with what justifies them."""

    mode: Literal["off", "on"] = setting("LOOM_CLAIMS", "off", "Whether claims and signals are evidence in chat.", "off or on")
    store: Annotated[Text, AfterValidator(memory_store)] = setting(
        "LOOM_CLAIMS_STORE",
        "./claims.sqlite",
        "Where claims are kept: a file of SQLite, or a PostgreSQL by its URL.",
        "a file, or a URL that begins with postgresql://",
    )
    file: Text = setting(
        "LOOM_CLAIMS_FILE", "", "TOML file with the parts, models and judges of the workspace; empty: rules judge.", "a file"
    )
    floor: Number = setting(
        "LOOM_CLAIMS_FLOOR", 0.5, "Share of a question's terms that the best claim or signal must have to be shown in chat.",
        "a number from 0 to 1", ge=0, le=1,
    )  # fmt: skip
    hits: Whole = setting(
        "LOOM_CLAIMS_HITS", 6, "Most claims and signals in one block.", "a whole number from 1 to 50", ge=1, le=50
    )
    interval: Number = setting(
        "LOOM_CLAIMS_INTERVAL", 900.0, "Seconds between two batches of `loom claims run`; what people do is done at once.",
        "seconds, 1 or more", ge=1,
    )  # fmt: skip

    slow_path: Literal["off", "on"] = setting(
        "LOOM_CLAIMS_SLOW_PATH", "off", "Whether `loom serve` runs the slow path of claims beside itself.", "off or on"
    )

    @property
    def kept(self) -> bool:
        return self.mode == "on"
