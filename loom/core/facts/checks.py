"""Kinds of remark about knowledge bases: manifests, and the files that they name."""

from loom.core.report import Kind

_ERRORS = {
    "kb-column": "A column that the manifest names is not in the table: what depends on it was left out. Name one that is.",
    "kb-contradiction": "Two stated values of one metric, entity and position differ: both are shown. Correct one.",
    "kb-cue": "A cue or line of a transcript has no time that can be read: it was left out. Write it as [mm:ss], or mend it.",
    "kb-duplicate": "Two entries of a manifest have one id or path: the first holds. Rename or remove the other.",
    "kb-empty": "A file or list holds nothing: there is nothing to answer from. Fill it, or take its entry away.",
    "kb-encoding": "A file is not text in the encoding that is stated: it was left out. Save it as UTF-8, or state its encoding.",
    "kb-language": "Names are stated under something that is no language code: they were left out. Use a code such as en or pt-BR.",
    "kb-manifest": "kb.toml cannot be read: nothing of the base is in the generation. Mend the line named.",
    "kb-missing-file": "A file of the inventory is not in the folder: it was left out. Correct the path, or take the entry away.",
    "kb-missing-member": "An entry lacks a member that it needs: it was left out, or something stands in for it. Add it.",
    "kb-path": "A path leaves the folder of the manifest or is no plain file in it: it was left out. Put the file into the folder.",
    "kb-shared-word": "One word is claimed by two metrics of a base: the first holds. Take it from one of them.",
    "kb-table": "A table cannot be read as it is declared: it was left out. Mend the line named, or what the manifest says of it.",
    "kb-too-large": "A file of content is beyond the size limit: it was left out. Split it.",
    "kb-type": "A member holds a value of the wrong type: it was left out. Mend it.",
    "kb-unknown-member": "A manifest has a member that nothing reads: it was left out. Correct its name, or take it away.",
    "kb-unknown-name": "An entry names an entity, attribute or metric that is not declared: the link was left out. Declare it.",
    "kb-value": "A member holds a value that it cannot have: it was left out. Choose one that is allowed.",
}

_WARNINGS = {
    "kb-doubled-position": "Rows of a series give one position different values: all are kept, and told. Keep one of them.",
    "kb-no-files": "An entity or metric is declared and no file is about it: no question finds anything there. Name its files.",
    "kb-order": "Times of a transcript go backwards: its units were put in order. Correct the time named.",
    "kb-shared-name": "Two entities or files of a base have one name: a question by that name means both. Rename one.",
    "kb-skipped-row": "Rows of a table hold no number where one is declared: they were skipped and counted. Mend or remove them.",
}

_INFO = {
    "kb-unlisted-file": "A file of the folder is not in the inventory: it is not read.",
}

KINDS = {
    name: Kind(name, severity, meaning)
    for severity, meanings in (("error", _ERRORS), ("warning", _WARNINGS), ("info", _INFO))
    for name, meaning in meanings.items()
}
