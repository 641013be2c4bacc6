"""The `cukereuse` command. Other packages add subcommands through the entry-point group `cukereuse.commands`."""
