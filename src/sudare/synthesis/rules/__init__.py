"""Impossible combinations: which records break the schema's rules, and which rules to propose."""
