"""What functions do only to log is no part of what they do."""

import pytest

from cukereuse_engine.functions.reading import forms_of
from cukereuse_engine.glue.sources import extract_source

SOURCES = {
    "py": "from behave import given\n@given('a')\ndef step(context, n):\n    {code}\n    context.page.open()\n",
    "ts": "import {{ Given }} from '@cucumber/cucumber';\nGiven('a', function (n) {{ {code}\nthis.open() }})\n",
    "java": 'import io.cucumber.java.en.Given;\nclass A {{ @Given("a") void a(int n) {{ {code}\npage.open(); }} }}',
    "kt": 'import io.cucumber.java.en.Given\nclass A {{ @Given("a") fun a(n: Int) {{ {code}\npage.open() }} }}\n',
    "cs": 'class A {{ [Given("a")] public void A(int n) {{ {code}\npage.Open(); }} }}\n',
    "php": "<?php class A implements Context {{ /** @Given a */ public function a($n) {{ {code}\n$this->open(); }} }}",
    "rs": '#[given("a")]\nasync fn a(w: &mut W, n: u32) {{ {code}\nw.page.open(); }}\n',
    "go": "package a\nfunc (s *S) a(n int) error {{ {code}\nreturn s.open() }}\n"
    "func Init(ctx *godog.ScenarioContext) {{ s := &S{{}}\nctx.Given(`^a$`, s.a) }}\n",
    "scala": 'import io.cucumber.scala.{{ScalaDsl, EN}}\nclass S extends ScalaDsl with EN {{ Given("a") {{ (n: Int) =>'
    "\n{code}\npage.open() }} }}\n",
    "rb": "Given('a') do |n|\n  {code}\n  @page.open\nend\n",
}


def tokens(suffix: str, code: str) -> tuple[str, ...]:
    source = SOURCES[suffix].format(code=code).encode()
    (definition,) = extract_source(f"a.{suffix}", source).definitions
    return forms_of(f"a.{suffix}", source, [definition]).forms[definition.function_id].tokens


@pytest.mark.parametrize(
    ("suffix", "code", "is_left_out"),
    [
        ("py", "print(n)", True),
        ("py", 'text = context.page.text\n    said = f"got {text}"\n    print(said)', True),
        ("py", "for one in context.all:\n        pass\n    text = context.page.find()\n    print(text)", False),
        ("py", "text = context.page.find()\n    print(text)", False),
        ("py", "text = context.page.text\n    print(text)\n    context.page.fill(text)", False),
        ("py", "context.text = context.page.text\n    print(context.text)", False),
        ("py", "n = context.page.text\n    print(n)", False),
        ("ts", "const { text } = this.page; const said: string = `got ${text}`; console.log(said);", True),
        ("ts", "this.all(() => { const text = this.text; console.log(text); this.go(); }); console.log(n);", False),
        ("ts", "last = this.text; console.log(last);", False),
        ("ts", "const text = await this.page.text(); console.log(text);", False),
        ("java", "final String text = this.text, other = this.other; System.out.println(text);", False),
        ("java", 'String text = this.text; final String said = "got " + text; System.out.println(said);', True),
        ("kt", 'val text = this.page.text\nval said: String = "got $text"\nprintln(said)', True),
        ("cs", 'var text = this.page.Text; string said = $"got {text}"; Console.WriteLine(said);', True),
        ("php", '$text = $this->page->text; $said = "got $text"; echo $said;', True),
        ("rs", 'let text = w.page.text; println!("got {}", text);', True),
        ("go", 'text := s.text\nsaid := "got" + text\nfmt.Println(said)', True),
        ("scala", "val text = this.text\nprintln(text)", True),
        ("rb", "text = create_page\n  warn text\n  logger.info(text)", False),
        ("rb", "text = @page\n  logger.info(text)", True),
        ("rb", "text = create_page\n  logger.info(text)", False),
    ],
)
def test_a_local_that_only_a_log_uses_is_left_out(suffix: str, code: str, is_left_out: bool) -> None:
    assert (tokens(suffix, code) == tokens(suffix, "")) is is_left_out


@pytest.mark.parametrize(
    ("suffix", "code", "is_left_out"),
    [
        ("cs", "_ = n;", True),
        ("go", "_ = n", True),
        ("rs", "let _ = n;", True),
        ("cs", "_ = page.Find();", False),
        ("go", "_ = s.find()", False),
        ("rs", "let _ = w.page.find();", False),
        ("py", "_ = n", False),
    ],
)
def test_a_name_that_is_discarded_is_left_out(suffix: str, code: str, is_left_out: bool) -> None:
    assert (tokens(suffix, code) == tokens(suffix, "")) is is_left_out
