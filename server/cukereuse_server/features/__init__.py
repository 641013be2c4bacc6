"""One file per LSP method or capability, each with `register(server)`. Handlers are short: snapshot, ask, convert."""
