"""The IRIs of what a knowledge base holds, made of the base's own IRI: the same sources give the same addresses."""

from urllib.parse import quote

from loom.core.values import Iri


def base_iri(id: str) -> Iri:
    """The IRI of a base that states none."""
    return f"urn:loom:kb:{id}:"


def source_iri(base: Iri, path: str) -> Iri:
    return f"{base}source/{quote(path)}"


def entity_iri(base: Iri, id: str) -> Iri:
    return f"{base}entity/{quote(id, safe='')}"


def metric_iri(base: Iri, id: str) -> Iri:
    return f"{base}metric/{quote(id, safe='')}"


def fact_iri(base: Iri, path: str, metric: str, statistic: str) -> Iri:
    """`metric` is its id in the manifest."""
    return f"{base}fact/{quote(path)}/{quote(metric, safe='')}/{statistic}"


def stated_iri(base: Iri, path: str, metric: str, row: int) -> Iri:
    return f"{base}fact/{quote(path)}/{quote(metric, safe='')}/stated/{row}"


def span_iri(base: Iri, path: str, number: int) -> Iri:
    """`number` counts the spans of a source from 1."""
    return f"{base}span/{quote(path)}/{number}"
