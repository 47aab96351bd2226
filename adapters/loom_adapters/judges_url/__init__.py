"""Judges behind an OpenAI-compatible URL (specs/claims.md §11).

- `tasks`: what each judge is told, and the JSON schema of its reply
- `fenced`: the judged text as data
- `asking`: one request, kept by its content, priced, and asked once more where the reply is malformed
- `replies`: replies into judgements; whatever is none raises `Malformed`
- `judges`: `UrlJudges`, the ports
"""

from loom_adapters.judges_url.asking import Prices
from loom_adapters.judges_url.judges import UrlJudges

__all__ = ["Prices", "UrlJudges"]
