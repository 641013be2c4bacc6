"""Evaluates strategies and baselines on labelled pairs: the paper's table 2 in full, and the figures around it.

Scores of the strategies, the sweep and its metrics are the engine's (`cukereuse_engine.calibration`); nothing here is
used by a scan.
"""
