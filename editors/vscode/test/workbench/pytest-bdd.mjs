// Scenarios of pytest-bdd in the Testing view: they are functions there, known by their titles.

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

const FEATURE = `Feature: Counting

  Scenario: Adding two numbers
    Given the number 1

  Scenario: Adding up to something else
    Given the number 2
`;
const CODE = `from pytest_bdd import given, parsers, scenarios

scenarios("counting.feature")


@given(parsers.parse("the number {n:d}"))
def check(n):
    assert n == 1
`;

/** With the runner of the Python that the tests run with, as the folder's environment would have it. */
function change(folder) {
  for (const name of ["features", "behave.ini"]) rmSync(path.join(folder, name), { recursive: true, force: true });
  writeFileSync(path.join(folder, "counting.feature"), FEATURE);
  writeFileSync(path.join(folder, "test_counting.py"), CODE);
  const bin = path.join(folder, ".venv/bin");
  mkdirSync(bin, { recursive: true });
  const python = path.join(path.dirname(process.env.CUKEREUSE_COMMAND), "python");
  writeFileSync(path.join(bin, "pytest"), `#!/bin/sh\nexec '${python}' -m pytest "$@"\n`, { mode: 0o755 });
}

export default {
  name: "pytest-bdd",
  options: { change },
  steps: {
    "pytest-bdd: the Testing view lists the scenarios and says how each ended": async (window, page) => {
      await window.openFile("counting.feature");
      await page.locator(".codelens-decoration a", { hasText: /^Run$/u }).first().waitFor();
      await window.command("Testing: Focus on Test Explorer View");
      const row = (text) => page.locator(".test-explorer .monaco-list-row", { hasText: text }).first();
      await row("counting.feature").click();
      await page.keyboard.press("ArrowRight");
      for (const [name, icon] of [["Adding two numbers", "passed"], ["Adding up to something else", "failed"]]) {
        const scenario = row(name);
        await scenario.hover();
        await scenario.locator(".codicon-testing-run-icon").click();
        await scenario.locator(`.codicon-testing-${icon}-icon`).waitFor();
      }
      await window.picture("pytest-bdd");
    },
  },
};
