"""What stands in a text but is not shown to its reader: comments, tags and their attributes, elements that are not displayed,
invisible characters."""

import re

_TAGS = (
    "a|abbr|article|aside|b|base|body|br|button|caption|code|data|dd|del|details|div|dl|dt|em|embed|figure|font|footer|form|h[1-6]|head|"
    "header|hr|html|i|iframe|img|input|ins|kbd|label|li|link|main|mark|meta|nav|object|ol|p|param|pre|q|s|samp|script|section|small|"
    "span|strong|style|sub|summary|sup|svg|table|tbody|td|template|tfoot|th|thead|time|title|tr|tt|u|ul|var|video|wbr"
)
_NOT_SHOWN = r"\bhidden\b|display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0|opacity\s*:\s*0(?![.\d])"
_HIDDEN = re.compile(
    r"<!--.*?(?:-->|\Z)|%%.*?%%|^[ \t]*\[(?://|comment|#)\]:\s*.*$"
    r"|<(script|style|template|head)\b[^<>]*>.*?</\1\s*>"
    rf"|<(\w+)\b[^<>]*?(?:{_NOT_SHOWN})[^<>]*>.*?(?:</\2\s*>|\Z)"
    rf"|</?(?:{_TAGS})\b[^<>\n]*>",
    re.S | re.M | re.I,
)
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f]"
)


def parted(text: str) -> tuple[str, list[str]]:
    """The text that is shown, its lines in place, and the pieces that are not."""
    unseen: list[str] = []

    def taken(match: re.Match[str]) -> str:
        unseen.append(match[0])
        return " " + "\n" * match[0].count("\n")

    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _HIDDEN.sub(taken, _INVISIBLE.sub("", text)), unseen
