"""Random changes of a workspace, as people, editors and git make them."""

import random
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.server.conftest import World


VERBS = ["click", "press", "click on", "clicked", "select", "open"]


THINGS = ["the button", "the save button", "a button", "the link", "links"]


CHECKS = ["should see", "see", "should not see", "must see", "can see"]


VALUES = ['"Save"', '"Cancel"', "'blue'", "7", "42", "<name>"]


GLUE = "from behave import *\n"


BODIES = ["pass", "context.page.push()", "context.door.slam()"]


DEFINITIONS = [
    "@when('I {verb} the button')",
    "@when('I press the link')",
    "@step('I should see {what}')",
    "@step('I see {what}')",
    "@step('the user selects the menu')",
    "@given('{n:d} orders')",
]


def random_step(chance: random.Random) -> str:
    kind = chance.randrange(6)
    if kind == 0:
        text = f"{chance.choice(['I', 'the user'])} {chance.choice(VERBS)} {chance.choice(THINGS)}"
    elif kind == 1:
        text = f"I {chance.choice(CHECKS)} {chance.choice(VALUES)} {chance.choice(['', 'on the page', 'in the page'])}"
    elif kind == 2:
        text = f"{chance.choice(VALUES)} {chance.choice(['orders', 'order', 'open orders'])}"
    elif kind == 3:
        text = f"the {chance.choice(['Order', 'order', 'cart'])} is {chance.choice(['', 'not ', 'now '])}open"
    elif kind == 4:  # only vectors tell that these are one
        text = f"I am {chance.choice(['on', 'at', 'in'])} the {chance.choice(['home', 'cart', 'order'])} page"
    else:
        text = f"I {chance.choice(VERBS)} {chance.choice(THINGS)} {chance.choice(VALUES)}"
    return f"    {chance.choice(['Given', 'When', 'Then', 'And', '*'])} {text.strip()}"


def random_feature(chance: random.Random) -> str:
    lines = ["Feature: shop"]
    for number in range(chance.randrange(1, 4)):
        exported = chance.random() < 0.1  # is a step definition
        lines += ["  @ExportScenarios", f"  Scenario: {random_step(chance).split(maxsplit=1)[1]}"] if exported else []
        lines += [] if exported else [f"  Scenario: {number}"]
        for _ in range(chance.randrange(14)):
            if chance.random() < 0.06:
                lines.append(f"    # cukereuse: ignore{chance.choice(['', '[divergent-wording]', '[typo]'])} -- so")
            lines.append(random_step(chance))
            if chance.random() < 0.05:
                lines.append(chance.choice(["    * ", "    When ", "    * def x = 1", "    * url 'http://x'"]))
            if chance.random() < 0.08:
                lines += ["      | a | b |", "      | 1 | 2 |"]
    if chance.random() < 0.1:
        lines.insert(chance.randrange(len(lines)), chance.choice(["Feature: twice", "   | ragged", '   """', "wild"]))
    return "\n".join(lines) + chance.choice(["", "\n"])


KINDS = ["save", "save", "type", "type", "type", "close", "delete", "move", "folder", "glue", "body"]


RARER = ["code", "code", "checkout", "lines", "folders", "undo"]
"""Rarer changes of people, and changes that editors report in another way."""


class Changes:
    """Random changes of a world; knows what the disk and the editor hold."""

    def __init__(self, world: "World", seed: int) -> None:
        self.world = world
        self.chance = random.Random(seed)
        self.version = 0
        self.rare = 0.3
        """The share of the rarer changes."""

    def paths(self) -> list[Path]:
        return sorted(self.world.root.rglob("*.feature"))

    def some_path(self) -> Path:
        names = [f"{folder}/{name}.feature" for folder in ("a", "a/deep", "b", "c d#1") for name in "xyz"]
        return self.world.root / self.chance.choice(names)

    def one(self) -> None:
        getattr(self, self.chance.choice(RARER if self.chance.random() < self.rare else KINDS))()

    def save(self) -> None:
        path = self.some_path()
        self.world.write(str(path.relative_to(self.world.root)), random_feature(self.chance))
        self.world.workspace.changed_on_disk([str(path)])

    def type(self) -> None:
        buffers = self.world.workspace.buffers
        path = self.chance.choice([*buffers, str(self.some_path())])
        old = buffers[path].text if path in buffers else ""
        if old and self.chance.random() < 0.8:
            lines = old.split("\n")
            at = self.chance.randrange(len(lines))
            lines[at : at + self.chance.randrange(2)] = [random_step(self.chance)] * self.chance.randrange(3)
            text = "\n".join(lines)
        else:
            text = random_feature(self.chance)
        self.version += 1
        self.world.workspace.open(path, self.version, text)

    def close(self) -> None:
        buffers = list(self.world.workspace.buffers)
        if buffers:
            self.world.workspace.close(self.chance.choice(buffers))

    def delete(self) -> None:
        paths = self.paths()
        if paths:
            path = self.chance.choice(paths)
            path.unlink()
            self.world.workspace.changed_on_disk([str(path)])

    def move(self) -> None:
        paths = self.paths()
        target = self.some_path()
        if paths and not target.exists():
            path = self.chance.choice(paths)
            target.parent.mkdir(parents=True, exist_ok=True)
            path.rename(target)
            self.world.workspace.changed_on_disk([str(path), str(target)])

    def folder(self) -> None:
        folder = self.world.root / self.chance.choice(["a/deep", "b", "c d#1"])
        if folder.exists() and self.chance.random() < 0.3:
            shutil.rmtree(folder)
            self.world.workspace.changed_on_disk([str(folder)])

    def glue(self) -> None:
        body = "".join(
            f"\n{line}\ndef f{number}(context, **k):\n    {self.chance.choice(BODIES)}\n"
            for number, line in enumerate(self.chance.sample(DEFINITIONS, self.chance.randrange(len(DEFINITIONS))))
        )
        path = self.world.write("a/steps/steps.py", GLUE + body)
        self.world.workspace.changed_on_disk([str(path)])

    def code(self) -> None:
        """Step definitions while they are typed, which need not be valid Python."""
        path = self.world.root / "a/steps/steps.py"
        if not path.exists():
            return
        buffers = self.world.workspace.buffers
        text = buffers[str(path)].text if str(path) in buffers else path.read_text()
        lines = text.split("\n")
        at = self.chance.randrange(len(lines))
        lines[at : at + self.chance.randrange(2)] = [
            self.chance.choice(["", "@step('I see {", "def (", "    (", self.chance.choice(DEFINITIONS), "# so"])
        ]
        self.version += 1
        self.world.workspace.open(str(path), self.version, "\n".join(lines))

    def checkout(self) -> None:
        """Another branch: many files change at once, and a watcher reports some, their folder, or none."""
        paths = [self.some_path() for _ in range(4)]
        for path in paths:
            if path.exists() and self.chance.random() < 0.4:
                path.unlink()
            else:
                self.world.write(str(path.relative_to(self.world.root)), random_feature(self.chance))
        self.glue()
        folders = [str(self.world.root)]
        self.world.workspace.changed_on_disk(self.chance.choice([list(map(str, paths)), folders, []]))

    def lines(self) -> None:
        """Change the line endings."""
        path = self.some_path()
        text = random_feature(self.chance).replace("\n", self.chance.choice(["\r\n", "\r\n", "\r"]))
        self.world.write(str(path.relative_to(self.world.root)), text)
        self.world.workspace.changed_on_disk([str(path)])

    def folders(self) -> None:
        root = self.world.root
        chosen = self.chance.choice([(root,), (root / "a", root / "b"), (root / "a",), (root,)])
        self.world.workspace.configure(list(map(str, chosen)), self.world.workspace.editor, False)

    def undo(self) -> None:
        """Make an open file equal to the one on disk again."""
        for name, buffer in self.world.workspace.buffers.items():
            path = Path(name)
            if path.exists() and self.chance.random() < 0.5:
                self.version += 1
                text = path.read_bytes().decode("utf-8")
                if text != buffer.text:
                    self.world.workspace.open(name, self.version, text)
                    return

    def body(self) -> None:
        """Change a function's body without moving anything."""
        path = self.world.root / "a/steps/steps.py"
        if path.exists():
            path.write_text(path.read_text().replace(*self.chance.sample(BODIES[1:], 2), 1))
            self.world.workspace.changed_on_disk([str(path)])
