"""What the endpoint says of itself (https://www.w3.org/TR/sparql11-service-description/), as N-Triples with blank nodes."""

from collections.abc import Mapping

SD = "http://www.w3.org/ns/sparql-service-description#"
FORMATS = "http://www.w3.org/ns/formats/"
VOID = "http://rdfs.org/ns/void#"
TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
WHOLE = "http://www.w3.org/2001/XMLSchema#integer"

OFFERED = ("SPARQL_Results_JSON", "SPARQL_Results_XML", "SPARQL_Results_CSV", "SPARQL_Results_TSV",
           "Turtle", "N-Triples", "RDF_XML", "JSON-LD")  # fmt: skip


def description(endpoint: str, graphs: Mapping[str, int], total: int) -> str:
    """Of an endpoint over named graphs with these sizes. `total` counts the triples of their union, the default graph."""
    lines: list[str] = []

    def say(subject: str, predicate: str, value: str) -> None:
        lines.append(f"{subject} <{predicate}> {value} .")

    def count(subject: str, number: int) -> None:
        say(subject, VOID + "triples", f'"{number}"^^<{WHOLE}>')

    service = "_:service"
    say(service, TYPE, f"<{SD}Service>")
    if endpoint:
        say(service, SD + "endpoint", f"<{endpoint}>")
    for language in ("SPARQL10Query", "SPARQL11Query"):
        say(service, SD + "supportedLanguage", f"<{SD}{language}>")
    say(service, SD + "feature", f"<{SD}UnionDefaultGraph>")
    for offered in OFFERED:
        say(service, SD + "resultFormat", f"<{FORMATS}{offered}>")
    say(service, SD + "defaultDataset", "_:dataset")
    say("_:dataset", TYPE, f"<{SD}Dataset>")
    say("_:dataset", SD + "defaultGraph", "_:default")
    say("_:default", TYPE, f"<{SD}Graph>")
    count("_:default", total)
    for number, (graph, size) in enumerate(sorted(graphs.items())):
        say("_:dataset", SD + "namedGraph", f"_:named{number}")
        say(f"_:named{number}", TYPE, f"<{SD}NamedGraph>")
        say(f"_:named{number}", SD + "name", f"<{graph}>")
        say(f"_:named{number}", SD + "graph", f"_:graph{number}")
        say(f"_:graph{number}", TYPE, f"<{SD}Graph>")
        count(f"_:graph{number}", size)
    return "\n".join(lines) + "\n"
