"""Symfony's services: the class of an id, as the project's XML and YAML service files declare it.

Reads text only; a service that a program builds (PHP, a factory, a compiler pass) is not found.
"""

import re
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from cukereuse_engine.gherkin.discovery import discover
from cukereuse_engine.gherkin.listings import Listings
from cukereuse_engine.glue.configuration import is_plain, read_yaml
from cukereuse_engine.storage import digest_of
from cukereuse_engine.storage.blob_store import Blobs
from cukereuse_engine.storage.kept import Kept, found_in

SUFFIXES = (".xml", ".yml", ".yaml")
"""Suffixes of files that may declare services."""
_SERVICE = re.compile(r"<service\s([^>]*)>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_PARAMETER = re.compile(r"%([^%\s]+)%")
_XML_PARAMETER = re.compile(r"""<parameter\s[^>]*?key\s*=\s*["']([^"']+)["'][^>]*>\s*([^<\s]+)\s*</parameter>""")


_Declaration = tuple[str, str, bool]
"""(id, class or id, False) of a service, (name, value, True) of a parameter."""


def find_services(
    folder: Path, ids: Collection[str], store: Blobs | None = None, listings: Listings | None = None
) -> dict[str, str]:
    """Maps each of `ids` to its class, if files below `folder` declare such a service. Aliases are followed. `store`
    keeps the declarations of each file, `listings` knows what is below folders."""
    wanted = {service.encode() for service in ids}
    declared: dict[str, str] = {}
    parameters: dict[str, str] = {}
    paths = discover([folder], suffixes=SUFFIXES, listings=listings)
    kept: Kept[tuple[_Declaration, ...]] | None = None
    if store is not None:
        kept = Kept(store, tuple[_Declaration, ...], "services", _code(), str(folder), *sorted(ids))
    for declarations in found_in(paths, kept, lambda path: tuple(_declarations(Path(path), wanted))).values():
        for name, value, is_parameter in declarations:
            (parameters if is_parameter else declared).setdefault(name, value)
    classes = {}
    for service in ids:
        name = service
        for _ in range(10):  # an alias of an alias, or a circle
            name = _PARAMETER.sub(lambda match: parameters.get(match[1], match[0]), declared.get(name, name))
        if name != service:
            classes[service] = name.lstrip("\\")
    return classes


@cache
def _code() -> str:
    """A digest of the code that reads declarations."""
    return digest_of(Path(__file__), Path(__file__).with_name("configuration.py"))


def _declarations(path: Path, wanted: Collection[bytes]) -> Iterator[_Declaration]:
    try:
        if not is_plain(path):
            return
        data = path.read_bytes()
    except OSError:
        return
    if path.suffix == ".xml":
        if b"<service" in data and any(service in data for service in wanted):
            yield from _xml(data.decode("utf-8", "replace"))
    elif b"services:" in data and any(service in data for service in wanted):
        yield from _yaml(read_yaml(path, []))


def _xml(text: str) -> Iterator[_Declaration]:
    for service in _SERVICE.finditer(text):
        attributes = {match[1].lower(): match[2] or match[3] or "" for match in _ATTRIBUTE.finditer(service[1])}
        target = attributes.get("class") or attributes.get("alias")
        if attributes.get("id") and target:
            yield attributes["id"], target, False
    for parameter in _XML_PARAMETER.finditer(text):
        yield parameter[1], parameter[2], True


def _yaml(document: Any) -> Iterator[_Declaration]:
    if not isinstance(document, dict):
        return
    services, parameters = document.get("services"), document.get("parameters")
    for name, service in services.items() if isinstance(services, dict) else ():
        target = service
        if isinstance(service, dict):
            target = service.get("class") or service.get("alias")
        if isinstance(target, str):
            yield str(name), target.lstrip("@"), False
    for name, value in parameters.items() if isinstance(parameters, dict) else ():
        if isinstance(value, str):
            yield str(name), value, True
