"""Behat and godog on small suites, before and after renames: the same functions run, with the same arguments.

No package registry of this project's tests has them. `CUKEREUSE_BEHAT` names Behat's program; `CUKEREUSE_GODOG` names a
GOPATH with godog.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from cukereuse_engine.cli.main import run

Run = Callable[[Path], list[list[str]]]
FEATURE = """Feature: shop
  Background:
    Given the shop is open

  Scenario: one
    When I put 3 "green teas" into the basket
    Then the basket holds 3 things
      | kind |
      | tea  |

  Scenario Outline: many
    When I put <count> "<what>" into the basket
    Then I see page 404
    And I pay <count>/5 (net)

    Examples:
      | count | what      |
      | 1     | it's mint |
      | 2     | black tea |
"""
PHP = r"""<?php
use Behat\Behat\Context\Context;

class FeatureContext implements Context
{
    private function say(...$arguments)
    {
        file_put_contents('said.jsonl', json_encode(array_map('strval', $arguments)) . "\n", FILE_APPEND);
    }

    /** @Given the shop is open */
    public function open() { $this->say('open'); }

    /** @When I put :count :what into the basket */
    public function put($what, $count) { $this->say('put', $count, $what); }

    /** @Then /^the basket holds (\d+) things?$/ */
    public function holds($count, $table) { $this->say('holds', $count, count($table->getHash())); }

    /** @Then I see page 404 */
    public function missing() { $this->say('missing'); }

    /** @Then /^I pay (\d+)\/5 \(net\)$/ */
    public function pay($net) { $this->say('pay', $net); }
}
"""
GO = r"""package shop

import (
	"encoding/json"
	"os"
	"strconv"
	"testing"

	"github.com/cucumber/godog"
)

func say(arguments ...string) error {
	line, _ := json.Marshal(arguments)
	file, _ := os.OpenFile("said.jsonl", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	defer file.Close()
	_, err := file.Write(append(line, '\n'))
	return err
}

func open() error { return say("open") }
func put(count int, what string) error { return say("put", strconv.Itoa(count), what) }
func holds(count int, table *godog.Table) error {
	return say("holds", strconv.Itoa(count), strconv.Itoa(len(table.Rows)-1))
}
func missing() error { return say("missing") }
func pay(net int) error { return say("pay", strconv.Itoa(net)) }

func InitializeScenario(ctx *godog.ScenarioContext) {
	ctx.Step(`^the shop is open$`, open)
	ctx.When(`^I put (\d+) "([^"]*)" into the basket$`, put)
	ctx.Then("^the basket holds (\\d+) things?$", holds)
	ctx.Step("^I see page 404$", missing)
	ctx.Step(`^I pay (\d+)/5 \(net\)$`, pay)
}

func TestFeatures(t *testing.T) {
	options := &godog.Options{Format: "progress", Paths: []string{"features"}, Strict: true}
	if (godog.TestSuite{ScenarioInitializer: InitializeScenario, Options: options}).Run() != 0 {
		t.Fatal("some step is undefined or fails")
	}
}
"""
RENAMES = (
    ("the shop is open", "the shop's doors [1-2] are open + lit?"),
    ('I put 3 "green teas" into the basket', "{1} of {2} go gladly into the [big] basket"),
    ("I see page 404", "I see the page that isn't there"),
    ("I pay 1/5 (net)", "I owe {1} of $5 (net/gross) {{now}}"),
)


def behat(suite: Path) -> list[list[str]]:
    program = os.environ.get("CUKEREUSE_BEHAT")
    if not program or shutil.which("php") is None:
        pytest.skip("Behat is not at hand; set CUKEREUSE_BEHAT to its program")
    return said(suite, ["php", program, "--strict", "--no-colors"], {})


def godog(suite: Path) -> list[list[str]]:
    gopath = os.environ.get("CUKEREUSE_GODOG")
    if not gopath or shutil.which("go") is None:
        pytest.skip("godog is not at hand; set CUKEREUSE_GODOG to a GOPATH that holds it")
    return said(suite, ["go", "test", "-count=1", "."], {"GOPATH": gopath, "GO111MODULE": "off", "GOFLAGS": ""})


def said(suite: Path, command: list[str], environment: Mapping[str, str]) -> list[list[str]]:
    """The functions that ran, with their arguments."""
    (suite / "said.jsonl").unlink(missing_ok=True)
    done = subprocess.run(
        command, cwd=suite, capture_output=True, text=True, check=False, timeout=500, env=os.environ | environment
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return [json.loads(line) for line in (suite / "said.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.runner
@pytest.mark.elsewhere
@pytest.mark.heavy
@pytest.mark.parametrize(
    ("runner", "files"),
    [
        (behat, {"features/bootstrap/FeatureContext.php": PHP}),
        (godog, {"shop_test.go": GO}),
    ],
)
def test_the_same_functions_run(runner: Run, files: Mapping[str, str], tmp_path: Path) -> None:
    for name, text in {**files, "features/shop.feature": FEATURE}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    before = runner(tmp_path)
    assert ["put", "2", "black tea"] in before
    for source, target in RENAMES:
        feature = (tmp_path / "features/shop.feature").read_text("utf-8")
        assert run(["rename", str(tmp_path), "--from", source, "--to", target, "--write"]) == 0, source
        assert (tmp_path / "features/shop.feature").read_text("utf-8") != feature
        assert runner(tmp_path) == before, target
    for _ in RENAMES:
        assert run(["rename", str(tmp_path), "--undo"]) == 0
    assert (tmp_path / "features/shop.feature").read_text("utf-8") == FEATURE
    assert all((tmp_path / name).read_text("utf-8") == text for name, text in files.items())
