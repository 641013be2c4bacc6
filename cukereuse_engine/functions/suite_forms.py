"""The forms of a suite's step functions: read, completed by other files, and joined.

Kept up to date by file: after an edit, that file is read again and its functions are joined again.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from cukereuse_engine.functions.copies import Copies
from cukereuse_engine.functions.form import ClassFacts, FileForms, Form, moved, with_statements
from cukereuse_engine.functions.joins import FunctionIndex, Keys, keys_of
from cukereuse_engine.functions.linking import BindText, Bound, Classes, bound, linked, members_that_differ
from cukereuse_engine.functions.module_files import Listing, language_of
from cukereuse_engine.functions.modules import Modules
from cukereuse_engine.functions.reading import forms_of
from cukereuse_engine.functions.rereading import Read, forms_after
from cukereuse_engine.glue.definition import StepDefinition


def read_source(path: str) -> bytes | None:
    """The contents on disk; None if the file can't be read."""
    try:
        return Path(path).read_bytes()
    except (OSError, ValueError):
        return None


class SuiteForms:
    """The forms of a suite's step functions. Not thread-safe."""

    def __init__(
        self,
        read: Callable[[str], bytes | None],
        bind: BindText | None,
        boundary: Callable[[str], str],
        listing: Listing,
        build: Callable[[str], tuple[str, str]],
    ) -> None:
        """See `Functions`."""
        self._boundary = boundary
        self._read = read
        self.bind = bind
        self.files: dict[str, FileForms] = {}
        self._sources: dict[str, Read] = {}
        """By path: the source with which the next edit is compared, and its forms."""
        self._edited: dict[str, bytes] = {}
        """The contents of edited files, by path."""
        self._source_of = partial(_source_of, self._edited, read)
        self.forms: dict[str, Form] = {}
        """Forms by function id, as read."""
        self.linked: dict[str, Form] = {}
        """The forms, completed by other files."""
        self.whole: dict[str, Form] = {}
        """The linked forms with inlined helpers of other files: these are compared."""
        self.path_of: dict[str, str] = {}
        self.definitions: dict[str, list[StepDefinition]] = {}
        self.owners: dict[str, str] = {}
        self._classes = Classes(())
        self._called: dict[str, dict[str, Bound | None]] = {}
        """By function id: the bindings of the steps that it calls, directly or through others, by their texts."""
        self._placed: dict[str, tuple[str, tuple[str, str]]] = {}
        """By path: the file's boundary, and its module and build."""
        self.joins = FunctionIndex()
        self._listing = listing
        self._modules = self._new_modules()
        self._build = build
        self.copies = self._new_copies()

    def load(
        self,
        definitions: Iterable[StepDefinition],
        read_forms: Mapping[str, FileForms] | None = None,
        sources: Mapping[str, bytes] | None = None,
    ) -> None:
        """See `Functions.load`."""
        self.files, self.forms, self.path_of, self.definitions = {}, {}, {}, {}
        self._sources.clear()
        self._edited.clear()
        self._modules, self.copies = self._new_modules(), self._new_copies()
        for path, group in by_path(definitions).items():
            read = (read_forms or {}).get(path)
            self._add(path, group, read if read is not None else self._forms_at(path, None, group))
            if read is not None and sources is not None and path in sources:
                self._sources[path] = Read(sources[path], tuple(group), read)
        self._link_all()

    def copy(self, bind: BindText | None) -> "SuiteForms":
        """The same functions in another suite, where steps that they call bind as `bind` says: only functions that call
        steps are linked again."""
        other = SuiteForms(self._read, bind, self._boundary, self._listing, self._build)
        other.files, other.forms, other.path_of = self.files.copy(), self.forms.copy(), self.path_of.copy()
        other.definitions = {key: group.copy() for key, group in self.definitions.items()}
        other.linked, other.whole, other.joins = self.linked.copy(), self.whole.copy(), self.joins.copy()
        other.owners, other._classes = self.owners, self._classes  # replaced when they change
        other._sources, other._placed = self._sources.copy(), self._placed.copy()
        other._modules = self._modules.copy(other._source_of)
        calling = [key for key, form in self.forms.items() if form.steps]
        for key in calling:
            other._link(key)
        if any(other.joins.keys(key) != self.joins.keys(key) for key in calling):
            other._restore_order()
        return other

    def _restore_order(self) -> None:
        """Put all functions in the order in which loading links them."""
        linked, whole, keys = self.linked, self.whole, {key: self.joins.keys(key) for key in self.linked}
        self.linked, self.whole = {}, {}
        self.joins.clear()
        for key in self.forms:
            if (joint := keys.get(key)) is not None:
                self._join(key, linked[key], whole[key], joint)

    def is_placed(self) -> bool:
        """False if projects around sources have changed since it was loaded."""
        return all(placed == self._places(path) for path, placed in self._placed.items())

    def update(self, path: str, source: bytes | None, definitions: Sequence[StepDefinition]) -> None:
        """See `Functions.update`."""
        before = self.files.get(path)
        data = source if source is not None else self._read(path)
        if source is not None:
            self._edited[path] = source
        else:
            self._edited.pop(path, None)
        gone = [key for key, where in self.path_of.items() if where == path]
        linked = {
            id(self.forms[key].statements): (self.linked[key], self.whole[key], joint)
            for key in gone
            if (joint := self.joins.keys(key)) is not None
        }
        for key in gone:
            self._forget(key)
        self.files.pop(path, None)
        self._read_again(path, data, definitions)
        helpers = self._modules.changed_names(path, data)
        self.copies.forget(path)
        members = members_that_differ(before.classes if before is not None else (), self._classes_of(path))
        if members is None or self._classes.set_any(members):
            self._link_all()
            return
        if members:
            self._read_classes()
        self._link_again(path, helpers | members, linked)

    def _read_again(self, path: str, data: bytes | None, definitions: Sequence[StepDefinition]) -> None:
        """Read the functions of a file again, except those that an edit leaves valid."""
        read = self._sources.pop(path, None)
        if not definitions:
            return
        after = forms_after(read, path, data, definitions) if read is not None and data is not None else None
        self._add(path, definitions, after if after is not None else self._forms_at(path, data, definitions))
        if data is not None:
            self._sources[path] = Read(data, tuple(definitions), self.files[path])

    def look_at_projects(self) -> bool:
        """Take changes of projects around sources. Returns True if functions are joined differently now."""
        if self.is_placed():
            return False
        self._placed.clear()
        self.copies = self._new_copies()
        self._link_all()
        return True

    def _places(self, path: str) -> tuple[str, tuple[str, str]]:
        return self._boundary(path), self._build(path)

    def _place_of(self, path: str) -> tuple[str, tuple[str, str]]:
        if path not in self._placed:
            self._placed[path] = self._places(path)
        return self._placed[path]

    def _classes_of(self, path: str) -> tuple[ClassFacts, ...]:
        file = self.files.get(path)
        return file.classes if file is not None else ()

    def _link_again(self, path: str, helpers: frozenset[str], linked: Mapping[int, tuple[Form, Form, Keys]]) -> None:
        """After an edit of a file, link its functions again, functions that call its steps or bind differently now, and
        those that name changed helpers. `linked`: the results for unchanged forms, by the id of their statements."""
        self._read_owners()
        outdated = [
            key
            for key, form in self.forms.items()
            if (form.steps and self._calls_others(key, path, helpers)) or names_any(form, helpers)
        ]
        here = [key for key, where in self.path_of.items() if where == path and key in self.forms]
        again = set(outdated)
        for key in dict.fromkeys((*here, *outdated)):
            form = self.forms[key]
            linked_form = linked.get(id(form.statements)) if key not in again else None
            if linked_form is None:
                self._link(key)
            else:  # its statements were not read again
                self._join(key, moved(linked_form[0], form.at), moved(linked_form[1], form.at), linked_form[2])

    def _calls_others(self, key: str, path: str, helpers: frozenset[str]) -> bool:
        """True if a function calls steps that bind to functions of the file, to functions that name `helpers`, or
        differently than before."""
        return self.bind is not None and any(
            (step is not None and self._is_other(step.definition, path, helpers))
            or bound(text, self.path_of[key], self.bind) != step
            for text, step in self._called.get(key, {}).items()
        )

    def _is_other(self, called: StepDefinition, path: str, helpers: frozenset[str]) -> bool:
        form = self.forms.get(called.function_id)
        return called.path == path or (form is not None and names_any(form, helpers))

    def _new_modules(self) -> Modules:
        return Modules(self._source_of, self._listing)

    def _new_copies(self) -> Copies:
        return Copies(self._source_of, self._listing, self._build)

    def telling(self) -> Iterator[str]:
        """Ids of functions that only log, and never by a function of the suite that does something else."""
        for path, file in self.files.items():
            for key, statements in file.telling.items():
                if not any(self._modules.without_logs(statement, path) for statement in statements):
                    yield key

    def module_of(self, path: str) -> str:
        """The module of a source in its build; empty if there is none."""
        return self._build(path)[0]

    def _forms_at(self, path: str, source: bytes | None, definitions: Sequence[StepDefinition]) -> FileForms:
        data = source if source is not None else self._read(path)
        return forms_of(path, data, definitions) if data is not None else FileForms({}, {})

    def _add(self, path: str, definitions: Sequence[StepDefinition], file: FileForms) -> None:
        self.files[path] = file
        for definition in definitions:
            key = definition.function_id
            self.definitions.setdefault(key, []).append(definition)
            self.path_of[key] = path
            if key in file.forms:
                self.forms[key] = file.forms[key]

    def _forget(self, key: str) -> None:
        self.joins.remove(key)
        for table in (self.forms, self.linked, self.whole, self.path_of, self.definitions, self._called):
            table.pop(key, None)

    def _read_classes(self) -> None:
        self._classes = Classes(class_ for file in self.files.values() for class_ in file.classes)

    def _link_all(self) -> None:
        self._read_classes()
        self.joins.clear()
        self.linked, self.whole, self._called = {}, {}, {}
        self._read_owners()
        for key in self.forms:
            self._link(key)

    def _read_owners(self) -> None:
        self.owners = {token: key for file in self.files.values() for token, key in file.owners.items()}

    def _link(self, key: str) -> None:
        path = self.path_of[key]
        self._called[key] = {}
        form = linked(self.forms[key], path, self._classes, self.forms, self.bind, self._called[key])
        whole = form
        if language_of(path):  # helpers may be in other files
            form = self._without_logs(form, path)
            whole = with_statements(form, self._modules.put_in_place(form.statements, path))
        if not form.statements:
            for table in (self.linked, self.whole):
                table.pop(key, None)
            self.joins.remove(key)
            return
        self._join(key, form, whole, keys_of(self._boundary_of(key), whole.tokens, self._build_of(key)))

    def _without_logs(self, form: Form, path: str) -> Form:
        """A form without calls that other files show to be logging, and with the owners of its calls and mentions."""
        statements = tuple(self._modules.without_logs(statement, path) for statement in form.statements)
        called = [self._modules.owner(token, path) for token in (form.calls, *form.mentions)]
        if statements == form.statements and called == [form.calls, *form.mentions]:
            return form
        return replace(
            form,
            statements=tuple(statement for statement in statements if statement),
            calls=called[0],
            mentions=tuple(called[1:]),
        )

    def _boundary_of(self, key: str) -> str:
        """The language, the runner, and the boundary of the file. An edit may change the runner."""
        definition = self.definitions[key][0]
        return f"{definition.language} {definition.framework} {self._place_of(self.path_of[key])[0]}"

    def _build_of(self, key: str) -> str:
        """The runner, and the build with several modules that contains a function's file; empty if there is none."""
        module, build = self._place_of(self.path_of[key])[1]
        return f"{self.definitions[key][0].framework} {build}" if build and module != build else ""

    def _join(self, key: str, form: Form, whole: Form, joint: Keys) -> None:
        self.linked[key], self.whole[key] = form, whole
        self.joins.add(key, joint)


def names_any(form: Form, names: frozenset[str]) -> bool:
    return bool(names) and not names.isdisjoint(form.names)


def by_path(definitions: Iterable[StepDefinition]) -> dict[str, list[StepDefinition]]:
    by_function: dict[str, list[StepDefinition]] = {}
    for definition in definitions:
        by_function.setdefault(definition.path, []).append(definition)
    return by_function


def _source_of(edited: Mapping[str, bytes], read: Callable[[str], bytes | None], path: str) -> bytes | None:
    """A source as edited, or else as read."""
    data = edited.get(path)
    return data if data is not None else read(path)
