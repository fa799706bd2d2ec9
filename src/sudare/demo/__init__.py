"""The shipped town and the guided tour. Nothing else needs this room."""
