"""How near synthetic rows are to real ones, and what they give away."""
