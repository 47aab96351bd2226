"""Classification of ontologies in OWL 2 EL: axioms, completion, closure, explanations, repairs."""
