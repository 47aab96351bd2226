"""Mail, transcripts and lines as they come: encodings, quotes, broken ones among whole ones."""

import pytest
from hypothesis import strategies as st
from support.trying import many

from loom.core.claims.intake.remarks import KINDS
from loom.core.claims.records import Entry
from loom.core.report import Report
from loom_adapters.entries import FileEntries, is_entry
from loom_adapters.source_files import FakeFiles, Wanted


def read(files: dict[str, str | bytes]) -> tuple[list[Entry], Report]:
    report = Report(KINDS)
    return list(FileEntries(FakeFiles(files, Wanted(name=is_entry, other="other-file"))).entries(report)), report


def mailed(body: str, head: str = "From: Ana <ana@x.org>\nDate: Mon, 2 Mar 2026 09:00:00 +0000\n") -> str:
    entries, report = read({"m.eml": f"{head}\n{body}"})
    assert len(entries) == 1, report.as_json()
    return entries[0].text


@pytest.mark.parametrize(
    "body, own",
    [
        ("The kiln is open.", "The kiln is open."),
        ("Yes.\n\nOn Mon, 2 Mar 2026 at 09:00, Ben <b@x.org> wrote:\n> Is it open?\n> Really?\n", "Yes."),
        ("Yes.\n\nOn Mon, 2 Mar 2026 at 09:00, Ben Okafor\n<b@x.org> wrote:\n\nIs it open?\n", "Yes."),
        ("On Mon, Ben wrote:\n> Is it open?\nYes, it is.\n> And the shop?\nClosed.\n", "Yes, it is.\nClosed."),
        ("Yes.\n\n-----Original Message-----\nFrom: Ben\nSent: Monday\n\nIs it open?\n", "Yes."),
        ("Yes.\n\nFrom: Ben <b@x.org>\nSent: Monday\nTo: Ana\nSubject: kiln\n\nIs it open?\n", "Yes."),
        ("Ja.\n\nAm 02.03.2026 um 09:00 schrieb Ben:\n> Offen?\n", "Ja."),
        ("Yes.\n\n-- \nAna Silva\nKilns Ltd\n", "Yes."),
        (
            "On Monday the board wrote to the county.\nIt got no reply.\n",
            "On Monday the board wrote to the county.\nIt got no reply.",
        ),
        ("The kiln is open.\n\nSent from my iPhone\n", "The kiln is open."),
        ("Der Ofen ist offen.\n\nVon meinem iPhone gesendet\n", "Der Ofen ist offen."),
        ("The letter was sent from my office to yours.\n", "The letter was sent from my office to yours."),
        ("See.\n\n---------- Forwarded message ---------\nFrom: Ben\n\nIt is open.\n", "See."),
    ],
)
def test_what_a_message_quotes_is_not_its_authors(body: str, own: str) -> None:
    assert mailed(body) == own


def test_html_and_encodings_are_read() -> None:
    head = "From: =?utf-8?q?An=C3=A1?= <ana@x.org>\nDate: Mon, 2 Mar 2026 09:00:00 -0500\nMIME-Version: 1.0\n"
    html = "<html><style>p{}</style><p>The kiln&nbsp;is <b>open</b>.</p><blockquote>It is closed.</blockquote></html>"
    entries, report = read({"m.eml": f"{head}Content-Type: text/html; charset=utf-8\n\n{html}"})
    assert (entries[0].author, entries[0].text) == ("Aná", "The kiln is open.") and entries[
        0
    ].observed_at == "2026-03-02T14:00:00Z"
    encoded = f"{head}Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\nDer Ofen ist gr=FCn."
    assert read({"m.eml": encoded})[0][0].text == "Der Ofen ist grün."
    assert not report.counts()


@pytest.mark.parametrize(
    "html, own",
    [
        ("<html><head><title>T</title><body><p>The kiln is open.<p>It is old.", "The kiln is open.\nIt is old."),
        ("<head><meta charset=utf-8><p>The kiln is open.", "The kiln is open."),
        ("<table><tr><th>Fuel</th><td>The price of gas is high.</td></tr></table>", "Fuel\nThe price of gas is high."),
        ("<div class=gmail_quote><blockquote>Old.<div>Older.</div></div><p>The kiln is open.</p>", "The kiln is open."),
    ],
)
def test_html_whose_ends_are_not_written_loses_nothing(html: str, own: str) -> None:
    assert mailed(html, "From: Ana <ana@x.org>\nContent-Type: text/html\n") == own


def test_plain_text_is_taken_before_html() -> None:
    head = 'From: a@x.org\nDate: Mon, 2 Mar 2026 09:00:00 +0000\nMIME-Version: 1.0\nContent-Type: multipart/alternative; boundary="b"\n\n'
    body = "--b\nContent-Type: text/plain\n\nPlain kiln.\n--b\nContent-Type: text/html\n\n<p>Rich kiln.</p>\n--b--\n"
    entries, _ = read({"m.eml": head + body})
    assert entries[0].text == "Plain kiln." and entries[0].author == "a@x.org"


def test_a_mailbox_is_read_message_by_message() -> None:
    box = (
        "From ana@x.org Mon Mar  2 09:00:00 2026\nFrom: ana@x.org\nDate: Mon, 2 Mar 2026 09:00:00 +0000\n\nOne kiln.\n>From here it is far.\n"
        "\nFrom ben@x.org Mon Mar  2 09:00:00 2026\nFrom: ben@x.org\nDate: someday\n\nTwo kilns.\n"
        "\nFrom nobody Mon Mar  2 09:00:00 2026\nSubject: empty\nDate: Mon, 2 Mar 2026 09:00:00 +0000\n\n> only a quote\n"
    )
    entries, report = read({"a.mbox": box})
    assert [each.text for each in entries] == ["One kiln.\nFrom here it is far.", "Two kilns."]
    assert report.counts() == {"bad-date": 1, "broken-mail": 1}
    assert report.as_json()["broken-mail"]["examples"][0]["where"] == "a.mbox:14"


@pytest.mark.parametrize(
    "name, data, kind",
    [
        ("a.mbox", "no mailbox at all", "broken-mailbox"),
        ("a.mbox", "", "empty-file"),
        ("a.eml", "", "broken-mail"),
        ("a.eml", "\x00\x01", "broken-mail"),
        ("a.txt", "  \n", "empty-file"),
        ("a.md", "---\nauthor: x\n---\n", "empty-file"),
        ("a.txt", b"caf\xe9", "not-text"),
        ("a.srt", "1\nno time\nwords\n", "broken-cue"),
        ("a.vtt", "WEBVTT\n", "no-cues"),
        ("a.jsonl", "{", "broken-line"),
        ("a.jsonl", '["x"]', "broken-line"),
        ("a.jsonl", '{"text": ""}', "broken-line"),
        ("a.jsonl", '{"text": "x", "author": 3}', "broken-line"),
        ("a.jsonl", '{"text": "x", "replaces": "signal:1"}', "broken-line"),
        ("a.jsonl", '{"text": "x", "replaces": [1]}', "broken-line"),
    ],
)
def test_a_broken_file_is_remarked_on_and_the_others_are_read(name: str, data: str | bytes, kind: str) -> None:
    entries, report = read({name: data, "whole.txt": "The kiln is open."})
    assert [each.source for each in entries] == ["file:whole.txt"]
    assert report.count(kind) == 1 and report.as_json()[kind]["examples"][0]["where"].startswith(name)


def test_an_unknown_character_set_is_read_as_far_as_it_goes() -> None:
    head = "From: a@x.org\nDate: Mon, 2 Mar 2026 09:00:00 +0000\nContent-Type: text/plain; charset=klingon\n\n"
    entries, report = read({"a.eml": f"{head}The kiln is open."})
    assert entries[0].text == "The kiln is open." and report.count("mail-defect") == 1


def test_a_message_without_sender_or_date_has_its_file_as_source() -> None:
    entries, report = read({"a.eml": "Subject: kiln\n\nThe kiln is open."})
    assert (entries[0].source, entries[0].author, entries[0].observed_at) == ("file:a.eml", "", "")
    assert report.counts() == {"bad-date": 1, "no-author": 1}


def test_cues_become_turns_of_speakers() -> None:
    cues = "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ana>The kiln</v>\n\n00:02.000 --> 00:03.000\nis open.\n\n00:04.000 --> 00:05.000\n<v Ben>No.</v>\n"
    entries, report = read({"2026-03-02 board.vtt": cues})
    assert (
        entries[0].text == "Ana: The kiln is open.\nBen: No." and entries[0].observed_at == "2026-03-02" and not report.counts()
    )


def test_a_cue_of_two_speakers_is_two_turns() -> None:
    srt = "1\n00:00:01,000 --> 00:00:02,000\n- Ana: The kiln is open.\n- Ben: It is old.\n\n2\n00:00:03,000 --> 00:00:04,000\n- Ana: Well-known.\n"
    entries, _ = read({"a.srt": srt})
    assert entries[0].text == "Ana: The kiln is open.\nBen: It is old.\nAna: Well-known."


def test_a_text_whose_lines_begin_with_times_is_a_transcript() -> None:
    entries, _ = read(
        {"talk.txt": "[00:01] Ana: The kiln is open.\n[00:09] Ben: No.\n", "note.txt": "See [00:01] for this.\nAnd more.\n"}
    )
    assert [(each.kind, each.source) for each in entries] == [("document", "file:note.txt"), ("transcript", "file:talk.txt")]
    assert entries[1].text == "Ana: The kiln is open.\nBen: No."


def test_a_line_keeps_its_own_id_and_bad_dates_are_left_out() -> None:
    lines = '{"id": "entry:mine", "text": "The kiln is open.", "source_id": "crm"}\n\n{"text": "It is new.", "observed_at": "soon"}\n'
    entries, report = read({"a.jsonl": lines})
    assert [(each.id == "entry:mine", each.source, each.observed_at) for each in entries] == [
        (True, "crm", ""),
        (False, "file:a.jsonl", ""),
    ]
    assert report.as_json()["bad-date"]["examples"][0]["where"] == "a.jsonl:3"


def test_what_a_line_replaces_is_not_read_of_a_file_and_that_is_said() -> None:
    entries, report = read(
        {"a.jsonl": '{"text": "It is new.", "replaces": ["signal:1"]}\n{"text": "It is old.", "replaces": []}\n'}
    )
    assert [each.text for each in entries] == ["It is new.", "It is old."]
    assert report.counts() == {"replaces": 1} and report.as_json()["replaces"]["examples"][0]["where"] == "a.jsonl:1"


def test_front_matter_says_who_and_when() -> None:
    text = "---\ntitle: Kilns\nauthor: 'Ana Silva'\ndate: 2026-03-02\nsource: partner-1\nkind: memo\n---\nThe kiln is open.\n"
    entries, _ = read({"2020-01-01.md": text, "b.md": "---\ndate: last week\n---\nThe kiln is open.\n"})
    first = entries[0]
    assert (first.author, first.observed_at, first.source, first.kind) == ("Ana Silva", "2026-03-02", "partner-1", "memo")
    assert first.text == "The kiln is open.\n" and entries[1].observed_at == ""


@many(st.sampled_from(["a.eml", "a.mbox", "a.srt", "a.vtt", "a.txt", "a.jsonl"]), st.binary(max_size=300))
def test_no_bytes_make_a_reader_fail(name: str, data: bytes) -> None:
    entries, report = read({name: data})
    assert all(each.text.strip() and each.id and each.source for each in entries)
    assert entries or sum(report.counts().values()) or not data.strip()
    assert (entries, report.as_json()) == (read({name: data})[0], read({name: data})[1].as_json())


@many(st.text(st.characters(codec="utf-8"), max_size=200))
def test_no_message_makes_a_reader_fail(body: str) -> None:
    entries, _ = read(
        {"a.eml": f"From: a@x.org\nDate: Mon, 2 Mar 2026 09:00:00 +0000\nContent-Type: text/html; charset=utf-8\n\n{body}"}
    )
    assert all(each.text.strip() for each in entries)
