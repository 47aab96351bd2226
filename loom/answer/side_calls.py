"""Side calls: what chat programs ask a model behind the user's back, such as a title, tags or follow-up questions.

Grounding them wastes tokens and pollutes what is counted. They are told by the shape of the request, as rows of a table: a
row's features must all be there. The table is careful: a user who wants a title for an essay is no side call, and a request
with tools never is.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from loom.answer.shape import content_text
from loom.core.values import Json

KINDS = ("title", "tags", "follow_up", "query", "summary", "autocomplete", "image_prompt", "emoji", "merge", "tool_choice")
ENDS_READ = 2000
"""Code points read at each end of a text: instructions stand there, the conversation between them."""
SHORT_SYSTEM = 2000
"""A system message longer than this is an assistant's, whatever it says about titles."""


def _feature(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.DOTALL | re.MULTILINE)


MAKE = r"(?:generat|creat|writ|provid|giv|produc|extract|suggest|propos|craft|summari[sz]|repl(?:y|ies)|respond|determin|categori[sz])\w*"
_TALK = r"(?:conversation|chat|discussion|dialogue?|exchange)(?: (?:history|log|session|thread))?"
CHAT = _feature(
    rf"\b(?:this|our|the|above|following) (?:(?:following|above|previous|whole|entire|short|user|message) )?(?:{_TALK}|message (?:history|thread)|thread)\b"
    r"(?! (?:paper|piece|board|forum|group|guide|section|app|bot|client|feature|model|protocol|program|server|widget|of|on|about|between)\b)"
    r"|\b(?:this message|chat history)\b|<chat_history>|\|\|>|^\W*(?:user|human)\W*:.*^\W*(?:ai|assistant|bot|response)\W*:"
)
"""The talk itself, pointed at or quoted; somebody's dialogue, or a chat program, is none."""
TERSE = _feature(
    r"\bonly\b|\bnothing else\b|\bwithout any\b|\bno (?:quot|punctuation|explanation|other|additional|extra|preamble)|\bomit(?:ting)?\b"
    r"|\bwords? or (?:less|fewer)\b|\b(?:max(?:imum)?|at most|under|within|up to)\b.{0,12}\d+|\b\d+\s*(?:-|–|to)\s*\d+[ -]words?\b"
    r"|\b(?:two|three|four|five|six)(?: |-)to(?: |-)\w+(?: |-)words?\b|\bjson\b"
)
TRANSCRIPT = _feature(r"[:.\n]\s*(?:user|human)\s*:\s*\S.*\b(?:assistant|ai|bot|model)\s*:\s*\S")
"""A talk that is quoted on one line."""
FORM = _feature(r"\A\s*#{1,4} ?task\b.*(?:<chat_history>|#{1,4} ?chat history|<(?:type|context)>.*<text>)")


@dataclass(frozen=True, slots=True)
class Row:
    """One kind of side call: every feature must be found in the last message, which may be a system message, or, by_system, in a
    short system message that stands before a single user message; `long` where it may be of any length, and its ends are read."""

    kind: str
    features: tuple[re.Pattern[str], ...]
    by_system: bool = False
    long: bool = False


ROWS = (
    Row("autocomplete", (FORM, _feature(r"<text>"), _feature(r"autocomplet|\bcontinu"))),
    Row("title", (FORM, _feature(r'"title"\s*:'))),
    Row("tags", (FORM, _feature(r'"tags"\s*:'))),
    Row("follow_up", (FORM, _feature(r'"follow[_-]?ups?"\s*:'))),
    Row("query", (FORM, _feature(r'"(?:queries|query)"\s*:'))),
    Row("image_prompt", (FORM, _feature(r'"prompt"\s*:'))),
    Row("emoji", (_feature(r"\A\s*your task\b.{0,80}\bfacial expression\b.{0,40}\bemoji\b"),)),
    Row("title", (_feature(rf"\b{MAKE}\b.{{0,90}}\btitle\b(?!s? (?:page|deed|track))"), CHAT, TERSE)),
    Row("title", (_feature(rf"\A\W*\b{MAKE}\b.{{0,60}}\btitle\b.{{0,30}}\b(?:this|the|our|following) {_TALK}\b"), TRANSCRIPT)),
    Row("tags", (_feature(rf"\A\W*\b{MAKE}\b.{{0,60}}\btags\b.{{0,30}}\b(?:this|the|our|following) {_TALK}\b"), TRANSCRIPT)),
    Row("title", (_feature(r"\bas a title for the (?:previous|following|above) (?:query|message|prompt)\b"), TERSE)),
    Row("merge", (_feature(r"\A\W*you have been provided with a set of responses from (?:various|several|different) models\b"), _feature(r"\bsynthesi[sz]e\b"))),
    Row("tool_choice", (_feature(r"\A\W*available tools:"), _feature(r"\bchoose\b.{0,60}\btools?\b.{0,60}\blist of available tools\b"))),
    Row("tool_choice", (_feature(r"\A\W*available tools:"), _feature(r"\bchoose\b.{0,60}\btools?\b.{0,60}\blist of available tools\b")), by_system=True, long=True),
    Row("title", (_feature(r"\bsummari[sz]e in a \d+-word title\b"), TERSE)),
    Row("title", (_feature(r"\b\d+\s*-\s*\d+[ -]word phrase as a header\b"), _feature(r"\bfollowing query\b"))),
    Row("title", (_feature(r"\A.{0,80}\bgiv\w* (?:this|the|our) (?:conversation|chat) a (?:short )?name\b"), TERSE)),
    Row("title", (_feature(rf"\A\s*(?:detect\b.{{0,60}})?(?:please )?\b{MAKE}\b.{{0,90}}\btitle (?:for|of) (?:this|the|our) (?:conversation|chat)\b"),), by_system=True),
    Row("title", (_feature(r"\A\s*you are\b[^.!?\n]{0,80}\b(?:(?:chat|conversation|thread|discussion)\W{1,2}titles?|titles? (?:generat|mak|writ)\w*)\b"),), by_system=True),
    Row("title", (_feature(rf"\A\s*you are\b.{{0,80}}\bsummari[sz]er\b.{{0,80}}\b{MAKE}\b.{{0,60}}\btitle\b"), TERSE), by_system=True),
    Row("title", (_feature(r"总结.{0,12}标题|生成.{0,12}标题"), _feature(r"会话|对话|聊天"), _feature(r"不要|只|仅|以内|不需要"))),
    Row("title", (_feature(r"(?:会话|对话).{0,20}标题|标题.{0,20}(?:会话|对话)"), _feature(r"不要|只|仅|以内|不需要")), by_system=True),
    Row("tags", (_feature(rf"\b{MAKE}\b.{{0,60}}\btags\b"), CHAT, _feature(r"\bjson\b|\bonly\b|\bcomma[- ]separated\b"), _feature(r"<chat_history>|#{1,4} |\b\d\s*-\s*\d\b"))),
    Row("follow_up", (_feature(rf"\b{MAKE}\b.{{0,60}}\bfollow[- ]?up(?:s|[ -](?:question|prompt|message|quer|suggestion)\w*)\b"), CHAT, _feature(r"\bjson\b|\barray\b|\bonly\b|\bnothing else\b"))),
    Row("query", (_feature(rf"\b{MAKE}\b.{{0,60}}\bsearch quer(?:y|ies)\b"), CHAT, _feature(r"\bjson\b|\bonly\b|\bnothing else\b"))),
    Row("query", (_feature(r"\b(?:rephras|rewrit|reformulat|condens)\w*\b.{0,80}\b(?:question|query|message|input)\b"), _feature(r"\bstand-?alone\b"), CHAT)),
    Row("summary", (_feature(r"\bsummari[sz]e\b.{0,40}\b(?:conversation|discussion|chat|dialogue)\b"), _feature(r"\bfuture context\b|\bas (?:a )?(?:prompt|memory)\b"))),
)  # fmt: skip

HINTS = (
    "title",
    "a name",
    "header",
    "标题",
    "tags",
    "follow",
    "quer",
    "standalone",
    "stand-alone",
    "summari",
    "autocomplet",
    "emoji",
    "responses from",
    "available tools",
    "#task",
    "# task",
)
"""A text without any of these, in lower case, has the features of no row."""


def _hints(text: str) -> bool:
    lowered = text.lower()
    return any(hint in lowered for hint in HINTS)


def _ends(text: str) -> str:
    return text if len(text) <= 2 * ENDS_READ else f"{text[:ENDS_READ]}\n{text[-ENDS_READ:]}"


def side_call(body: Mapping[str, Json]) -> str | None:
    """The kind of side call that a chat request is, one of `KINDS`; None for a user's own."""
    messages = body.get("messages")
    if body.get("tools") or body.get("functions") or not isinstance(messages, list) or not messages:
        return None
    last = messages[-1]
    if not isinstance(last, Mapping) or last.get("role") not in ("user", "system", "developer"):
        return None
    asked = _ends(content_text(last.get("content")))
    if _hints(asked):
        for row in ROWS:
            if not row.by_system and all(feature.search(asked) for feature in row.features):
                return row.kind
    first = messages[0]
    if len(messages) == 2 and isinstance(first, Mapping) and first.get("role") in ("system", "developer"):
        whole = content_text(first.get("content"))
        told = _ends(whole)
        if _hints(told):
            for row in ROWS:
                if (
                    row.by_system
                    and (row.long or len(whole) <= SHORT_SYSTEM)
                    and all(feature.search(told) for feature in row.features)
                ):
                    return row.kind
    return None
