"""The kind of each line by itself, by the official matchers, in any place."""

from gherkin.errors import ParserException

from cukereuse_engine.gherkin.flavour import Flavour
from cukereuse_engine.gherkin.tokens import LineToken, line_token, matcher

BAD_TAGS: list[object] = []
"""`matched_items` of a line of tags that the official matcher refuses."""


class LineMatcher:
    def __init__(self, flavour: Flavour) -> None:
        self._flavour = flavour
        self.language = flavour.language
        """Language of the keywords."""
        self._matcher = matcher(flavour=flavour)

    def speak(self, language: str) -> None:
        """Use the keywords of another language from now on."""
        self.language = language
        self._matcher = matcher(flavour=self._flavour, language=language)

    def header(self, line: str, at: int) -> LineToken | None:
        """The token of a `# language:` header, whose keywords are used from now on; None for another line. Raises
        `NoSuchLanguageException`. `at`: index of the line."""
        token = line_token(line, at + 1)
        if not self._matcher.match_Language(token):
            return None
        self.language = token.matched_text
        return token

    def token(self, line: str, at: int) -> LineToken:
        """A line's token. Its `matched_type` is None for prose; bad tags have `matched_items` `BAD_TAGS`."""
        token = line_token(line, at + 1)
        token.matched_type = None
        match = self._matcher
        try:
            if match.match_Comment(token) or match.match_TagLine(token):
                return token
        except ParserException:
            token.matched_type, token.matched_items = "TagLine", BAD_TAGS
            return token
        for matches in (
            match.match_FeatureLine,
            match.match_RuleLine,
            match.match_BackgroundLine,
            match.match_ScenarioLine,
            match.match_ExamplesLine,
            match.match_StepLine,
            match.match_TableRow,
        ):
            if matches(token):
                break
        return token
