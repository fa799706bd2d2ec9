"""Sets of items, one a person: reading and writing their files, and what is said about them."""
