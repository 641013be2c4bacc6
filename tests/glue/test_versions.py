"""Old versions of runners, wherever a project states its version: syntax that newer versions lack."""

# ruff: noqa: E501 - lines of sources as they stand in files
from pathlib import Path

import pytest

from tests.glue.test_situations import JS, UNDEFINED, Situation, holds

OLD_JAVA = 'import cucumber.api.java.en.Given;\npublic class A {\n  @Given("the sun rises") public void a() {}\n}\n'
MAVEN = "<groupId>io.cucumber</groupId><artifactId>cucumber-java</artifactId><version>%s</version>"
VERSIONS: dict[str, Situation] = {
    "Cucumber for Ruby before 3: strings": (
        {
            "Gemfile.lock": "GEM\n  specs:\n    cucumber (2.4.0)\n",
            "features/step_definitions/a.rb": "Given 'I have $n cucumbers' do |n|\nend\nGiven 'it (really) works' do\nend\nGiven 'a/b' do\nend\nGiven 'I have {int} eggs' do |n|\nend\n",
        },
        {
            "Given I have 5 cucumbers": "1",
            "Given it (really) works": "3",
            "Given a/b": "5",
            "Given I have 3 eggs": UNDEFINED,
        },
        [],
    ),
    **{
        f"Cucumber for Ruby before 3: {file} {text!r}": (
            {file: text, "features/step_definitions/a.rb": "Given 'I eat $n figs (ripe)' do |n|\nend\n"},
            {"Given I eat 3 or 4 figs (ripe)": "1", "Given I eat 3 figs ripe": UNDEFINED},
            [],
        )
        for file, text in (
            ("Gemfile", "gem 'cucumber', '~> 1.3.0'\ngem 'cucumber-rails', '3.0'\n"),
            ("Gemfile", 'gem "cucumber", "< 3"\n'),
            ("Gemfile", "gem 'cucumber', '>= 1.2', '< 3.0.0'\n"),
            ("Gemfile", "if old\n  gem 'cucumber', '~> 1.3'\nelse\n  gem 'cucumber', '2.4.0', require: false\nend\n"),
            ("own.gemspec", "s.add_development_dependency 'cucumber', '2.0'\n"),
            ("Gemfile.lock", "    cucumber-rails (3.4)\n      cucumber (>= 1.3, < 4)\n    cucumber (1.3.20)\n"),
        )
    },
    **{
        f"Cucumber for Ruby since 3: {text!r}": (
            {"Gemfile": text, "features/step_definitions/a.rb": "Given 'I eat {int} fig(s)' do |n|\nend\n"},
            {"Given I eat 3 figs": "1"},
            [],
        )
        for text in (
            "gem 'cucumber', '>= 2'\n",
            "gem 'cucumber'\n",
            "# gem 'cucumber', '2.0'\n",
            "gem 'cucumber', '9.1'\n",
            'gem "cucumber", "< 3.1"\n',
            "gem 'cucumber', '~> 1.3' if ENV['OLD']\n",
            'gem "cucumber", "<= 3.0"\n',
            "gem 'cucumber', '> 2.0', '< 10'\n",
            "if old\n  gem 'cucumber', '~> 1.3'\nelse\n  gem 'cucumber', '~> 3.1'\nend\n",
            "if old\n  gem 'cucumber', '~> 1.3'\nelse\n  gem 'cucumber'\nend\n",
        )
    },
    **{
        f"behave before 1.3 ignores case: {file} {text!r}": (
            {
                file: text,
                "features/steps/a.py": "from behave import given\n@given('A {thing} is here')\ndef a(c, thing): ...\n",
            },
            {"Given a Cat is here": "2", "Given A cat IS here": "2"},
            [],
        )
        for file, text in (
            ("requirements.txt", "selenium\nbehave==1.2.6  # old\n"),
            ("requirements.txt", "behave>=1.2,<1.3\n"),
            ("requirements-test.txt", "behave~=1.2.6\n"),
            ("pyproject.toml", '[project]\ndependencies = ["behave == 1.2.5"]\n'),
            ("pyproject.toml", '[tool.poetry.dependencies]\nbehave = "~1.2"\n'),
            ("pyproject.toml", '[tool.poetry.dependencies]\nbehave = {version = "1.2.6", extras = []}\n'),
            ("setup.py", "setup(install_requires=['behave<=1.2.6', 'x'])\n"),
            ("Pipfile.lock", '{"default": {"behave": {"hashes": ["a"], "version": "==1.2.6"}}}'),
            ("poetry.lock", '[[package]]\nname = "behave"\nversion = "1.2.6"\n'),
            ("environment.yml", "dependencies:\n  - behave=1.2.6\n"),
            ("requirements.txt", "behave[toml] == 1.2.* ; python_version > '3'\n"),
            ("pyproject.toml", '[project]\ndependencies = ["parse==1.20", "behave (<1.3)", "six"]\n'),
        )
    },
    **{
        f"behave since 1.3 looks at case: {file} {text!r}": (
            {
                file: text,
                "features/steps/a.py": "from behave import given\n@given('A {thing} is here')\ndef a(c, thing): ...\n",
            },
            {"Given A Cat is here": "2", "Given a cat is here": UNDEFINED},
            [],
        )
        for file, text in (
            ("requirements.txt", "behave\n"),
            ("requirements.txt", "behave>=1.2.6\n"),
            ("requirements.txt", "behave~=1.2\n"),
            ("requirements.txt", "# behave==1.2.6\nbehave-html-formatter==0.9\nbehave==1.3.3\n"),
            ("requirements.txt", "my-behave==1.2.6\n"),
            ("setup.py", "setup(install_requires=['behave', 'six==1.1', 'x<1.0'])\n"),
            ("pyproject.toml", '[project]\ndependencies = ["behave>=1.2.6", "tomli==1.0"]\n'),
            ("tox.ini", "commands = pip install behave six==1.1\n"),
            ("requirements.txt", "selenium==3  # for behave==1.2.6\n"),
            ("requirements.txt", "behave>=1.2.6; platform_version == '1.0'\n"),
            ("pyproject.toml", '[tool.poetry.dependencies]\nbehave = "^1.2.6"\n'),
            ("uv.lock", '[[package]]\nname = "behave"\nversion = "1.3.0"\n'),
        )
    },
    "cucumber-js before 2: strings": (
        {
            "package.json": '{"devDependencies": {"cucumber": "^1.3.0"}}',
            "features/step_definitions/a.js": "module.exports = function () {\n"
            "  this.When('user \"$name\" has $n (big) figs', function (a, n, cb) {});\n"
            "  this.Given('it (really) grows', function (cb) {});\n}\n",
        },
        {
            'When user "bob x" has 3 of (big) figs': "2",
            'When user "bob" "x" has 3 (big) figs': UNDEFINED,
            "Given it (really) grows": "3",
            "Given it grows": UNDEFINED,
        },
        [],
    ),
    **{
        f"cucumber-js {'before' if is_old else 'since'} 2: {text}": (
            {"package.json": text, "features/step_definitions/a.js": JS + "Given('it grow(s)', function () {});\n"},
            {"Given it grows": UNDEFINED if is_old else "2"},
            [],
        )
        for text, is_old in (
            ('{"scripts": {"cucumber": "cucumber-js"}, "dependencies": {"cucumber": "~0.10.2 || 1.x"}}', True),
            ('{"devDependencies": {"cucumber": "1.x || 2.x"}}', False),
            ('{"devDependencies": {"cucumber": "1.2 - 3.0"}}', False),
            ('{"devDependencies": {"cucumber": "^6.0.0"}, "peerDependencies": {"cucumber": "^1.0.0"}}', False),
            ('{"dependencies": {"cucumber": "^1.0.0", "@cucumber/cucumber": "^9.0.0"}}', False),
            ('{"dependencies": {"cucumber": "^1.0.0"', False),
            ("[1]", False),
        )
    },
    "Cucumber-JVM before 3: regexes from the start": (
        {
            "pom.xml": "<dependency><groupId>info.cukes</groupId><artifactId>cucumber-java</artifactId></dependency>",
            "src/test/java/A.java": 'import cucumber.api.java.en.Given;\npublic class A {\n  @Given("I have (\\\\d+) cukes") public void a(int n) {}\n'
            '  @Given("something with") public void c() {}\n}\n',
        },
        {"Given something with suffix": "4", "Given so I have 5 cukes": UNDEFINED, "Given I have 5 cukes in it": "3"},
        [],
    ),
    **{
        f"Cucumber-JVM before 3: {file} {text}": (
            {file: text, "src/test/java/A.java": OLD_JAVA},
            {"Given the sun rises slowly": "3"},
            [],
        )
        for file, text in (
            ("pom.xml", f"<cucumber-jvm.version>1.2.4</cucumber-jvm.version>{MAVEN % '${cucumber-jvm.version}'}"),
            ("pom.xml", f"<!-- {MAVEN % '7.1.0'} --> {MAVEN % '2.3.1'}"),
            ("build.gradle", "testCompile group: 'io.cucumber', name: 'cucumber-java', version: '2.4.0'"),
            ("build.gradle", "ext.v = '1.2.5'\ntestCompile \"info.cukes:cucumber-java:$v\""),
            ("build.gradle", "ext { v = '2.4.0' }\ntestCompile \"io.cucumber:cucumber-java8:${rootProject.ext.v}\""),
            ("build.sbt", 'libraryDependencies += "io.cucumber" %% "cucumber-scala" % "2.0.1"'),
            ("build.sbt", 'val old = "1.2.4"\nlibraryDependencies += "info.cukes" %% "cucumber-scala" % old'),
        )
    },
    **{
        f"Cucumber-JVM since 3: {text}": (
            {"pom.xml": text, "src/test/java/A.java": source},
            {"Given the sun rises slowly": UNDEFINED, "Given the sun rises": "3"},
            [],
        )
        for text, source in (
            ("<groupId>io.cucumber</groupId><artifactId>cucumber-java</artifactId><version>4.1.0</version>", OLD_JAVA),
            ("<groupId>info.cukes</groupId>", OLD_JAVA.replace("cucumber.api", "io.cucumber")),
            ("<groupId>io.cucumber</groupId><exclusion><groupId>info.cukes</groupId></exclusion>", OLD_JAVA),
            ("<cucumber-reporting.version>1.0.1</cucumber-reporting.version>", OLD_JAVA),
            ("<cucumber.core>2.0</cucumber.core><artifactId>cucumber-java</artifactId>", OLD_JAVA),
            (
                f"<cucumber.version>1.2.5</cucumber.version>{MAVEN % '${cucumber.version}'}",
                OLD_JAVA.replace("sun", "{word}"),
            ),
            (MAVEN % "1.2.5", OLD_JAVA.replace("import", "import io.cucumber.datatable.DataTable; import", 1)),
            (f"<v>2.4.0</v><profile><v>4.8.0</v></profile>{MAVEN % '${v}'}", OLD_JAVA),
            (f"<groupId>info.cukes</groupId><artifactId>cucumber-html</artifactId>{MAVEN % '${above}'}", OLD_JAVA),
        )
    },
    **{
        f"Cucumber-JVM of a version that stands elsewhere: {file} {text}": (
            {file: text, "src/test/java/A.java": OLD_JAVA},
            {"Given the sun rises slowly": UNDEFINED, "Given the sun rises": "3"},
            [],
        )
        for file, text in (
            (
                "build.gradle",
                "testCompile \"io.cucumber:cucumber-java:${v}\"\ntestCompile 'io.cucumber:cucumber-jvm-deps:1.0.6'",
            ),
            (
                "build.gradle.kts",
                'testImplementation(libs.cucumber.java)\ntestImplementation("io.cucumber:cucumber-jvm-deps:1.0.6")',
            ),
            ("build.gradle", "// moved from info.cukes:cucumber-java:1.2.5\ntestImplementation libs.cucumber.java"),
            ("build.gradle", "/* 'info.cukes:cucumber-java:1.2.5' */\ntestImplementation libs.cucumber.java"),
            ("gradle.properties", "cucumberVersion=1.2.5"),
        )
    },
    "Cucumber-JVM of a version that a folder above tells": (
        {
            "pom.xml": f"<cucumber.version>4.7.1</cucumber.version>{MAVEN % '${cucumber.version}'}",
            "mod/pom.xml": f"<artifactId>cucumber-java</artifactId>{MAVEN.replace('java', 'jvm-deps') % '1.0.6'}",
            "mod/src/test/java/A.java": OLD_JAVA.replace("sun", "{word}"),
        },
        {"Given the sun rises": "3"},
        [],
    ),
}


@pytest.mark.parametrize("name", VERSIONS)
def test_versions(name: str, tmp_path: Path) -> None:
    holds(tmp_path, *VERSIONS[name])
