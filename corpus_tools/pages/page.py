"""One HTML file of data, a style and a script. Data are compressed, so that no text in them can be taken for markup."""

import base64
import gzip
import hashlib
from functools import cache
from html import escape
from importlib import resources

import msgspec

from cukereuse_engine import __version__
from cukereuse_engine.report.visible import visible

_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer">
<title>{title} · cukereuse</title><style>{style}</style></head>
<body><main><h1>{title}</h1><p id="lede">{lede}</p>
<noscript><p>The list needs JavaScript. The Parquet file beside this page has everything.</p></noscript>
<div id="page"></div></main>
<footer>Made by cukereuse {version}. This file is self-contained and loads nothing.</footer>
<script type="application/octet-stream" id="data">{data}</script>
<script type="module">{script}</script></body></html>
"""


def render(title: str, lede: str, data: object, script: str) -> bytes:
    """The page, UTF-8; `script` is a file of this folder. The same data give the same bytes."""
    packed = base64.b64encode(gzip.compress(msgspec.json.encode(data), 9, mtime=0)).decode("ascii")
    style = _asset("page.css")
    code = "\n".join(
        [
            (resources.files("cukereuse_engine.report.html") / "dom.js").read_text("utf-8"),
            _asset("page.js"),
            _asset(script),
        ]
    )
    allowed = f"script-src '{_hash(code)}'; style-src '{_hash(style)}'"
    policy = f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"
    page = _PAGE.format(
        policy=policy, title=escape(title), lede=escape(lede), version=escape(__version__), style=style, data=packed,
        script=code,
    )  # fmt: skip
    return page.encode("utf-8")


def shortened(text: str, longest: int) -> str:
    """A text of at most `longest` code points and a sign that it is cut, with invisible characters written out."""
    return visible(text if len(text) <= longest else f"{text[:longest]}…")


@cache
def _asset(name: str) -> str:
    return (resources.files("corpus_tools.pages") / name).read_text("utf-8")


def _hash(content: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}"
