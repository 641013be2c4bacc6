"""The command line: reads settings, calls the engine, writes reports. Each command is a file.

This package computes nothing itself, and loads a command only when it is used.
"""
