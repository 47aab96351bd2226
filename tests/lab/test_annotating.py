"""People label a sample: blind, each choice on the disk at once, known items hidden among the others, two raters compared."""

import json
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from support.lab_judging import question, row

from loom.core.errors import BadInput
from loom.lab.files import write_lines
from loom.lab.judging.raters import queue_lines, read_rater, result_of
from loom.lab.judging.session import Sample, Session, sample_of
from loom.lab.judging.tasks import CHOICES, read_items
from loom.lab.judging.units import unit_of
from loom.lab.judging.votes import Votes, read_votes
from loom.serve.annotating import create_app

SECRETS = ("secret-arm", "secret-model", "n11", "n10", "secret-why", "known", "calibration")


def sample_file(folder: Path, n: int = 12, label: str | None = "correct_relation") -> Path:
    lines = []
    for number in range(n):
        about = question(f"q{number}", gold=(f"Lime Kiln {number}",))
        answer = f"It requires the Lime Kiln {number}." if number % 2 else "It needs nothing at all, as far as anybody knows."
        unit = unit_of(row(answer, about=about, arm="secret-arm", model="secret-model"), 0, "n11" if number % 2 else "n10")
        lines.append({**unit.as_json(), "why": "secret-why", **({"label": label, "judge": "gpt-4.1"} if label else {})})
    path = folder / "sample.jsonl"
    write_lines(path, lines)
    return path


def votes_of(sample: Sample, folder: Path, rater: str) -> Votes:
    return Votes(folder / f"{rater}.jsonl", {**sample.head, "rater": rater})


def label_all(sample: Sample, folder: Path, rater: str, *, wrong: int = 0, missed: int = 0) -> Path:
    """Label as is right: by what the answer says, `wrong` items of the sample otherwise, and `missed` of the known ones."""
    votes = votes_of(sample, folder, rater)
    for at, item in enumerate(sample.items):
        right = "correct_relation" if "requires" in dict(item.shown)["Answer"] else "absent"
        votes.choose(item.key, "name_only" if at < wrong else right, "")
    for at, item in enumerate(sample.hidden):
        votes.choose(item.key, "reversed" if at < missed else item.known, "")
    votes.close()
    return votes.path


TOKEN, PORT = "right-token", 8123
NEAR = f"http://127.0.0.1:{PORT}"


def client(folder: Path, sample: Sample, rater: str = "ann") -> tuple[TestClient, Session]:
    session = Session(sample, rater, votes_of(sample, folder, rater))
    return TestClient(create_app(session, TOKEN, PORT), base_url=NEAR), session


def choose(page: TestClient, at: int, label: Any = "absent", **more: Any) -> Any:
    headers = {"origin": NEAR} | more.pop("headers", {})
    return page.post(f"/{TOKEN}/items/{at}", json={"label": label, "note": more.pop("note", "")}, headers=headers, **more)


def test_nothing_that_would_tell_the_rater_leaves_the_node(tmp_path: Path) -> None:
    sample = sample_of(sample_file(tmp_path), 42)
    page, session = client(tmp_path, sample)
    said = page.get(f"/{TOKEN}/").text
    for at in range(len(session.items)):
        answer = page.get(f"/{TOKEN}/items/{at}")
        said += answer.text + str(answer.headers) + choose(page, at).text
    assert not [secret for secret in SECRETS if secret in said]
    assert not any(item.key in said for item in session.items)


def test_hidden_items_look_like_the_others_and_are_known(tmp_path: Path) -> None:
    sample = sample_of(sample_file(tmp_path, 40), 42)
    assert [item.known for item in sample.hidden] == ["correct_relation", "absent", "negated", "name_only"]
    assert len(sample_of(sample_file(tmp_path, 40), 42, n=0).hidden) == 0
    _, session = client(tmp_path, sample)
    assert len(session.items) == 44
    assert [item.key for item in session.items] != [item.key for item in (*sample.items, *sample.hidden)]
    again = Session(sample, "ann", session.votes)
    other = Session(sample, "bob", session.votes)
    keys = [[item.key for item in each.items] for each in (session, again, other)]
    assert keys[0] == keys[1] != keys[2]
    for item in sample.hidden:
        texts = dict(item.shown)
        assert list(texts) == ["Question", "Relation", "Item", "Accepted items", "Answer"]
        assert (texts["Item"] in texts["Answer"]) == (item.known != "absent")


def test_known_items_of_a_file(tmp_path: Path) -> None:
    path = sample_file(tmp_path, 6)
    known = tmp_path / "known.jsonl"
    line = json.loads(path.read_text().splitlines()[0]) | {"id": "k1", "known": "reversed"}
    write_lines(known, [line])
    assert [item.known for item in sample_of(path, 42, known).hidden] == ["reversed"]
    write_lines(known, [line | {"known": "fine"}])
    with pytest.raises(BadInput, match="known"):
        sample_of(path, 42, known)
    write_lines(known, [json.loads(path.read_text().splitlines()[0]) | {"known": "absent"}])
    with pytest.raises(BadInput, match="not in the sample"):
        sample_of(path, 42, known)


def test_a_choice_is_on_the_disk_at_once_and_found_again(tmp_path: Path) -> None:
    sample = sample_of(sample_file(tmp_path), 42)
    page, session = client(tmp_path, sample)
    assert choose(page, 0, "negated", note="odd").json() == {"total": 16, "done": 1, "next": 1}
    assert choose(page, 0, "absent", note="odd").json()["done"] == 1
    assert choose(page, 3, None, note="later").json()["done"] == 1
    head, chosen = read_votes(tmp_path / "ann.jsonl")
    assert head["rater"] == "ann" and head["sample_sha256"] == sample.head["sample_sha256"]
    assert chosen == {session.items[0].key: ("absent", "odd"), session.items[3].key: (None, "later")}
    session.votes.close()
    with (tmp_path / "ann.jsonl").open("ab") as file:
        file.write(b'{"item": "cut sho')
    again, _ = client(tmp_path, sample)
    told = again.get(f"/{TOKEN}/items/0").json()
    assert told["mine"] == {"label": "absent", "note": "odd"} and told["progress"]["next"] == 1
    assert [choice["label"] for choice in told["choices"]] == [label for label, _ in CHOICES["relation"]]


def test_a_file_of_another_sample_and_a_second_page_are_refused(tmp_path: Path) -> None:
    sample = sample_of(sample_file(tmp_path), 42)
    votes = votes_of(sample, tmp_path, "ann")
    with pytest.raises(BadInput, match="Another page"):
        votes_of(sample, tmp_path, "ann")
    votes.close()
    with pytest.raises(BadInput, match="sample_sha256"):
        votes_of(sample_of(sample_file(tmp_path, 5), 42), tmp_path, "ann")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": ""}, 403),
        ({"origin": f"https://127.0.0.1:{PORT}"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
        ({"host": f"evil.example:{PORT}"}, 403),
        ({"host": "127.0.0.1:1"}, 403),
        ({"content-type": "text/plain"}, 415),
    ],
)
def test_only_the_page_itself_may_write(tmp_path: Path, headers: dict[str, str], status: int) -> None:
    page, session = client(tmp_path, sample_of(sample_file(tmp_path), 42))
    answer = choose(page, 0, headers=headers)
    assert answer.status_code == status and "message" in answer.json()["error"]
    assert session.votes.chosen == {}


def test_only_whoever_has_the_address_sees_anything(tmp_path: Path) -> None:
    page, session = client(tmp_path, sample_of(sample_file(tmp_path), 42))
    for path in ("/", "/wrong-token/", "/wrong-token/items/0", f"/{TOKEN}x/items/0", f"/{TOKEN}/votes", "/é/"):
        assert page.get(path).status_code == 404
    assert page.post("/wrong-token/items/0", json={"label": "absent", "note": ""}, headers={"origin": NEAR}).status_code == 404
    assert page.get(f"/{TOKEN}/", headers={"host": "evil.example"}).status_code == 403
    assert session.votes.chosen == {}


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b'"absent"',
        b'{"label": "fine"}',
        b'{"label": 3, "note": ""}',
        b'{"label": "absent", "note": 3}',
        b"\xff",
    ],
)
def test_a_choice_that_is_none_is_told_so(tmp_path: Path, body: bytes) -> None:
    page, session = client(tmp_path, sample_of(sample_file(tmp_path), 42))
    headers = {"origin": NEAR, "content-type": "application/json"}
    answer = page.post(f"/{TOKEN}/items/0", content=body, headers=headers)
    assert answer.status_code == 400 and answer.json()["error"]["message"].startswith("Expected")
    assert page.post(f"/{TOKEN}/items/0", content=b"x" * 40_000, headers=headers).status_code == 413
    assert page.get(f"/{TOKEN}/items/99").status_code == 400
    assert session.votes.chosen == {}


def test_the_page_is_let_do_nothing_else(tmp_path: Path) -> None:
    page, _ = client(tmp_path, sample_of(sample_file(tmp_path), 42))
    answer = page.get(f"/{TOKEN}/")
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["cache-control"] == "no-store" and answer.headers["referrer-policy"] == "no-referrer"
    assert "http" not in answer.text.replace("http-equiv", "")


def test_two_raters_are_compared_with_one_another_with_what_is_known_and_with_the_judge(tmp_path: Path) -> None:
    sample = sample_of(sample_file(tmp_path, 12), 42)
    ann, bob = label_all(sample, tmp_path, "ann", wrong=2), label_all(sample, tmp_path, "bob", missed=1)
    result, left = result_of(sample, [read_rater(ann, sample), read_rater(bob, sample)])
    told = result["tasks"]["relation"]
    assert (told["n"], told["agreement"]) == (12, pytest.approx(10 / 12))
    assert told["kappa"] == pytest.approx(1 - (2 / 12) / (1 - (5 * 6 + 5 * 6) / 144))
    assert told["asserted_or_not"]["agreement"] == pytest.approx(11 / 12)
    assert (result["calibration"]["ann"]["k"], result["calibration"]["bob"]["k"], result["calibration"]["bob"]["n"]) == (
        4,
        3,
        4,
    )
    assert result["calibration"]["bob"]["missed"][0]["chosen"] == "reversed"
    assert (result["disagreements"], len(left)) == (2, 2)
    assert result["judge"]["relation"]["bob"]["agreement"] == 0.5
    assert result["judge"]["relation"]["both"]["n"] == 10


def test_what_they_differ_in_goes_to_a_third_rater_as_a_blind_sample(tmp_path: Path) -> None:
    sample = sample_of(sample_file(tmp_path, 12), 42)
    files = [label_all(sample, tmp_path, "ann", wrong=2), label_all(sample, tmp_path, "bob")]
    raters = [read_rater(path, sample) for path in files]
    _, left = result_of(sample, raters)
    queue = tmp_path / "queue.jsonl"
    write_lines(queue, queue_lines(left))
    third = sample_of(queue, 42)
    assert {item.key for item in third.items} == {item.key for item in left}
    assert all(item.verdict is None for item in third.items)
    decided = label_all(third, tmp_path, "cyd")
    result, open_still = result_of(sample, [*raters, read_rater(decided, sample, third=True)])
    assert (result["decided"], open_still, result["judge"]["relation"]["both"]["n"]) == (2, [], 12)
    with pytest.raises(BadInput, match="of this sample"):
        read_rater(decided, sample)
    with pytest.raises(BadInput, match="different raters"):
        result_of(sample, [raters[0], raters[0]])


def test_grades_and_pages_are_labelled_too_and_weighed(tmp_path: Path) -> None:
    path = tmp_path / "sample.jsonl"
    grades = [{"id": f"g{n}", "question": f"Why {n}?", "reference": "So.", "answer": f"Because {n}."} for n in range(6)]
    pages = [{"id": f"p{n}", "arm": "x", "before": f"Page {n}.", "after": f"Page {n}, longer."} for n in range(6)]
    write_lines(path, [*grades, *pages])
    sample = sample_of(path, 42)
    assert sample.hidden == ()
    firsts = {dict(item.shown)["First version"] for item in sample.items[6:]}
    assert {"longer" in text for text in firsts} == {True, False}
    files = []
    for rater, shift in (("ann", 0), ("bob", 1)):
        votes = votes_of(sample, tmp_path, rater)
        for at, item in enumerate(sample.items):
            votes.choose(item.key, str(min(5, at % 6 + shift)) if at < 6 else str(at % 3 - 1), "")
        votes.close()
        files.append(read_rater(votes.path, sample))
    result, _ = result_of(sample, files)
    assert result["tasks"]["quality"]["within_one"] == 1.0
    assert result["tasks"]["quality"]["kappa_quadratic"] > result["tasks"]["quality"]["kappa"]
    assert result["tasks"]["integration"]["agreement"] == 1.0
    assert result["judge"] == {}


@pytest.mark.parametrize(
    "line", [{"id": "1"}, {"id": "1", "question": "?", "answer": "x"}, {"id": "1", "before": "a", "after": ""}]
)
def test_a_line_that_is_nothing_to_label(tmp_path: Path, line: dict[str, Any]) -> None:
    path = tmp_path / "sample.jsonl"
    write_lines(path, [line])
    with pytest.raises(BadInput, match="Expected"):
        read_items(path, 42)
    write_lines(path, [])
    with pytest.raises(BadInput, match="has none"):
        read_items(path, 42)
