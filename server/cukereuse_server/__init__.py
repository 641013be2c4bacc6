"""The language server: an author sees another wording before it is committed.

The main process speaks the protocol and never waits for the engine; a worker process holds the index.
"""
