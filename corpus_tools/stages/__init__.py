"""The work of each stage. A new one is a module here, a thin command of the same name in `commands`, and its row in
`commands/table.py`."""
