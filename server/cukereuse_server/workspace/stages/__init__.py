"""The stages of the index, each from values to values: files, step definitions, accepted pairs, vectors.

None of them knows another, or changes the state that the answers look at: `workspace.pipeline` does both. What is long
is computed in threads, from immutable input.
"""
