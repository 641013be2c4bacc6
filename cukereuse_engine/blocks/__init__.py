"""Sequences of steps that recur: mined over whole suites, ranked by what replacing them would save.

Knows scenarios as sequences of symbols; what a symbol stands for (a definition, a template) its caller decides.
"""
