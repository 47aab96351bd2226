"""The settings of the node, one frozen group per room. A setting is one line here: its variable, default, meaning, and what
values it takes; `loom config`, the flags, the errors and the documentation are read from these lines."""

from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_validator

from loom.core.memory.policy import Recalls
from loom.settings_kinds import Aliases, Headers, Names, Number, Switch, Text, Whole


def setting(variable: str, default: Any, meaning: str, expects: str, *, secret: bool = False, **bounds: Any) -> Any:
    """One setting. `expects` completes the sentence "LOOM_X expects …"."""
    extra: dict[str, Any] = {"variable": variable, "expects": expects, "secret": secret}
    return Field(default=default, description=meaning, json_schema_extra=extra, **bounds)


SWITCH = "a switch: 1 or 0, true or false, yes or no, on or off"


def http_url(value: str) -> str:
    """An absolute http(s) URL without the slash at its end, or nothing."""
    parts = urlsplit(value)
    if value and (parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment):
        raise ValueError("not a base URL")
    return value.rstrip("/")


class Group(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class NodeSettings(Group):
    """Where the knowledge is."""

    generations: Path = setting(
        "LOOM_GENERATIONS",
        Path("./generations"),
        "Folder of sealed generations, and of the pointer to the current one.",
        "a folder",
    )


class ServingSettings(Group):
    """The door: address, workers, keys."""

    host: Text = setting(
        "LOOM_HOST", "127.0.0.1", "Address to listen on. Any address but loopback needs API keys or LOOM_INSECURE.",
        "a host name or address", min_length=1,
    )  # fmt: skip
    port: Whole = setting(
        "LOOM_PORT", 8080, "Port to listen on; 0 takes a free one.", "a port number from 0 to 65535", ge=0, le=65535
    )
    workers: Whole = setting("LOOM_WORKERS", 1, "Web worker processes.", "a whole number from 1 to 256", ge=1, le=256)
    keepalive: Number = setting(
        "LOOM_KEEPALIVE", 15.0, "Seconds of silence in a stream after which a comment keeps the connection open; 0 sends none.",
        "seconds, 0 or more", ge=0,
    )  # fmt: skip
    cors_origins: Names = setting(
        "LOOM_CORS_ORIGINS", (), "Browser origins that may call the node, separated by commas; `*` allows every origin.",
        "origins such as https://chat.example, separated by commas, or *",
    )  # fmt: skip
    api_keys_file: Text = setting(
        "LOOM_API_KEYS_FILE",
        "",
        "File of hashed API keys, written by `loom keys`. Empty: no keys are asked for.",
        "a file written by `loom keys add`",
    )
    insecure: Switch = setting("LOOM_INSECURE", False, "Allow an address other than loopback without API keys.", SWITCH)

    @field_validator("cors_origins")
    @classmethod
    def _origins(cls, origins: tuple[str, ...]) -> tuple[str, ...]:
        for origin in origins:
            parts = urlsplit(origin)
            if origin != "*" and (not parts.scheme or not parts.hostname or parts.path or parts.query):
                raise ValueError("not an origin")
        return origins


class ModelSettings(Group):
    """The model behind the node."""

    url: Annotated[Text, AfterValidator(http_url)] = setting(
        "LOOM_MODEL_URL", "", "Base URL of an OpenAI-compatible API, with its /v1. Empty: the built-in reader answers.",
        "a base URL such as http://127.0.0.1:8000/v1",
    )  # fmt: skip
    key: Text = setting("LOOM_MODEL_KEY", "", "API key sent to the model URL.", "a key", secret=True)
    aliases: Aliases = setting(
        "LOOM_MODEL_ALIASES", {}, "Names that clients may use for upstream models: `public=upstream, …`.",
        "pairs `public=upstream`, separated by commas",
    )  # fmt: skip
    profile: Text = setting(
        "LOOM_MODEL_PROFILE",
        "auto",
        "Row of the table of upstream quirks; `auto` guesses it from the URL.",
        "auto or the name of a profile",
        min_length=1,
    )
    headers: Headers = setting(
        "LOOM_MODEL_HEADERS", {}, "Headers sent with every call upstream: `Name: value; …`.",
        "pairs `Name: value`, separated by semicolons", secret=True,
    )  # fmt: skip
    forward_headers: Names = setting(
        "LOOM_FORWARD_HEADERS", (), "Headers of the client's request that travel upstream.", "header names separated by commas"
    )
    reasoning: Literal["auto", "on", "off"] = setting(
        "LOOM_REASONING",
        "auto",
        "Whether the upstream thinks before it answers; `auto` learns it from its answers.",
        "auto, on or off",
    )
    thinking: Literal["keep", "off"] = setting(
        "LOOM_MODEL_THINKING",
        "keep",
        "Whether a model may think before it answers; `off` turns the upstream's own switch where the request does not.",
        "keep or off",
    )
    reasoning_floor: Whole = setting(
        "LOOM_REASONING_FLOOR", 4096, "Least completion allowance of a model that thinks, in tokens; 0 sets none.",
        "a whole number of tokens, 0 or more", ge=0,
    )  # fmt: skip
    reasoning_retry: Whole = setting(
        "LOOM_REASONING_RETRY", 8192, "Allowance of the one retry when thinking used all of the first; 0 never retries.",
        "a whole number of tokens, 0 or more", ge=0,
    )  # fmt: skip
    connect_timeout: Number = setting("LOOM_CONNECT_TIMEOUT", 5.0, "Seconds to connect upstream.", "seconds above 0", gt=0)
    first_byte_timeout: Number = setting(
        "LOOM_FIRST_BYTE_TIMEOUT", 600.0, "Seconds until the first byte of an answer.", "seconds above 0", gt=0
    )
    idle_timeout: Number = setting("LOOM_IDLE_TIMEOUT", 120.0, "Seconds of silence inside an answer.", "seconds above 0", gt=0)
    retries: Whole = setting(
        "LOOM_RETRIES", 2, "Retries of a call of which no byte has come back.", "a whole number from 0 to 10", ge=0, le=10
    )

    @field_validator("forward_headers")
    @classmethod
    def _names(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        if any(not set(name) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") for name in names):
            raise ValueError("not header names")
        return tuple(name.lower() for name in names)


class RetrievalSettings(Group):
    """What is found, and how much of it a prompt may carry."""

    budget: Whole = setting(
        "LOOM_BUDGET", 1500, "Most tokens of one injected block.", "a whole number from 1 to 100000", ge=1, le=100_000
    )
    max_units: Whole = setting("LOOM_MAX_UNITS", 4, "Most concepts in one block.", "a whole number from 1 to 64", ge=1, le=64)
    max_described: Whole = setting(
        "LOOM_MAX_DESCRIBED",
        8,
        "Most concepts for a question that describes rather than names.",
        "a whole number from 1 to 64",
        ge=1,
        le=64,
    )
    hops: Whole = setting("LOOM_HOPS", 1, "Whether neighbouring concepts are shown: 0 or 1.", "0 or 1", ge=0, le=1)
    prose: Switch = setting("LOOM_PROSE", False, "Whether a unit may carry the free text of its page.", SWITCH)
    policy: Literal["default", "reference"] = setting(
        "LOOM_POLICY", "default", "Policy of gate and packing.", "default or reference"
    )
    wrapper: Literal["authoritative", "incomplete", "supplement", "neutral", "bare"] = setting(
        "LOOM_WRAPPER", "authoritative", "Sentence that introduces the block to the model.",
        "authoritative, incomplete, supplement, neutral or bare",
    )  # fmt: skip
    confidence_injection: Switch = setting(
        "LOOM_CONFIDENCE_INJECTION", False, "Policy `reference`: scale the budget by the score of the best match.", SWITCH
    )
    strong_match_score: Number = setting(
        "LOOM_STRONG_MATCH_SCORE", 8.0, "Policy `reference`: score that earns the whole budget.", "a number"
    )
    min_inject_score: Number = setting(
        "LOOM_MIN_INJECT_SCORE", 2.0, "Policy `reference`: least score that engages.", "a number, 0 or more", ge=0
    )
    min_inject_fraction: Number = setting(
        "LOOM_MIN_INJECT_FRACTION", 0.4, "Policy `reference`: least share of the budget.", "a number from 0 to 1", ge=0, le=1
    )
    verbatim: Switch = setting(
        "LOOM_VERBATIM", False, "Answer questions of lookup shape with the block itself, without a model.", SWITCH
    )
    side_calls: Literal["auto", "off"] = setting(
        "LOOM_SIDE_CALLS",
        "auto",
        "Whether title, tag and follow-up calls of chat programs pass through ungrounded.",
        "auto or off",
    )


class EmbeddingSettings(Group):
    """Vectors of a generation: who embeds questions, and what finds the nearest."""

    embedder: Literal["auto", "onnx", "sentence-transformers", "url", "off"] = setting(
        "LOOM_EMBEDDER", "auto", "Who embeds questions; `auto` is what the attachment of the generation names, `off` nobody.",
        "auto, onnx, sentence-transformers, url or off",
    )  # fmt: skip
    url: Annotated[Text, AfterValidator(http_url)] = setting(
        "LOOM_EMBED_URL", "", "Base URL of an OpenAI-compatible API with /embeddings, with its /v1.",
        "a base URL such as http://127.0.0.1:8000/v1",
    )  # fmt: skip
    key: Text = setting("LOOM_EMBED_KEY", "", "API key sent to the embedding URL.", "a key", secret=True)
    model: Text = setting(
        "LOOM_EMBED_MODEL", "", "Name of the model at the embedding URL. Empty: the name that the attachment states.", "a name"
    )
    timeout: Number = setting(
        "LOOM_EMBED_TIMEOUT", 0.5, "Seconds that the embedding of a question at the URL may take.", "seconds above 0", gt=0
    )
    index: Literal["auto", "exact", "hnswlib", "usearch", "qdrant"] = setting(
        "LOOM_VECTOR_INDEX", "auto", "What finds the nearest vectors; `auto` is exact search while that is cheaper, then a graph.",
        "auto, exact, hnswlib, usearch or qdrant",
    )  # fmt: skip
    qdrant_url: Annotated[Text, AfterValidator(http_url)] = setting(
        "LOOM_QDRANT_URL", "", "Base URL of Qdrant.", "a base URL such as http://127.0.0.1:6333"
    )
    qdrant_key: Text = setting("LOOM_QDRANT_KEY", "", "API key sent to Qdrant.", "a key", secret=True)
    min_recall: Number = setting(
        "LOOM_MIN_RECALL", 0.95, "Least recall of the index at 10, measured when vectors are made; below, they are not used.",
        "a number from 0 to 1", ge=0, le=1,
    )  # fmt: skip


class FactSettings(Group):
    """Facts of knowledge bases, and what an answer may say beside them."""

    enforce: Literal["flag", "append", "refuse"] = setting(
        "LOOM_FACTS_ENFORCE",
        "flag",
        "What follows where an answer over facts has numbers that were not shown: `flag` counts them, `append` names them at its "
        "end, `refuse` answers with the facts.",
        "flag, append or refuse",
    )
    context: Literal["full", "skeleton", "hydrate"] = setting(
        "LOOM_FACTS_CONTEXT",
        "full",
        "What a question over knowledge bases is given: `full`; `skeleton` has facts and outlines, no prose; `hydrate` has no "
        "passage that was searched for, and tells the model how to ask for some.",
        "full, skeleton or hydrate",
    )
    readout: Literal["full", "core-only", "off"] = setting(
        "LOOM_FACTS_READOUT",
        "full",
        "How much of what is searched for in knowledge bases is shown: `full`, `core-only` (nothing that was added round a find) or `off`.",
        "full, core-only or off",
    )
    outline: Whole = setting(
        "LOOM_FACTS_OUTLINE", 1600, "Most characters of all outlines of knowledge bases in one block.",
        "a whole number from 0 to 100000", ge=0, le=100_000,
    )  # fmt: skip
    greedy: Switch = setting(
        "LOOM_FACTS_GREEDY",
        True,
        "Whether temperature 0 is sent where computed facts are shown and the client states none.",
        SWITCH,
    )


def memory_store(value: str) -> str:
    """A path, or the URL of a PostgreSQL."""
    if not value or ("://" in value and not value.startswith(("postgresql://", "postgres://"))):
        raise ValueError("neither a file nor a PostgreSQL")
    return value


RECALLS = Recalls()


class MemorySettings(Group):
    """What was said in conversations, where a request asks for it."""

    mode: Literal["off", "on"] = setting(
        "LOOM_MEMORY", "off", "Whether the node keeps conversation memory for requests that ask for it.", "off or on"
    )
    store: Annotated[Text, AfterValidator(memory_store)] = setting(
        "LOOM_MEMORY_STORE",
        "./memory.sqlite",
        "Where conversations are kept: a file of SQLite, or a PostgreSQL by its URL.",
        "a file, or a URL that begins with postgresql://",
    )
    floor: Number = setting(
        "LOOM_MEMORY_FLOOR", RECALLS.floor, "Confidence below which the node says that nothing is recorded.",
        "a number from 0 to 1", ge=0, le=1,
    )  # fmt: skip
    hits: Whole = setting(
        "LOOM_MEMORY_HITS", RECALLS.k, "Most turns of a conversation in one block.", "a whole number from 1 to 50", ge=1, le=50
    )

    @property
    def kept(self) -> bool:
        return self.mode == "on"


class ProposalSettings(Group):
    """The write path into the corpus: assertions land beside pages, and what people approve is written into them."""

    vault: Text = setting(
        "LOOM_PROPOSALS_VAULT", "", "Folder of the pages whose ledger takes assertions. Empty: this node takes none.",
        "the folder of a vault",
    )  # fmt: skip
    store: Path = setting(
        "LOOM_PROPOSALS_STORE", Path("./proposals"), "Folder of dossiers, decisions, verdicts and their rule.", "a folder"
    )
    fingerprints: Whole = setting(
        "LOOM_PROPOSALS_FINGERPRINTS", 3, "Assertions that make a topic a candidate.", "a whole number above 0", gt=0
    )
    sources: Whole = setting(
        "LOOM_PROPOSALS_SOURCES", 2, "Documents that these must come from.", "a whole number above 0", gt=0
    )
    thin: Whole = setting(
        "LOOM_PROPOSALS_THIN", 0, "Served words up to which a page is thin, so that one assertion is enough; 0: no page is.",
        "a whole number, 0 or more", ge=0,
    )  # fmt: skip
    enough: Number = setting(
        "LOOM_PROPOSALS_ENOUGH", 1.0, "Mean copy ceiling from which a proposed text is name-complete.", "a number above 0, at most 1",
        gt=0, le=1,
    )  # fmt: skip
    verified: Switch = setting(
        "LOOM_PROPOSALS_VERIFIED", True, "Count only assertions that were compared with their source.", SWITCH
    )


class LimitSettings(Group):
    """What one caller may ask for."""

    rate_limit: Whole = setting(
        "LOOM_RATE_LIMIT", 0, "Requests a minute per API key (per address where there are no keys); 0 sets no limit.",
        "a whole number of requests a minute, 0 or more", ge=0,
    )  # fmt: skip
    max_body_bytes: Whole = setting(
        "LOOM_MAX_BODY_BYTES", 16 * 1024 * 1024, "Most bytes of one request body.", "a whole number of bytes above 0", gt=0
    )


class SparqlSettings(Group):
    """The SPARQL endpoint, and what one query may use."""

    enabled: Switch = setting("LOOM_SPARQL", True, "Whether the node answers SPARQL queries.", SWITCH)
    deadline: Number = setting(
        "LOOM_SPARQL_DEADLINE", 10.0, "Seconds after which a query is stopped, and for which one may wait for its turn.",
        "seconds above 0, at most 3600", gt=0, le=3600,
    )  # fmt: skip
    rows: Whole = setting(
        "LOOM_SPARQL_ROWS", 10_000, "Most rows or triples of one result; beyond, it is truncated and says so.",
        "a whole number above 0", gt=0,
    )  # fmt: skip
    bytes: Whole = setting(
        "LOOM_SPARQL_BYTES", 16 * 1024 * 1024, "Most bytes of one result; beyond, it is truncated and says so.",
        "a whole number of bytes from 1024 to 1000000000", ge=1024, le=1_000_000_000,
    )  # fmt: skip
    memory: Whole = setting(
        "LOOM_SPARQL_MEMORY", 512 * 1024 * 1024, "Bytes of memory that one query may have, beside the triples themselves.",
        "a whole number of bytes, 67108864 or more", ge=64 * 1024 * 1024,
    )  # fmt: skip
    concurrency: Whole = setting(
        "LOOM_SPARQL_CONCURRENCY", 0, "Queries that run at once; 0 is one less than the node has processors, at least one.",
        "a whole number from 0 to 256", ge=0, le=256,
    )  # fmt: skip


class LogSettings(Group):
    """What is written down."""

    level: Literal["debug", "info", "warning", "error"] = setting(
        "LOOM_LOG_LEVEL", "info", "Least severity that is logged.", "debug, info, warning or error"
    )
    format: Literal["auto", "json", "console"] = setting(
        "LOOM_LOG_FORMAT",
        "auto",
        "Form of a log line; `auto` is console on a terminal, JSON elsewhere.",
        "auto, json or console",
    )
    content: Switch = setting(
        "LOOM_LOG_CONTENT", False, "Log questions and answers too. Off: no prompt or answer is ever logged.", SWITCH
    )
