"""Frozen values that every room may import: schema, query, plan, events, release, errors."""
