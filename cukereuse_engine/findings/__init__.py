"""Findings, whichever package found them: their places, their sentences and their severity."""
