// Scenarios of behave and pytest-bdd under debugpy, which a stand-in for the extension Python Debugger starts.

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { packageOf } from "./workbench.mjs";

const STAND_IN = fileURLToPath(new URL("stand-in-debugpy", import.meta.url));
const PYTHON = path.join(path.dirname(process.env.CUKEREUSE_COMMAND), "python");

/** Whether the Python that the tests run with has debugpy. */
function hasDebugpy() {
  try {
    execFileSync(PYTHON, ["-c", "import debugpy"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** A story of a suite whose environment has `runner`, and stops in the file `code`, below `line`. */
function story(runner, { suite, feature, code, line }) {
  const change = (folder) => {
    const bin = path.join(folder, ".venv/bin");
    mkdirSync(bin, { recursive: true });
    writeFileSync(path.join(bin, runner), `#!/bin/sh\nexec '${PYTHON}' -m ${runner} "$@"\n`, { mode: 0o755 });
    writeFileSync(path.join(bin, "python"), `#!/bin/sh\nexec '${PYTHON}' "$@"\n`, { mode: 0o755 });
    const file = path.join(folder, code);
    writeFileSync(file, readFileSync(file, "utf8").replace(line, `${line}\n    breakpoint()`));
  };
  return {
    name: `debugging with ${runner}`,
    options: { suite, change },
    left: hasDebugpy() ? false : "the Python of cukereuse has no debugpy",
    prepare: (workbench) => workbench.add(packageOf(STAND_IN)),
    steps: {
      [`${runner}: Debug stops where the code says so, and the Testing view knows how it ended`]: async (window, page) => {
        await window.openFile(feature);
        await page.keyboard.press("Control+Home");
        await page.locator(".codelens-decoration a", { hasText: /^Debug$/u }).first().click();
        await page.locator(".debug-toolbar").waitFor();
        await page.locator(".tab.active", { hasText: path.basename(code) }).waitFor();
        await page.locator(".debug-top-stack-frame-line").first().waitFor();
        await window.picture(`debugpy ${runner}`);
        await page.keyboard.press("F5");
        await page.locator(".debug-toolbar").waitFor({ state: "hidden" });
        await window.openFile(feature);
        await page.locator(".codicon-testing-passed-icon").first().waitFor();
        await window.picture(`debugpy ${runner} passed`);
      },
    },
  };
}

export default [
  story("behave", {
    suite: "webshop",
    feature: "features/checkout.feature",
    code: "features/steps/shop.py",
    line: "def open_shop(context):",
  }),
  story("pytest", {
    suite: "library-pytest-bdd",
    feature: "features/lending.feature",
    code: "test_lending.py",
    line: "def owns(library, count, book):",
  }),
];
