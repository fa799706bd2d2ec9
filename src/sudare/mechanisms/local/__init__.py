"""Mechanisms that randomise one person's value where it lies: each person's own ε, no trust."""
