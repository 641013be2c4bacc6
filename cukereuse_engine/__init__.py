"""Everything about Gherkin steps: reading, comparing, clustering, renaming.

Knows nothing of the Language Server Protocol, of editors or of GitHub. Importing it loads neither a model nor torch:
each heavy import is at its point of use.
"""

__version__ = "0.1.0"
