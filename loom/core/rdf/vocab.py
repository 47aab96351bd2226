"""The properties and classes that ontologies are written with, grouped by what a build reads from them."""

from loom.core.values import Iri

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
XSD = "http://www.w3.org/2001/XMLSchema#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
SKOSXL = "http://www.w3.org/2008/05/skos-xl#"
DCTERMS = "http://purl.org/dc/terms/"
DC = "http://purl.org/dc/elements/1.1/"
OBO = "http://purl.obolibrary.org/obo/"
OBO_IN_OWL = "http://www.geneontology.org/formats/oboInOwl#"
SCHEMA = ("http://schema.org/", "https://schema.org/")
COMMONS = "https://www.omg.org/spec/Commons/AnnotationVocabulary/"
FIBO = "https://spec.edmcouncil.org/fibo/ontology/FND/Utilities/AnnotationVocabulary/"

TYPE = RDF + "type"
FIRST, REST, NIL = RDF + "first", RDF + "rest", RDF + "nil"
LABEL = RDFS + "label"
SUB_CLASS, SUB_PROPERTY = RDFS + "subClassOf", RDFS + "subPropertyOf"
DEPRECATED = OWL + "deprecated"

KNOWN = frozenset(
    one.rstrip("/#") for one in (RDF, RDFS, OWL, XSD, SKOS, SKOSXL, DCTERMS, DC, "http://www.w3.org/ns/prov#", *SCHEMA)
)
"""Vocabularies that a build knows, so that nothing is missing where one is imported and not there."""

CLASS_TYPES = frozenset({OWL + "Class", RDFS + "Class", OWL + "DeprecatedClass"})
CONCEPT = SKOS + "Concept"
INDIVIDUAL = OWL + "NamedIndividual"
PROPERTY_TYPES = frozenset(
    {RDF + "Property", *(OWL + name for name in (
        "ObjectProperty", "DatatypeProperty", "AnnotationProperty", "FunctionalProperty", "InverseFunctionalProperty",
        "TransitiveProperty", "SymmetricProperty", "AsymmetricProperty", "ReflexiveProperty", "IrreflexiveProperty",
        "DeprecatedProperty", "OntologyProperty",
    ))}
)  # fmt: skip
BUILT_IN = (RDF, RDFS, OWL, XSD)
"""Namespaces whose terms are the language, not what is said in it."""

NAMES: tuple[Iri, ...] = (SKOS + "prefLabel", LABEL)
NAMES_ELSE: tuple[Iri, ...] = (
    DCTERMS + "title", DC + "title", *(one + "name" for one in SCHEMA), "http://xmlns.com/foaf/0.1/name",
)  # fmt: skip
"""Read as a name only where no proper label is stated."""

SYNONYMS: tuple[Iri, ...] = (
    SKOS + "altLabel", SKOS + "hiddenLabel", OBO_IN_OWL + "hasExactSynonym", OBO_IN_OWL + "hasRelatedSynonym",
    OBO_IN_OWL + "hasSynonym", OBO + "IAO_0000118", *(one + "alternateName" for one in SCHEMA),
    *(base + name for base in (COMMONS, FIBO) for name in ("synonym", "abbreviation", "acronym")),
)  # fmt: skip

DEFINITIONS: tuple[Iri, ...] = (
    SKOS + "definition", OBO + "IAO_0000115", OBO_IN_OWL + "hasDefinition", RDFS + "comment", DCTERMS + "description",
    DC + "description", SKOS + "scopeNote", *(one + "description" for one in SCHEMA),
)  # fmt: skip

REPLACED: tuple[Iri, ...] = (OBO + "IAO_0100001", OBO_IN_OWL + "replacedBy", DCTERMS + "isReplacedBy", OBO_IN_OWL + "consider")
"""What a deprecated term was replaced by; the first property that is stated holds."""

STATUS: tuple[Iri, ...] = (
    FIBO + "hasMaturityLevel", "http://www.w3.org/2003/06/sw-vocab-status/ns#term_status", "http://www.w3.org/ns/adms#status",
    OBO + "IAO_0000114", "http://purl.org/ontology/bibo/status",
)  # fmt: skip
DOMAINS: tuple[Iri, ...] = (OBO_IN_OWL + "hasOBONamespace", SKOS + "inScheme")

DOCUMENTING = (
    RDF, RDFS, OWL, XSD, SKOS, SKOSXL, DCTERMS, DC, OBO_IN_OWL, COMMONS, FIBO, *SCHEMA, OBO + "IAO_",
    "http://xmlns.com/foaf/0.1/", "http://www.w3.org/ns/prov#", "http://www.w3.org/2003/06/sw-vocab-status/ns#",
    "http://purl.org/vocab/vann/", "http://www.w3.org/ns/adms#", "http://usefulinc.com/ns/doap#", "http://creativecommons.org/ns#",
)  # fmt: skip
"""Vocabularies that say something about a term, not about what it stands for."""

BROADER, NARROWER, RELATED = SKOS + "broader", SKOS + "narrower", SKOS + "related"
BROADER_TRANSITIVE = SKOS + "broaderTransitive"
MAPPINGS = frozenset(SKOS + name for name in ("exactMatch", "closeMatch", "broadMatch", "narrowMatch", "relatedMatch"))
NO_RELATIONS = frozenset(
    {BROADER, NARROWER, RELATED, BROADER_TRANSITIVE, *REPLACED,
     *(SKOS + name for name in (
         "narrowerTransitive", "inScheme", "topConceptOf", "hasTopConcept", "member", "memberList", "semanticRelation",
         "mappingRelation", "broaderGeneric", "broaderPartitive", "broaderInstantial",
     ))}
)  # fmt: skip
"""Links between concepts that are read as something else, or say nothing of their own."""
