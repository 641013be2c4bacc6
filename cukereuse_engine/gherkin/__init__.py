"""From bytes to steps: discovery, decoding, the official parser, and recovery if it rejects a file.

Reading never fails: `(steps, errors)`, never an exception, for any bytes. Nothing here compares steps.
"""
