"""Exports of chat programs, told by content and read into conversations, with a place and a remedy for what cannot be read."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loom.core.errors import BadInput
from loom.core.memory.imported import Imported
from loom_adapters.memory.imports.told import read


def node(id: str, parent: str | None, role: str, *parts: Any, **more: Any) -> dict[str, Any]:
    content = {"content_type": more.pop("kind", "text"), "parts": list(parts)}
    message = {"id": id, "author": {"role": role}, "content": content, "create_time": 1715160000.5, **more}
    return {"id": id, "parent": parent, "message": message}


CHATGPT = [
    {
        "title": "Pottery",
        "conversation_id": "c-1",
        "current_node": "d",
        "mapping": {
            "root": {"id": "root", "parent": None, "message": None},
            "a": node("a", "root", "system", "You are helpful."),
            "b": node("b", "a", "user", "I started pottery.", {"content_type": "image_asset_pointer"}),
            "x": node("x", "b", "assistant", "A branch that was not kept."),
            "c": node("c", "b", "tool", "browsing", kind="tether_quote"),
            "d": node("d", "c", "assistant", "How lovely!"),
        },
    },
    {"title": "broken"},
]
CLAUDE = [
    {
        "uuid": "u-1",
        "name": "Boats",
        "chat_messages": [
            {"uuid": "m1", "sender": "human", "text": "I bought a canoe.", "created_at": "2024-05-08T09:20:00Z"},
            {
                "uuid": "m2",
                "sender": "assistant",
                "content": [{"type": "text", "text": "Nice."}, {"type": "tool_use", "text": "no"}],
            },
            {"uuid": "m3", "sender": "robot", "text": "?"},
        ],
    }
]
OPENWEBUI = [
    {
        "id": "w-1",
        "title": "Tea",
        "chat": {
            "history": {
                "currentId": "2",
                "messages": {
                    "1": {"id": "1", "parentId": None, "role": "user", "content": "I drink tea.", "timestamp": 1715160000},
                    "2": {"id": "2", "parentId": "1", "role": "assistant", "content": "Green?", "timestamp": 1715160001},
                    "3": {"id": "3", "parentId": "1", "role": "assistant", "content": "Black?", "timestamp": 1715160002},
                },
            }
        },
    },
    {"id": "w-2", "chat": {"messages": [{"role": "system", "content": "s"}, {"role": "user", "content": "Hello"}]}},
]
SLACK = [
    {"type": "message", "subtype": "channel_join", "user": "U1", "text": "<@U1> has joined", "ts": "1715160000.000100"},
    {"type": "message", "user": "U1", "text": "Ask <@U2> &amp; see <https://a.example|the page>", "ts": "1715160001.000100",
     "user_profile": {"display_name": "Anna"}},
    {"type": "message", "user": "U2", "text": "Fine.", "ts": "1715160002.000100", "user_profile": {"display_name": "", "real_name": "Ben B"}},
    {"type": "message", "user": "U2", "text": "", "ts": "1715160003.000100", "files": [{"title": "A blue bowl"}]},
    {"text": "what is this"},
]  # fmt: skip
ANDROID = (
    "12/05/2023, 14:03 - Messages and calls are end-to-end encrypted.\n12/05/2023, 14:04 - Anna: I started pottery.\nIt is fun.\n"
    "13/05/2023, 09:10 - Ben: <Media omitted>\n13/05/2023, 09:11 - Ben: Time: 10:30 works\n13/05/2023, 09:11 - Ben: Time: 10:30 works\n"
    "99/99/2023, 09:12 - Ben: nonsense\n"
)
IPHONE = "\u200e[5/13/23, 2:03:22\u202fPM] Anna: I started pottery.\r\n\u200e[5/14/23, 12:05:00\u202fAM] Ben: \u200eimage omitted\r\n"


def told(value: Any) -> Imported:
    found = read(value.encode() if isinstance(value, str) else json.dumps(value).encode())
    assert found is not None
    return found


def spoken(found: Imported) -> list[tuple[str, list[tuple[str, str, str]]]]:
    return [(talk.name, [(said.speaker, said.text, said.date) for said in talk.turns]) for talk in found.talks]


def test_chatgpt_gives_the_branch_that_was_shown_last() -> None:
    found = told(CHATGPT)
    assert found.format == "chatgpt"
    date = "2024-05-08T09:20:00Z"
    assert spoken(found) == [("c-1", [("User", "I started pottery.", date), ("Assistant", "How lovely!", date)])]
    assert [(fault.where, "mapping" in fault.message) for fault in found.faults] == [("conversation 2", True)]


def test_claude() -> None:
    found = told(CLAUDE)
    assert found.format == "claude"
    assert spoken(found) == [("u-1", [("User", "I bought a canoe.", "2024-05-08T09:20:00Z"), ("Assistant", "Nice.", "")])]
    assert [fault.where for fault in found.faults] == ["conversation 1, message 3"]


def test_open_webui() -> None:
    found = told(OPENWEBUI)
    assert found.format == "openwebui" and not found.faults
    assert [(name, [text for _, text, _ in turns]) for name, turns in spoken(found)] == [
        ("w-1", ["I drink tea.", "Green?"]),
        ("w-2", ["Hello"]),
    ]


def test_slack_names_who_speaks_and_who_is_mentioned() -> None:
    found = told(SLACK)
    assert found.format == "slack"
    ((name, turns),) = spoken(found)
    assert name == ""
    assert [(speaker, text) for speaker, text, _ in turns] == [
        ("Anna", "Ask Ben B & see the page"),
        ("Ben B", "Fine."),
        ("Ben B", ""),
    ]
    assert found.talks[0].turns[2].caption == "A blue bowl"
    assert len({said.id for said in found.talks[0].turns}) == 3
    assert [fault.where for fault in found.faults] == ["message 5"]


def test_whatsapp_of_both_telephones() -> None:
    found = told(ANDROID)
    assert found.format == "whatsapp"
    ((_, turns),) = spoken(found)
    assert turns == [
        ("Anna", "I started pottery.\nIt is fun.", "2023-05-12T14:04"),
        ("Ben", "Time: 10:30 works", "2023-05-13T09:11"),
        ("Ben", "Time: 10:30 works", "2023-05-13T09:11"),
    ]
    assert len({said.id for said in found.talks[0].turns}) == 3
    ((where, message),) = [(fault.where, fault.message) for fault in found.faults]
    assert where == "line 7" and "99/99/2023" in message and "mend the line" in message
    ((_, turns),) = spoken(told(IPHONE))
    assert turns == [("Anna", "I started pottery.", "2023-05-13T14:03")]


def turns_of(text: str) -> list[tuple[str, str, str, str]]:
    (talk,) = told(text).talks
    return [(said.speaker, said.text, said.date, said.caption) for said in talk.turns]


@pytest.mark.parametrize(
    ("dates", "wanted"),
    [
        (["01/05/2024, 21:05", "01/06/2024, 21:05", "02/02/2024, 21:05"], ["2024-01-05", "2024-01-06", "2024-02-02"]),
        (["1/2/24, 9:05 PM", "5/2/24, 9:05 PM", "1/3/24, 9:05 PM"], ["2024-02-01", "2024-02-05", "2024-03-01"]),
        (["1/2/24, 9:05 PM", "1/3/24, 9:05 PM"], ["2024-01-02", "2024-01-03"]),
        (["01.02.24, 09:05", "01.03.24, 09:05"], ["2024-02-01", "2024-03-01"]),
        (["31/01/2024 à 21:06"], ["2024-01-31"]),
        (["2024. 1. 31. 21:05"], ["2024-01-31"]),
        (["٣١/٠١/٢٠٢٤، ٢١:٠٥"], ["2024-01-31"]),
    ],
)
def test_whatsapp_dates(dates: list[str], wanted: list[str]) -> None:
    text = "\n".join(f"{date} - Anna: word {number}" for number, date in enumerate(dates))
    assert [date[:10] for _, _, date, _ in turns_of(text)] == wanted


def test_a_day_that_no_month_has_is_a_fault() -> None:
    found = told("30/02/2024, 21:05 - Anna: one\n31/12/2024, 21:05 - Ben: two")
    assert [fault.where for fault in found.faults] == ["line 1"]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("<Medien ausgeschlossen>", []),
        ("<Media omessi>", []),
        ("Diese Nachricht wurde gelöscht.", []),
        ("\u200eBild weggelassen", []),
        ("\u200e<Anhang: 0001-PHOTO.jpg>", []),
        ("cat.jpg (Datei angehängt)\nour cat", [("our cat", "cat.jpg")]),
        ("cat.jpg (file attached)", [("", "cat.jpg")]),
        ("hi \u200e<Questo messaggio è stato modificato>", [("hi", "")]),
        ("x <y> z", [("x <y> z", "")]),
    ],
)
def test_what_whatsapp_itself_puts_into_a_message(text: str, wanted: list[tuple[str, str]]) -> None:
    head = "31/01/24, 21:05 - \u202aAnna\u202c: "
    assert [
        (speaker, *rest) for speaker, *rest in ((who, said, caption) for who, said, _, caption in turns_of(head + text))
    ] == [("Anna", said, caption) for said, caption in wanted]


def test_an_edited_message_of_claude_is_taken_once_and_its_files_are_named() -> None:
    messages = [
        {
            "uuid": "1",
            "sender": "human",
            "text": "See it.",
            "parent_message_uuid": "0",
            "attachments": [{"file_name": "a.txt"}],
        },
        {"uuid": "2", "sender": "assistant", "text": "Seen.", "parent_message_uuid": "1"},
        {"uuid": "3", "sender": "human", "text": "First.", "parent_message_uuid": "2"},
        {"uuid": "4", "sender": "human", "text": "Edited.", "parent_message_uuid": "2"},
    ]
    (talk,) = told({"uuid": "u", "chat_messages": messages}).talks
    assert [(said.text, said.caption) for said in talk.turns] == [("See it.", "a.txt"), ("Seen.", ""), ("Edited.", "")]


def test_the_last_branch_is_taken_where_none_is_said_to_be_shown() -> None:
    (talk,) = told({"title": "T", "mapping": CHATGPT[0]["mapping"]}).talks
    assert [said.text for said in talk.turns] == ["I started pottery.", "How lovely!"]


def test_what_a_model_thought_was_not_said() -> None:
    content = '<details type="reasoning" done="true"><summary>Thought</summary>\n> hidden\n</details>\nAn answer.'
    (talk,) = told([{"id": "o", "chat": {"messages": [{"id": "1", "role": "assistant", "content": content}]}}]).talks
    assert [said.text for said in talk.turns] == ["An answer."]


def test_slack_in_the_order_of_time() -> None:
    message = {"type": "message", "user": "U1", "user_profile": {"real_name": "Anna"}}
    (talk,) = told(
        [{**message, "ts": "1715160009.1", "text": "late"}, {**message, "ts": "1715160001.2", "text": "early"}]
    ).talks
    assert [said.text for said in talk.turns] == ["early", "late"]


@pytest.mark.parametrize("ts", ["1e400", "-1e400", "inf", "Infinity", "nan", "1e308", "-1", "0"])
def test_a_time_of_slack_beyond_all_is_a_fault_or_some_day(ts: str) -> None:
    found = told([{"type": "message", "user": "U1", "text": "Hi.", "ts": ts}])
    assert [fault.where for fault in found.faults] == ([] if ts == "1e308" else ["message 1"])


@pytest.mark.parametrize(
    ("date", "day"),
    [
        ("20240512T100000Z", "2024-05-12"),
        ("2024-W19-7", "2024-05-12"),
        ("2024-05-12\n10:00", "2024-05-12"),
        ("2024-05-12T10:00Z", "2024-05-12"),
    ],
)
def test_a_date_in_any_of_isos_forms_is_kept_with_its_day_first(date: str, day: str) -> None:
    lines = json.dumps({"speaker": "Anna", "text": "Hi.", "date": date})
    chat = [{"uuid": "c1", "name": "x", "chat_messages": [{"uuid": "m", "sender": "human", "text": "Hi.", "created_at": date}]}]
    for found in (told(lines), told(chat)):
        ((said,),) = (talk.turns for talk in found.talks)
        assert said.date[:10] == day and said.date.isprintable()


def test_lines_of_turns() -> None:
    found = told(
        '{"speaker": "Anna", "text": "Hi.", "date": "2024-05-08"}\n\n{"text": 7}\nno\n{"text": "x", "colour": "red"}\n{"text": " "}\n'
    )
    assert spoken(found) == [("", [("Anna", "Hi.", "2024-05-08")])]
    assert [fault.where for fault in found.faults] == ["line 3", "line 4", "line 5", "line 6"]
    assert all(fault.message.endswith(".") and fault.message.startswith(("Expected", "Unknown")) for fault in found.faults)


def test_our_own_export_is_left_to_the_store() -> None:
    assert read(b'{"loom_memory":1,"conversation":"trip","next":0}\n') is None


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "it is empty"),
        (b"\xff\xfe", "line 1 holds other bytes"),
        (b"a\nb\n\xff", "line 3 holds other bytes"),
        (b'[{"a": 1,]', "line 1, column"),
        (b'{"some": "json"}', "no export that is known"),
        (b"[]", "no export that is known"),
        (b"Dear diary,\n", "line 1 begins with 'Dear diary,'"),
    ],
)
def test_what_is_no_export_is_told(data: bytes, words: str) -> None:
    with pytest.raises(BadInput) as refused:
        read(data)
    assert words in refused.value.message


ODD: list[Any] = [None, True, 7, "text", [], [7], ["text", {}], {}, {"role": 7}, {"text": "x"}]


def spoilt(value: Any, odd: Any) -> list[Any]:
    """The same JSON many times, each time with one member of it replaced."""
    if isinstance(value, dict):
        return [{**value, name: each} for name, held in value.items() for each in (odd, *spoilt(held, odd))]
    if isinstance(value, list):
        return [[*value[:at], each, *value[at + 1 :]] for at, held in enumerate(value) for each in (odd, *spoilt(held, odd))]
    return []


@pytest.mark.parametrize("export", [CHATGPT, CLAUDE, OPENWEBUI, SLACK])
def test_no_member_of_an_odd_type_breaks_a_reader(export: Any) -> None:
    tried = [value for odd in ODD for value in spoilt(export, odd)]
    assert len(tried) > 100
    for value in tried:
        try:
            found = read(json.dumps(value).encode())
        except BadInput:
            continue
        assert found is not None
        assert all(said.speaker and (said.text or said.caption) and said.id for talk in found.talks for said in talk.turns)
        assert all(fault.where and fault.message.endswith(".") for fault in found.faults)


JSON = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                "mapping message author role content parts chat_messages sender text chat history messages currentId current_node parent "
                "type ts user user_profile files create_time metadata id uuid".split()
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=25,
)


@given(st.sampled_from(["mapping", "chat_messages", "chat", "ts"]), JSON, JSON)
def test_no_shape_of_json_breaks_a_reader(member: str, held: Any, beside: Any) -> None:
    for value in ([{member: held, "type": "message"}, beside], {"messages": [{member: held, "type": "message"}]}):
        try:
            found = read(json.dumps(value).encode())
        except BadInput:
            continue
        assert found is not None
        assert all(said.speaker and (said.text or said.caption) and said.id for talk in found.talks for said in talk.turns)
