"""Step definitions: extracted from source without running it, and bound to steps.

Nothing in a workspace is ever executed or imported: sources are parsed by tree-sitter, one module a language.
"""
