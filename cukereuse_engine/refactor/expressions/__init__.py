"""A step definition in other words: its expression and its literal rewritten, in their own kind and quoting."""
