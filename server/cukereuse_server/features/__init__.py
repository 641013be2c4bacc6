"""One file a subject: a method of the protocol, or a few that belong together. Each has `register(server)`.

Handlers are short: snapshot, ask the worker, convert. The first paragraph of a file's docstring is its row in
`server/README.md`.
"""
