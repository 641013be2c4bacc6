// Scenarios under a debugger: VS Code's own for JavaScript; where the debugger is another extension's, its name is told.

import assert from "node:assert/strict";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

const FEATURE = "features/lending.feature";
const CODE = "features/step_definitions/lending.js";
const PASSED = ".codicon-testing-passed-icon";

/** With the runner that `npm install` would bring, and a step definition that asks the debugger to stop. */
function change(folder) {
  symlinkSync(process.env.CUKEREUSE_NODE_MODULES, path.join(folder, "node_modules"));
  const code = path.join(folder, CODE);
  const text = readFileSync(code, "utf8");
  const stopping = text.replace('function (reader, count) {\n', 'function (reader, count) {\n  debugger;\n');
  assert.notEqual(stopping, text);
  writeFileSync(code, stopping);
}

export default {
  name: "debugging",
  options: { suite: "library-cucumber-js", change },
  left: process.env.CUKEREUSE_NODE_MODULES ? false : "CUKEREUSE_NODE_MODULES names no packages with Cucumber",
  steps: {
    "Debug stands beside Run, and stops where the code says so": async (window, page) => {
      await window.openFile(FEATURE);
      const lens = page.locator(".codelens-decoration a", { hasText: /^Debug$/u }).first();
      await lens.waitFor();
      await window.picture("debug-lens");
      await lens.click();
      await page.locator(".debug-toolbar").waitFor();
      await page.locator(".tab.active", { hasText: "lending.js" }).waitFor();
      await page.locator(".debug-top-stack-frame-line").first().waitFor();
      await window.picture("debug-stopped");
    },
    "it goes on, and the debug console says what the runner says": async (window, page) => {
      await page.keyboard.press("F5");
      await page.locator(".debug-toolbar").waitFor({ state: "hidden" });
      await page.locator(".repl .monaco-list-row", { hasText: "1 scenario (1 passed)" }).waitFor();
      await window.picture("debug-passed");
    },
    "the Testing view lists the scenarios, and runs one": async (window, page) => {
      await window.command("Testing: Focus on Test Explorer View");
      const row = (text) => page.locator(".test-explorer .monaco-list-row", { hasText: text }).first();
      await row("lending.feature").click();
      await page.keyboard.press("ArrowRight");
      // the debugger of JavaScript does not tell how a program ended
      await row("Taking a book home").locator(".codicon-testing-skipped-icon").waitFor();
      const scenario = row("Bringing it back");
      await scenario.hover();
      await scenario.locator(".codicon-testing-run-icon").click();
      await scenario.locator(PASSED).waitFor();
      await window.picture("testing-view");
    },
  },
};
