"""Folders to results: suites told apart, read, bound to their step definitions, detected. Reports are made from this.

Never prints, never writes into a workspace.
"""
