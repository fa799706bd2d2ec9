"""What events add up to: composition, zCDP, PLD, and what an ε means. No state, no data."""
