"""What rows of `languages` are handed, and what they build: parts of new code, and sources that are edited."""
