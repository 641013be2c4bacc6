"""How code of one place comes to the step functions of another: by an import, or by the object that the runner hands
over. One module a way; `ways` picks it."""
