"""Evaluates strategies and baselines on labelled pairs: the paper's complete table 2, and the figures around it.

The engine gives the strategies' scores, the sweep and its metrics (`cukereuse_engine.calibration`). No scan uses
anything here.
"""
