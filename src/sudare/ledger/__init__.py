"""What was spent: the only writer of budget. Charges are never given back."""
