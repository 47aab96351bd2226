"""Statements of ontologies: graphs, what they say of classes and concepts, and how they are written down again."""
