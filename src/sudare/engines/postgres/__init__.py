"""PostgreSQL as an engine: the primitives run inside the server, and only aggregates come out."""
