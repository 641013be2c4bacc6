"""Turnip in projects whose helpers load a file of steps for the feature that is about to run."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from cukereuse_engine.gherkin.read import read_files
from cukereuse_engine.glue import project_rules
from cukereuse_engine.glue.glue import Glue

FEATURE = "Feature: f\n  Scenario: s\n    Given I feed the cat\n    And I walk\n"
STEPS = "step 'I feed the :animal' do |animal|\nend\n"
HOOK = "RSpec.configure do |config|\n  config.before(type: :feature) do |example|\n%s  end\nend\n"
BESIDE = HOOK % "    steps = Pathname.new(example.file_path).sub_ext('.steps.rb')\n    require(steps) if steps.exist?\n"
FORK = (
    "GIT\n  remote: https://github.com/{}/turnip.git\n  revision: 1\n"
    "  specs:\n    turnip (4.4.1)\n      rspec (>= 3.0)\n"
)


def bound(root: Path, files: Mapping[str, str], feature: str) -> list[str]:
    """The bindings of the two steps: `file:line`, several of them, or nothing."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    project_rules.forget()
    glue = Glue.load(str(root), jobs=1)
    steps = next(iter(read_files([str(root / feature)], jobs=1))).steps
    return [
        " ".join(f"{each.path.rpartition('/')[2]}:{each.line}" for each in glue.bind(step).definitions)
        for step in steps
    ]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    return tmp_path


LOADING = {
    # lines of a hook, name of the steps file of spec/features/zoo/cats.feature
    "sub_ext": (BESIDE, "features/zoo/cats.steps.rb"),
    "sub": (HOOK % "    load example.file_path.sub(/\\.feature$/, '_steps.rb')\n", "features/zoo/cats_steps.rb"),
    "gsub!": (HOOK % "    path.gsub!('.feature', '.rb')\n    require_dependency path\n", "features/zoo/cats.rb"),
    "chomp": (
        HOOK % '    file = "#{example.file_path.chomp(".feature")}_steps.rb"\n    require file if File.exist?(file)\n',
        "features/zoo/cats_steps.rb",
    ),
    "delete_suffix": (
        HOOK % "    file = example.file_path.delete_suffix('.feature') + '.steps.rb'\n    load(file)\n",
        "features/zoo/cats.steps.rb",
    ),
    "in a folder of their own": (
        HOOK
        % (
            "    path = example.metadata[:file_path].gsub(/^features/, 'steps').gsub(/\\.feature$/, '_steps.rb')\n"
            "    require path.to_s\n"
        ),
        "steps/zoo/cats_steps.rb",
    ),
}


@pytest.mark.parametrize("name", LOADING)
def test_a_file_that_a_hook_loads_for_a_feature_serves_no_other(name: str, project: Path) -> None:
    hook, own = LOADING[name]
    files = {
        "spec/support/hooks.rb": hook,
        "spec/spec_helper.rb": "require 'turnip/rspec'\n",
        f"spec/{own}": STEPS + "step 'I walk' do\nend\n",
        f"spec/{own.replace('cats', 'dogs')}": "\n" + STEPS.replace(":animal", "cat"),
        "spec/features/zoo/cats.feature": FEATURE,
        "spec/features/zoo/dogs.feature": FEATURE,
        "spec/features/cats.feature": FEATURE,
    }
    file = own.rpartition("/")[2]
    assert bound(project, files, "spec/features/zoo/cats.feature") == [f"{file}:1", f"{file}:3"]
    assert bound(project, {}, "spec/features/zoo/dogs.feature") == [f"{file.replace('cats', 'dogs')}:2", ""]
    assert bound(project, {}, "spec/features/cats.feature") == ["", ""]


@pytest.mark.parametrize(
    "helper",
    [
        BESIDE + 'Dir.glob("spec/**/*.steps.rb") { |f| load f, true }\n',
        BESIDE + 'Dir[Rails.root.join("spec", "features", "**", "*.rb")].each { |f| require f }\n',
        BESIDE.replace("require(steps)", "puts(steps)"),
        BESIDE.replace("    require", "    # require"),
        "require 'turnip/rspec'\nDir[File.join(__dir__, '**/*.steps.rb')].each { |f| require f }\n",
    ],
)
def test_files_that_are_loaded_in_any_case_serve_all_features(helper: str, project: Path) -> None:
    files = {
        "spec/spec_helper.rb": helper,
        "spec/features/cats.steps.rb": STEPS,
        "spec/features/cats.feature": FEATURE,
        "spec/features/dogs.feature": FEATURE,
    }
    assert bound(project, files, "spec/features/dogs.feature") == ["cats.steps.rb:1", ""]


def test_what_a_hook_loads_counts_beside_tags_and_the_steps_of_all(project: Path) -> None:
    files = {
        "spec/turnip_helper.rb": BESIDE,
        "spec/steps/all.rb": "step 'I walk' do\nend\n",
        "spec/features/cats.steps.rb": f"steps_for :tame do\n{STEPS}end\n",
        "spec/features/cats.feature": FEATURE.replace("  Scenario", "  @tame\n  Scenario"),
        "spec/features/dogs.feature": FEATURE.replace("  Scenario", "  @tame\n  Scenario"),
        "spec/features/wild/cats.feature": FEATURE,
    }
    assert bound(project, files, "spec/features/cats.feature") == ["cats.steps.rb:2", "all.rb:1"]
    assert bound(project, {}, "spec/features/dogs.feature") == ["", "all.rb:1"]
    assert bound(project, {}, "spec/features/wild/cats.feature") == ["", "all.rb:1"]


@pytest.mark.parametrize(
    ("lock", "is_chosen"),
    [
        (FORK.format("other"), True),
        (FORK.format("other") + "\nGEM\n  specs:\n    rake (13.0)\n", True),
        (FORK.format("jnicklas"), False),
        ("GEM\n  remote: https://example.org/\n  specs:\n    turnip (4.4.1)\n      rspec (>= 3.0)\n", False),
        (FORK.format("other").replace("turnip (4", "turnip_formatter (4"), False),
        ("", False),
    ],
)
def test_a_fork_of_turnip_takes_the_nearest_of_several(lock: str, is_chosen: bool, project: Path) -> None:
    """leihs/turnip, execute.rb: the feature's own, then the deepest shared one; the released Turnip refuses."""
    files = {
        "Gemfile.lock": lock,
        "spec/spec_helper.rb": BESIDE,
        "spec/features/shared/all.rb": "step 'I :verb' do |verb|\nend\nstep 'I feed the :animal' do |animal|\nend\n",
        "spec/features/zoo/shared/zoo.rb": "step 'I walk' do\nend\n",
        "spec/features/zoo/cats.steps.rb": "step 'I feed the cat' do\nend\n",
        "spec/features/zoo/cats.feature": FEATURE,
    }
    both = ["all.rb:3 cats.steps.rb:1", "all.rb:1 zoo.rb:1"]
    chosen = ["cats.steps.rb:1", "zoo.rb:1"]
    assert bound(project, files, "spec/features/zoo/cats.feature") == (chosen if is_chosen else both)


def test_a_fork_of_turnip_takes_the_nearest_of_those_with_one_wording(project: Path) -> None:
    """An override beside the features that need it serves these, wherever its path sorts."""
    step = "step 'I walk' do\nend\n"
    files = {
        "Gemfile.lock": FORK.format("other"),
        "spec/spec_helper.rb": BESIDE,
        "spec/features/shared/all.rb": step,
        "spec/features/aviary/shared/birds.rb": step,
        "spec/features/zoo/shared/zoo.rb": step,
        "spec/features/aviary/ducks.feature": FEATURE,
        "spec/features/zoo/cats.feature": FEATURE,
        "spec/features/dogs.feature": FEATURE,
    }
    assert bound(project, files, "spec/features/aviary/ducks.feature") == ["", "birds.rb:1"]
    assert bound(project, {}, "spec/features/zoo/cats.feature") == ["", "zoo.rb:1"]
    assert bound(project, {}, "spec/features/dogs.feature") == ["", "all.rb:1"]


def test_a_hook_is_read_again_when_it_changes(project: Path) -> None:
    files = {
        "spec/spec_helper.rb": "require 'turnip/rspec'\n",
        "spec/cats.steps.rb": STEPS,
        "spec/cats.feature": FEATURE,
        "spec/dogs.feature": FEATURE,
    }
    assert bound(project, files, "spec/dogs.feature") == ["cats.steps.rb:1", ""]
    glue = Glue.load(str(project), jobs=1)
    step = next(iter(read_files([str(project / "spec/dogs.feature")], jobs=1))).steps[0]
    (project / "spec/spec_helper.rb").write_text(BESIDE)
    assert project_rules.is_read(str(project / "spec/spec_helper.rb"))
    assert glue.apply_rules() == {str(project / "spec/cats.steps.rb")}
    assert not glue.bind(step).definitions
