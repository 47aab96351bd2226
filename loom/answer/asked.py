"""The question in a conversation: what chat asks of the node, and what is tried without a model in the same words."""

from collections.abc import Mapping

from loom.answer.shape import shape_of, text_of, turns_of
from loom.answer.side_calls import side_call
from loom.core.values import Json, Options, Question, Scope


def question_of(body: Mapping[str, Json], scope: Scope, options: Options, *, side_calls: bool) -> tuple[Question, str | None]:
    """The question of a chat request whose messages have been checked, and the kind of side call that it is, if side calls are
    looked for and it is one."""
    messages = body["messages"]
    text = text_of(messages)
    kind = side_call(body) if side_calls else None
    shape = "side_call" if kind else shape_of(body, text)
    return Question(text, scope, body, shape, options, before=turns_of(messages)), kind
