"""The engine at corpus scale. Imports the engine, never the server."""
