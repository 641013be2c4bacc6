"""The engine outside the main loop: a child process, and the client by which the main process asks it."""
