"""Which export a file is, told by its content, and the file read."""

import orjson

from loom.core.errors import BadInput
from loom.core.memory.imported import Imported
from loom_adapters.memory.imports import chatgpt, claude, lines, openwebui, slack, whatsapp

KNOWN = (
    "our own export, turns as JSON lines, conversations.json of ChatGPT or of Claude, chats of Open WebUI, a channel of Slack, or a "
    "chat of WhatsApp as text"
)

_JSON = (
    (chatgpt.is_chatgpt, chatgpt.read),
    (claude.is_claude, claude.read),
    (openwebui.is_openwebui, openwebui.read),
    (slack.is_slack, slack.read),
)


def read(data: bytes) -> Imported | None:
    """The conversations of an export of another program, None for our own, which stores read. Raises BadInput for what is neither."""
    if data.lstrip()[:64].replace(b" ", b"").startswith(b'{"loom_memory":'):
        return None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadInput(
            f"Expected text in UTF-8, but line {line} holds other bytes; save the file as UTF-8.", param="data"
        ) from None
    if not text.strip():
        raise BadInput(f"Expected an export of conversations, but it is empty; give {KNOWN}.", param="data")
    if lines.is_lines(text):
        return lines.read(text)
    if whatsapp.is_whatsapp(text):
        return whatsapp.read(text)
    if text.lstrip()[0] in "[{":
        try:
            value = orjson.loads(text)
        except orjson.JSONDecodeError as error:
            raise BadInput(
                f"Expected JSON, but it cannot be read at line {error.lineno}, column {error.colno} ({error.msg.split(':')[0]}); "
                "export it again, or mend the line.",
                param="data",
            ) from None
        for fits, reader in _JSON:
            # One conversation alone is exported without a list around it.
            for each in (value, [value]):
                if fits(each):
                    return reader(each)
        raise BadInput(f"This JSON is no export that is known; give {KNOWN}.", param="data")
    raise BadInput(
        f"This text is no export that is known: line 1 begins with {text.strip()[:40]!r}; give {KNOWN}.", param="data"
    )
