// A folder that its user does not trust: nothing of it is started.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import path from "node:path";

/** Leaves a trace beside it, and serves. */
const TRAP = `#!/bin/sh
touch "$0.was-started"
exec '${process.env.CUKEREUSE_COMMAND}' "$@"
`;

const wasStarted = (window) => existsSync(path.join(window.folder, ".venv/bin/cukereuse.was-started"));

export default {
  name: "an untrusted folder",
  options: { server: TRAP, trusted: false },
  steps: {
    "its own server is not started, and the user is told why": async (window) => {
      await window.openFile("features/checkout.feature");
      await window.notification(/is started only when you trust the folder/u).waitFor();
      await window.picture("untrusted");
      assert.ok(!wasStarted(window));
    },
    "trusting the folder starts it": async (window, page) => {
      await window.notification(/trust the folder/u).getByRole("button", { name: "Manage Trust" }).click();
      await page.locator(".workspace-trust-editor").getByRole("button", { name: "Trust", exact: true }).click();
      await page.locator(".tab", { hasText: "checkout.feature" }).click();
      await page.locator(".squiggly-warning, .squiggly-info").first().waitFor();
      assert.ok(wasStarted(window));
    },
  },
};
