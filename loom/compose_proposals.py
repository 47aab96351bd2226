"""The composition of the write path: which vault it reads and writes, and where its proposals are kept."""

from pathlib import Path

from loom.core.errors import BadInput
from loom.core.proposals.topics import Bars
from loom.ports import Clock
from loom.proposals.desk import Desk
from loom.settings import Settings


def desk(settings: Settings, clock: Clock | None = None) -> Desk:
    """The desk of the vault that the settings name. Raises BadInput where they name none, or none that is there."""
    from loom_adapters.clock import SystemClock
    from loom_adapters.proposals.records import FolderRecords
    from loom_adapters.proposals.vault_pages import FolderVault

    stated, time = settings.proposals, clock or SystemClock()
    if not stated.vault:
        raise BadInput("Expected the folder of a vault; give it with --vault, or as LOOM_PROPOSALS_VAULT.", param="vault")
    bars = Bars(stated.fingerprints, stated.sources, stated.thin, stated.verified)
    vault = FolderVault(Path(stated.vault))
    return Desk(vault, FolderRecords(stated.store), bars, lambda: time.now().isoformat(timespec="seconds"))
