"""How code in one place reaches the step functions of another: by an import, or by the object that the runner passes.
Each way has a module; `ways` chooses one."""
