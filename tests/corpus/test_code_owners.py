"""Who owns a file by CODEOWNERS, as GitHub and GitLab say it."""

from pathlib import Path

import pytest

from corpus_tools.support.code_owners import CodeOwners, code_owners

GITHUB = r"""
# a comment
*  @all @others
*.js  @js # not @nobody
*.go  docs@example.org
/build/logs/  @root-logs
docs/*  @docs
apps/  @apps
/apps/github
/src/shop  @shop
**/logs  @logs
my\ file.txt  @spaced
!*.go  @not-a-rule
[not a section
"""
GITLAB = """
* @all
[Docs] @docs @writers
docs/
README.md @readme
^[Data Base][2] @dba
model/db/
/db/*.sql @sql
[docs] @ignored
*.md @md
!special.md
"""


@pytest.mark.parametrize(
    ("text", "path", "owners"),
    [
        (GITHUB, "a", "@all @others"),
        (GITHUB, ".hidden/a", "@all @others"),
        (GITHUB, "a/b.js", "@js"),
        (GITHUB, "a/b.JS", "@all @others"),
        (GITHUB, "x.go", "docs@example.org"),
        (GITHUB, "build/logs/a", "@logs"),
        (GITHUB, "docs/a.md", "@docs"),
        (GITHUB, "docs/deep/a.md", "@all @others"),
        (GITHUB, "x/docs/a.md", "@all @others"),
        (GITHUB, "x/apps/y/z", "@apps"),
        (GITHUB, "apps/github", ""),
        (GITHUB, "apps/github/a", ""),
        (GITHUB, "src/shop", "@shop"),
        (GITHUB, "src/shop/cart/a", "@shop"),
        (GITHUB, "my file.txt", "@spaced"),
        (GITLAB, "a", "@all"),
        (GITLAB, "docs/a", "@all @docs @writers"),
        (GITLAB, "x/docs/y/a", "@all @docs @writers"),
        (GITLAB, "README.md", "@all @md"),
        (GITLAB, "special.md", "@all"),
        (GITLAB, "x/model/db/a", "@all @dba"),
        (GITLAB, "db/a.sql", "@all @sql"),
        (GITLAB, "x/db/a.sql", "@all"),
        ("", "a", ""),
        ("\r\n*\t@tab\r\n", "a", "@tab"),
        ("* nobody", "a", ""),
        ("[", "a", ""),
        ("pages/[id].ts @web", "pages/[id].ts", "@web"),
        ("pages/[id].ts @web", "pages/i.ts", ""),
    ],
)
def test_owners_of_a_file(text: str, path: str, owners: str) -> None:
    assert " ".join(CodeOwners(text).of(path)) == owners


@pytest.mark.parametrize(("path", "owners"), [("a/shop/x", ""), ("a/shop", "@shop"), ("b/a/shop", "@shop")])
def test_a_name_on_gitlab_is_that_of_a_file_anywhere(tmp_path: Path, path: str, owners: str) -> None:
    (tmp_path / ".gitlab").mkdir()
    (tmp_path / ".gitlab/CODEOWNERS").write_text("a/shop @shop\n")
    assert " ".join(code_owners(tmp_path).of(path)) == owners


def test_the_first_file_counts(tmp_path: Path) -> None:
    assert code_owners(tmp_path).of("a") == ()
    for place in ("docs", "", ".github"):
        (tmp_path / place).mkdir(exist_ok=True)
        (tmp_path / place / "CODEOWNERS").write_bytes(b"\xef\xbb\xbf* @in-%s\n# \xff" % place.encode())
        assert code_owners(tmp_path).of("a") == (f"@in-{place}",)
