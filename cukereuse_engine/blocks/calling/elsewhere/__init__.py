"""How code in one place reaches the step functions of another: by an import, or by the object that the runner passes.
One module for each way; `ways` chooses it."""
