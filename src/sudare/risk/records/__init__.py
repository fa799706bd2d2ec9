"""What records give away: classes, diversity, uniqueness, combinations of columns."""
