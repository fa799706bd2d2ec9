"""The primitives of every engine as sqlglot trees: clip, grid, filter, group, moments, bound."""
