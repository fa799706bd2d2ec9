"""What exact published tables, laid over each other and over public facts, make certain."""
