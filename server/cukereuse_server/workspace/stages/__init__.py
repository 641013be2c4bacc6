"""The stages of the index, each from values to values: files, step definitions, accepted pairs, vectors.

No stage knows another, or changes the state that the answers read: `workspace.pipeline` does both. Long computations
run in threads, on immutable input.
"""
