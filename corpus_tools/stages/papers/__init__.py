"""Both papers' tables and figures beside ours, with the reason for each that is missing."""
