"""One step's text: normal form, identity, template with arguments, guards. Pure functions and data; no I/O."""
