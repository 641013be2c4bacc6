"""SPDX identifiers -> the paper's four licence classes. Which licence is in which list is a fact of its release."""

PERMISSIVE = frozenset({"MIT", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "Unlicense", "0BSD"})
COPYLEFT = frozenset({"GPL-2.0", "GPL-3.0", "LGPL-2.1", "LGPL-3.0", "AGPL-3.0", "MPL-2.0", "EPL-1.0", "EPL-2.0"})
CLASSES = ("permissive", "copyleft", "unknown", "unlicensed")


def licence_class(spdx: str) -> str:
    """The class: "unlicensed" for none, "unknown" for one in neither list (`NOASSERTION` is GitHub's "other")."""
    if not spdx:
        return "unlicensed"
    plain = spdx.removesuffix("-only").removesuffix("-or-later")
    if plain in PERMISSIVE:
        return "permissive"
    return "copyleft" if plain in COPYLEFT else "unknown"
