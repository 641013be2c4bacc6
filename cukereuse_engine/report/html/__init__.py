"""The HTML report: one file for the team, offline, safe with any step text.

`render` puts the page, its style, its script and the data together. The page makes no request of any kind; its content
security policy allows exactly the inlined style and script, by hash.
"""

from cukereuse_engine.report.html.links import PlaceLinks
from cukereuse_engine.report.html.page import render

__all__ = ["PlaceLinks", "render"]
