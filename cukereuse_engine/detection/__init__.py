"""From texts to clusters and findings: strategies, linkage, canonical phrasing, rules.

A strategy is pure: the same texts and settings give the same clusters, in the same order, on every machine.
"""
