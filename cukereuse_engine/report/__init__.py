"""Clusters and findings to console, JSON, SARIF, HTML, annotations. Reads nothing from disk and judges nothing."""
