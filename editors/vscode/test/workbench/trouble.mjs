// Servers that do not serve: each is told of with what to do, and the next one is taken without a restart.

import assert from "node:assert/strict";
import { cpSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

const steps = {};

for (const [name, script, told] of [
  ["an old version", "echo cukereuse 0.0.9", /is version 0\.0\.9, too old for this extension .*pip install -U cukereuse/u],
  ["a newer version", "echo cukereuse 9.0.0", /is version 9\.0\.0, too new for this extension .*Update the extension/u],
  ["a broken one", "echo ImportError: no click >&2; exit 1", /can.t be started: ImportError: no click.*Reinstall/u],
  ["one that ends at once", `[ "$1" = --version ] && exec '${process.env.CUKEREUSE_COMMAND}' "$@"`, /could not be started\. See the log for the reason/u],
]) {
  steps[`${name} is named`] = async (window) => {
    const command = window.write(`bin/${name}/cukereuse`, `#!/bin/sh\n${script}\n`, 0o755);
    window.settings({ "cukereuse.server.path": command });
    await window.notification(told).waitFor();
    await window.picture(name);
  };
}

steps["a setting that names nothing is named, and its button leads there"] = async (window, page) => {
  window.settings({ "cukereuse.server.path": "nowhere/cukereuse" });
  const notification = window.notification(/cukereuse\.server\.path names .*nowhere\/cukereuse, but there is no/u);
  await notification.getByRole("button", { name: "Open Setting" }).click();
  await page.locator(".settings-editor .setting-item-label", { hasText: "Path" }).first().waitFor();
};

steps["a server whose caches are broken serves all the same"] = async (window, page, workbench) => {
  const cache = path.join(window.folder, "cache");
  cpSync(workbench.cache, cache, { recursive: true });
  for (const file of readdirSync(cache, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())) {
    writeFileSync(path.join(file.path, file.name), "broken");
  }
  const script = `#!/bin/sh\nCUKEREUSE_CACHE_DIR='${cache}' exec '${process.env.CUKEREUSE_COMMAND}' "$@"\n`;
  window.settings({ "cukereuse.server.path": window.write("bin/good/cukereuse", script, 0o755) });
  await window.openFile("features/checkout.feature");
  await page.locator(".squiggly-warning, .squiggly-info").first().waitFor();
};

steps["files that look like environments keep no server from being found"] = async (window, page) => {
  window.write(".env", "TOKEN=1\n");
  symlinkSync(path.join(window.folder, "env"), path.join(window.folder, "env"));
  window.settings({ "cukereuse.server.path": "" });
  await window.command("Cukereuse: Restart Server");
  await window.notification(/not installed in this workspace/u).waitFor();
  await window.picture("odd files");
  assert.doesNotMatch(window.log(), /ENOTDIR|ELOOP/u);
  await page.locator(".statusbar-item", { hasText: /installing|starting/u }).waitFor({ state: "detached" });
};

export default { name: "trouble with the server", options: { server: "" }, steps };
