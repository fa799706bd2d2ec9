"""What published tables and records give away: pure checks, no files, no noise."""
