"""Is a pair of step texts one intent? Judges behind one interface: the paper's rubric, text alone, adapted to a suite.

A judge never searches for pairs and never clusters: it is handed both.
"""
