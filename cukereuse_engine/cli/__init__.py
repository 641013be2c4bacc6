"""The command line: reads settings, calls the engine, writes reports. One file a command.

Never computes anything itself, and loads a command only when it is asked for.
"""
