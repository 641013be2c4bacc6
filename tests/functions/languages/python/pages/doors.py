from pages.bolts import slide


def shut(name):
    """Closes it."""
    slide(name)


def slam(name):
    slide(name)
    name.shake()
