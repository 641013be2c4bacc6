"""What the main process and the worker say to each other: plain records, one module a subject.

Never imports the engine's heavy parts, pygls or lsprotocol, so that both sides load it at once.
"""
