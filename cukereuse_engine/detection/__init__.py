"""Many texts to clusters: strategies, linkage, canonical phrasing, savings, findings.

A strategy is pure: the same texts and settings give the same clusters, in the same order, on every machine.
"""
