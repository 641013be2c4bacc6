"""From folders to results: suites are found, read, bound to their step definitions, and compared. Reports are made from
this.

Never prints, never writes into a workspace.
"""
