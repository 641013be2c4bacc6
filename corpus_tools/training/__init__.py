"""From pairs and bound texts of many repositories to the small parameter file that the judge ships with.

Reads files with the schema of `cukereuse_engine.calibration.data`; deterministic: the same files and seed give the same
bytes. Needs NumPy only. Nothing of a step's text goes into the parameters.
"""
