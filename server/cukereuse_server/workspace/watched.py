"""The files that an editor should watch. The worker tells the main process, which would have to load every language to
know them."""

from cukereuse_engine.gherkin import default_language
from cukereuse_engine.gherkin.suites import DECIDING
from cukereuse_engine.glue import behat_translations, configurations, project_rules
from cukereuse_engine.glue.languages.base import suffixes

WATCHED = (
    "**/*.feature",
    "**/*.feature.md",
    "**/{.gitignore,.cukereuseignore}",
    f"**/{{{','.join(sorted(DECIDING))}}}",
    f"**/{{{','.join(sorted(configurations.NAMES | default_language.CONFIGURATIONS))}}}",
    "**/*.gemspec",
    f"**/*{behat_translations.SUFFIX}",
    f"**/{{{','.join(behat_translations.FOLDERS)}}}/*.yml",
    f"**/*.{{{','.join(suffix.lstrip('.') for suffix in project_rules.DOTNET)}}}",
    f"**/*.{{{','.join(suffix.lstrip('.') for suffix in suffixes())}}}",
)
"""Feature files, files that decide what is read, and glue code in every language."""
