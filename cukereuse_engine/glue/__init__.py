"""Step definitions: extracted from source without running it, and bound to steps.

Nothing in a workspace is ever executed or imported: tree-sitter parses the sources, with one module for each language.
"""
