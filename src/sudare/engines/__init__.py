"""The only reader of raw rows: exact bounded aggregates, no noise, no value in any message."""
