"""Both papers' tables and figures beside ours, with what could not be had and why."""
