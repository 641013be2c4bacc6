"""The messages between the main process and the worker: plain records, one module for each subject.

Imports neither the engine's heavy parts nor pygls or lsprotocol, so that both sides load it quickly.
"""
