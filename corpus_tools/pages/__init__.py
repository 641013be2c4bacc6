"""Pages for a browser, one file each. They need no server and load nothing."""
