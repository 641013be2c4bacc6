"""Pages for a browser: one file each, without a server, that loads nothing."""
