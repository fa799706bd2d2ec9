"""Turns a release into sentences, tables, charts and pages, in English and Japanese."""
