"""Paper 000's experiments: as it made them, and with what papers/README.md corrects."""
