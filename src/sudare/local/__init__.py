"""Data that people randomise themselves: what to report, and what the reports tell together."""
