"""Microdata from statistics: no file of this room ever sees a row."""
