"""Contingency tables: noise for the margins that were asked for, one consistent table of counts."""
