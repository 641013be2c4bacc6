"""Sequences of steps that recur: mined over whole suites, ranked by what replacing them would save.

Scenarios are sequences of symbols here; the caller decides what a symbol means (a definition, a template).
"""
