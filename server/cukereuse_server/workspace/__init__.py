"""The incremental index: files -> steps -> templates -> neighbours -> findings, kept up to date edit by edit.

Gives what a scan of the same files gives. Knows nothing of the protocol or of pipes, never prints, never waits.
"""
