"""The report as one HTML page: it needs no script, no network and nothing beside itself to be read."""

from collections.abc import Mapping, Sequence
from importlib.resources import files
from urllib.parse import quote

from loom import __version__
from loom.core.values import Json
from loom.lab.report.figure import Figure, Results
from loom.lab.report.figures import figures
from loom.lab.report.results import bare, grounded, objects, part, study
from loom.lab.report.table import folded, table, words_column
from loom.lab.report.words import count, name, plain

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
LOUD = 3
"""Warnings that stand open; the rest are folded."""


def page(
    results: Results,
    drawn: Sequence[Figure] | None = None,
    *,
    rows: str = "rows.jsonl",
    data: str = "results.json",
    manifest: str = "manifest.json",
) -> str:
    """The page. `drawn` are its figures where they are drawn already; `rows`, `data` and `manifest` are where those files lie as
    seen from it."""
    drawn = figures(results) if drawn is None else drawn
    title = str(study(results, "name") or "study")
    parts = [
        _head(title),
        '<body><a class="skip" href="#main">To the figures</a>',
        _masthead(results, title),
        _contents(drawn),
        '<main id="main">',
        _warnings(results),
        *(_figure(figure, results, rows, data) for figure in drawn),
        _seeds(results),
        _made(results, data, manifest),
        "</main></body></html>\n",
    ]
    return "\n".join(part for part in parts if part)


def _head(title: str) -> str:
    css = files("loom.lab.report").joinpath("page.css").read_text(encoding="utf-8")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">'
        f'<link rel="icon" href="data:,"><title>{plain(title)} · What the uplift is made of</title><style>\n{css}</style></head>'
    )


def _masthead(results: Results, title: str) -> str:
    facts = [
        (f"{count(study(results, 'questions'))} questions", True),
        (_many(study(results, "models"), "model"), True),
        (_many(study(results, "arms"), "arm"), True),
        (f"matcher {study(results, 'matcher')}", bool(study(results, "matcher"))),
        (f"generation {_short(study(results, 'generation'))}", bool(study(results, "generation"))),
    ]
    told = "".join(f"<li>{plain(fact)}</li>" for fact, known in facts if known)
    return f'<header><p class="kicker">Loom lab · {name(title)}</p><h1>What the uplift is made of</h1><ul class="facts">{told}</ul></header>'


def _many(values: Json, word: str) -> str:
    number = len(values or ())
    return f"{count(number)} {word}{'' if number == 1 else 's'}"


def _short(digest: Json) -> str:
    text = str(digest or "")
    return text if len(text) <= 20 else f"{text[:19]}…"


def _contents(drawn: Sequence[Figure]) -> str:
    links = "".join(f'<li><a href="#{figure.id}">{plain(figure.short)}</a></li>' for figure in drawn[1:])
    return f'<nav aria-label="Figures"><ul>{links}<li><a href="#made">Settings</a></li></ul></nav>' if links else ""


def _figure(figure: Figure, results: Results, rows: str, data: str) -> str:
    members = " ".join(f"<code>{plain(member)}</code>" for member in figure.members)
    return (
        f'<section id="{figure.id}" aria-labelledby="{figure.id}-title"><figure>'
        f'<figcaption><h2 id="{figure.id}-title">{plain(figure.title)}</h2><p>{plain(figure.caption)}</p></figcaption>'
        f'<div class="seen">{figure.body}{figure.data}</div>'
        f'<div class="notes"><p class="limits">{plain(figure.limits)}</p><p class="source"><a href="{_link(rows)}">{plain(_last(rows))}</a> → '
        f'<a href="{_link(data)}">{plain(_last(data))}</a> {members}<br><code>{plain(study(results, "command") or "")}</code></p></div>'
        "</figure></section>"
    )


def _warnings(results: Results) -> str:
    found = objects(results, "warnings")
    if not found:
        return ""
    items = [f"<li>{plain(each.get('text'))}</li>" for each in found]
    rest = folded(f"{len(items) - LOUD} more", f"<ul>{''.join(items[LOUD:])}</ul>") if len(items) > LOUD else ""
    return f'<aside id="warnings" aria-label="Read this first"><h2>Read with care</h2><ul>{"".join(items[:LOUD])}</ul>{rest}</aside>'


def _seeds(results: Results) -> str:
    found = [part(each, "title") or each for each in results.get("template_seeds") or ()]
    if not found:
        return ""
    listed = ", ".join(name(each) for each in found)
    return (
        '<section id="seeds"><h2>Named by the wording itself</h2><p>These units are named by at least half of a set\'s prompts; they '
        f"were taken out of seed sets, donor blocks and targets before anything was paired: {listed}.</p></section>"
    )


def _made(results: Results, data: str, manifest: str) -> str:
    settings = [
        ("Command", f"<code>{plain(study(results, 'command') or '')}</code>"),
        *(
            (word, name(study(results, member)))
            for word, member in (
                ("Generation", "generation"),
                ("Node", "node"),
                ("Policy", "policy"),
                ("Wrapper", "wrapper"),
                ("Matcher", "matcher"),
                ("Resamples", "resamples"),
                ("Clusters", "cluster"),
            )
            if study(results, member)
        ),
        ("Bare arm", name(bare(results) or "none")),
        ("Grounded arm", name(grounded(results) or "none")),
        ("Loom", plain(__version__)),
    ]
    for seed, value in sorted((part(results, "study", "seeds") or {}).items()):
        settings.append((f"Seed: {seed}", plain(value)))
    digests = results.get("files")
    for file, digest in sorted(digests.items()) if isinstance(digests, Mapping) else ():
        settings.append((str(file), f'<code class="digest">{plain(digest)}</code>'))
    columns = [words_column("What"), words_column("Value")]
    listed = table("Settings, seeds and the SHA-256 of every file that was read", columns, ((plain(k), v) for k, v in settings))
    return (
        '<section id="made"><h2>How this was made</h2><p>Every figure is drawn from '
        f'<a href="{_link(data)}">{plain(_last(data))}</a>; <a href="{_link(manifest)}">{plain(_last(manifest))}</a> says of each which '
        f"rows, members and command it comes from. Run where the rows lie, the command makes this page again, byte for byte.</p>{listed}</section>"
    )


def _link(place: str) -> str:
    """An address relative to the page; a colon is quoted, so that nothing in it is a scheme."""
    return quote(place, safe="/.-_~")


def _last(place: str) -> str:
    return place.rsplit("/", 1)[-1]
