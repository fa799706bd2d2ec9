"""Frequent itemsets and association rules: what a buyer of the data would look for in it."""
