"""A repository's past, read from git's objects: nothing is checked out, nothing is run."""
