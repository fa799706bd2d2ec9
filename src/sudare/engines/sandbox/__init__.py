"""Where a user's function meets rows: one process a block, with limits, looked at once a tick."""
