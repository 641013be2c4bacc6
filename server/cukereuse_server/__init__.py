"""The language server. Imports the engine, never corpus_tools."""
