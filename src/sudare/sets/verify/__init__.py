"""The independent check of released baskets: it shares no counting with what made them."""
