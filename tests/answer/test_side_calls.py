"""Side calls of chat programs, and requests of people that look a little like them.

The requests here are in our own words; each has the features of the program that it stands for.
"""

from typing import Any

import pytest

from loom.answer.side_calls import KINDS, side_call

HISTORY = "<chat_history>\nUSER: What is a kiln?\nASSISTANT: An oven for clay.\n</chat_history>"


def form(task: str, output: str) -> str:
    return f"### Task:\n{task}\n### Guidelines:\n- Be brief.\n### Output:\nJSON format: {output}\n### Chat History:\n{HISTORY}"


def user(text: str, *before: dict[str, Any]) -> dict[str, Any]:
    return {"model": "m", "messages": [*before, {"role": "user", "content": text}]}


def system(text: str) -> dict[str, Any]:
    return {"role": "system", "content": text}


TURNS = ({"role": "user", "content": "What is a kiln?"}, {"role": "assistant", "content": "An oven for clay."})

SIDE_CALLS = [
    ("title", user(form("Make a short title with an emoji for the chat.", '{ "title": "your title" }'))),
    ("tags", user(form("Name one to three broad tags for the themes of the chat.", '{ "tags": ["a", "b"] }'))),
    ("follow_up", user(form("Think of three things the user may ask next.", '{ "follow_ups": ["a?", "b?"] }'))),
    ("query", user(form("Decide whether a search is needed, and for what.", '{ "queries": ["a"] }'))),
    ("image_prompt", user(form("Describe a picture for the chat.", '{ "prompt": "a kiln" }'))),
    ("autocomplete", user("### Task:\nYou autocomplete text.\n<type>General</type>\n<text>How hot is a</text>\n#### Output:")),
    ("emoji", user("Your task is to show the speaker's likely facial expression as an emoji. Reply with only the emoji.\n\nGreat!")),
    ("title", user("Give the conversation a concise title of five words or less. Only return the title.\n\nUser: Kilns?\nAI: Ovens.")),
    ("title", user("Write, in the language of the user, a very short title for this conversation. No punctuation.\n||>User:\nKilns?\n||>Response:\nOvens.")),
    ("title", user("Please generate a four to five word title for our conversation without any lead-in or quotation marks.", *TURNS)),
    ("title", user("Generate a 3-7 word title for this conversation, omitting punctuation.", *TURNS)),
    ("title", user("Summarize in a 10-word Title. Give the title only. 'What is a kiln?'")),
    ("title", user("user: What is a kiln?\nassistant: An oven.", system("You are a summarizer of conversations. Generate a title for it. Rules: output only the title."))),
    ("title", user("Look at this short chat; every line is cut. Kilns? / Ovens.", system("You are an assistant for chat titles, expressive yet of few words."))),
    ("title", user("user: 什么是窑?", system("你需要将用户的会话总结为 10 个字以内的标题,不需要标点"))),
    ("tags", user(f"Generate 1-3 tags for the chat below, as JSON only.\n{HISTORY}")),
    ("follow_up", user("Suggest three follow-up questions to this conversation as a JSON array.", *TURNS)),
    ("query", user("Based on the chat history, generate search queries. Respond with JSON only.\nKilns? Ovens.")),
    ("query", user("Given the following conversation and a follow up question, rephrase the question to be a standalone one.\nHow hot?")),
    ("summary", user("Summarize the discussion briefly in 200 words to use as a prompt for future context.", *TURNS)),
    ("emoji", user("Your task is to mirror the speaker's facial expression with a fitting emoji.\n\nMessage: ```Great!```")),
    ("title", user("Create a concise, 3-5 word phrase as a header for the following query: How hot is a kiln?")),
    ("title", user("Read the chat history and give this conversation a name. Just the name, nothing else.\n\nuser: Kilns?")),
    ("title", user("How hot?", system("Detect the language and write in it an extremely concise title for this conversation."))),
    ("title", {"messages": [system("Please generate a title of 5 words or less for the conversation.\n||>User:\nKilns?\n||>Title:")]}),
    ("title", user("Write a title, at most 4 words.\n\nUser: Kilns?\nAssistant: Ovens.")),
    ("summary", {"messages": [*TURNS, system("Summarize the discussion briefly, to use as a prompt for future context.")]}),
    ("title", user("Here is the query:\nHow hot is a kiln?\n\nMake a 3-5 word phrase as a title for the previous query. Respond only with it.")),
    ("merge", user('You have been provided with a set of responses from several models to the query "Kilns?". Synthesize these into one reply.')),
    ("tool_choice", user("Available Tools: []\n\nYour task is to choose the correct tool from the list of available tools. Query: Kilns?")),
    ("tool_choice", user('Query: History:\nUSER: """Kilns?"""\nQuery: Kilns?', system("Available Tools: []\n\nYour task is to choose and return the right tools from the list of available tools."))),
    ("title", {"messages": [{"role": "user", "content": [{"type": "text", "text": "Create a title for this chat, 5 words or fewer."}]}]}),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "body"), SIDE_CALLS)
def test_side_calls(kind: str, body: dict[str, Any]) -> None:
    assert side_call(body) == kind


def test_every_kind_has_a_case() -> None:
    assert {kind for kind, _ in SIDE_CALLS} == set(KINDS)


@pytest.mark.parametrize(
    "body",
    [
        user("What is a kiln?"),
        user("Generate a title for my essay about kilns."),
        user("Generate a concise, 3-5 word title for my talk on kilns. Only the title, please."),
        user("Write a title page for the thesis, in LaTeX only."),
        user("What tags does the HTML standard define? Only list them."),
        user("Suggest a follow-up appointment text to send to a patient."),
        user("How do I write a search query in SPARQL? Only show the query."),
        user("Summarize our conversation.", *TURNS),
        user("Summarize this chat protocol, XMPP, in ten words or less."),
        user("### Task:\nExplain kilns.\n### Output:\nThree bullets."),
        user('### Task:\nReturn JSON like {"title": "…"} for a book about kilns.'),
        user("Which emoji looks like a kiln?"),
        user("What is the title of the discussion paper on kilns?"),
        user("What does the title deed of a house say?"),
        user("Is a chat title stored in the browser? Where?"),
        user("How hot is it?", system("You are a helpful potter. " + "Be kind. " * 300 + "You may give the conversation a title, only one.")),
        user("How hot is it?", system("You are a librarian who knows every title in the catalogue.")),
        user("How hot is it?", system("You are a potter. When asked, generate a title for the conversation, 5 words or less.")),
        user("What is a standalone kiln?"),
        user("Design a chat feature: generate a title for each conversation, at most 5 words. Which parts does it need?"),
        user("Suggest a title for a dialogue between Plato and a potter, at most 6 words."),
        user("Write a title for my forum thread about kilns, max 300 characters."),
        user("Here is a conversation between two potters. Generate a title and explain kilns, in at most 100 words."),
        user("Now give me a title for this discussion paper in under 10 words.", *TURNS),
        user("Write follow-up questions for an interview discussion; only the questions."),
        user("Write a follow-up email to our chat on Monday, only the text."),
        user("How do I write good search queries for a chat program? Only three tips."),
        user("Summarize the discussion of kilns in the handbook, as context for my essay."),
        user("Rephrase this question as a standalone sentence for my chat bot: what is it?"),
        user("Which emoji suits a kiln's facial expression? Only the emoji."),
        user("How hot is it?", system("You are a helpful potter. Write titles in bold. Chat titles are not your job.")),
        user("Continue this text: the kiln"),
        {"messages": [{"role": "user", "content": "Create a title for this chat, 5 words or fewer."}], "tools": [{"type": "function"}]},
        {"messages": [*TURNS]},
        {"messages": []},
        {"messages": None},
        {"messages": ["text"]},
        {"messages": [{"role": "user", "content": None}]},
        {},
    ],
)  # fmt: skip
def test_requests_of_people(body: dict[str, Any]) -> None:
    assert side_call(body) is None


def test_a_long_text_is_read_at_its_ends() -> None:
    middle = "word " * 50_000
    assert side_call(user(f"Give this conversation a title, 5 words or less.\n{middle}")) == "title"
    assert side_call(user(f"{middle}\nGive this conversation a title, 5 words or less.")) == "title"
    assert side_call(user(f"Read this. {middle} title conversation only {middle} How hot?")) is None
