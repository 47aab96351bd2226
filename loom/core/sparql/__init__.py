"""What of SPARQL is pure: the protocol's rules, media types, what is refused before a query runs, and the service description."""
