"""k-anonymity by generalization and local suppression: the baseline, not a guarantee."""
