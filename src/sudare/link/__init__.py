"""Joining what several organisations hold: keys, pseudonyms, seals. Pure: arrays in, arrays out."""
