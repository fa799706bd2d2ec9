"""What shuffling adds to local differential privacy: bounds on the central (ε, δ)."""
