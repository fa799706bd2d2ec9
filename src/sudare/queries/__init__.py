"""Questions to one table: parse, price, measure, answer. Pure: exact aggregates in, answers out."""
