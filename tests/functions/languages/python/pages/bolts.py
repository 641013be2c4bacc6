def slide(bolt):
    bolt.move(1)


def seal(lid):
    slide(lid)


def log(text):
    open("journal").write(text)


def print_line(text):
    print(text)
