"""The only room that draws entropy: the bit stream, exact integer samplers, uniform choice."""
