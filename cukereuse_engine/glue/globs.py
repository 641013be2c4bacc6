"""File patterns of the runners for JavaScript (`**`, `{a,b}`, `@(a|b)`, hidden files too)."""


def matches(path: str, pattern: str) -> bool:
    """True if a path matches. The library is loaded when it is first needed, because most suites name no pattern."""
    from wcmatch import glob

    flags = glob.GLOBSTAR | glob.BRACE | glob.EXTGLOB | glob.FORCEUNIX | glob.DOTGLOB
    return bool(glob.globmatch(path, pattern, flags=flags))
