"""Rewords a step definition: its expression and its literal, in their kind and quoting."""
