"""One way of writing for each key: what all rules share, and the rules. Lines in, lines out."""
