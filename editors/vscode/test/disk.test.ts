import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import * as fs from "node:fs/promises";
import * as os from "node:os";
import * as path from "node:path";
import { after, before, test } from "node:test";
import { candidates } from "../src/server/candidates";
import { choose } from "../src/server/choose";
import { exists, isFile } from "../src/server/disk";
import { run } from "../src/server/run";

let root = "";
before(async () => {
  root = await fs.mkdtemp(path.join(os.tmpdir(), "disk-"));
});
after(() => fs.rm(root, { recursive: true }));

/** What may stand where a Python environment is looked for; each makes it in a folder. */
const ODD: Record<string, (folder: string) => Promise<unknown>> = {
  "a file .env": (folder) => fs.writeFile(path.join(folder, ".env"), "TOKEN=1\n"),
  "a link to itself": (folder) => fs.symlink(path.join(folder, ".venv"), path.join(folder, ".venv")),
  "a link to nowhere": (folder) => fs.symlink("/nowhere/at/all", path.join(folder, ".venv")),
  "a socket": (folder) => socket(path.join(folder, "env")),
  "a pipe": async (folder) => execFileSync("mkfifo", [path.join(folder, "venv")]),
  "a folder without rights": async (folder) => {
    await fs.mkdir(path.join(folder, ".venv"));
    await fs.chmod(path.join(folder, ".venv"), 0);
  },
  "a folder in place of the command": (folder) =>
    fs.mkdir(path.join(folder, ".venv/bin/cukereuse"), { recursive: true }),
  "a file in place of bin": async (folder) => {
    await fs.mkdir(path.join(folder, ".venv"));
    await fs.writeFile(path.join(folder, ".venv/bin"), "");
  },
};

for (const [what, make] of Object.entries(ODD)) {
  test(`${what} is no server, and keeps no other from being found`, { skip: process.platform === "win32" }, async () => {
    const folder = path.join(root, what);
    const tools = path.join(folder, "tools");
    await fs.mkdir(tools, { recursive: true });
    await make(folder);
    const command = path.join(tools, "cukereuse");
    await fs.writeFile(command, "#!/bin/sh\necho cukereuse 0.1.0\n", { mode: 0o755 });
    const found = await candidates({
      setting: "",
      folders: [folder],
      trusted: true,
      chosenPython: undefined,
      env: { PATH: tools },
      home: path.join(root, "home"),
      platform: process.platform,
      own: path.join(folder, ".env/own"),
      isFile,
      exists,
    });
    assert.deepEqual(found, [{ origin: "path", command }]);
  });
}

test("a command that no program is gives way to the next, and says why", async () => {
  const bad = path.join(root, "bad");
  await fs.writeFile(bad, "\u007fELF no program", { mode: 0o755 });
  const plain = path.join(root, "plain");
  await fs.writeFile(plain, "text", { mode: 0o644 });
  const good = path.join(root, "good");
  await fs.writeFile(good, "#!/bin/sh\necho cukereuse 0.1.0\n", { mode: 0o755 });
  const all = [bad, plain, path.join(good, "below a file"), good];
  const found = all.map((command) => ({ origin: "path" as const, command }));
  const { chosen, refused } = await choose(found, { major: 0, minor: 1, patch: 0 }, run);
  assert.equal(chosen?.command, good);
  assert.deepEqual(refused.map((one) => one.problem), ["broken", "broken", "broken"]);
  for (const one of refused) assert.notEqual(one.said, "");
});

async function socket(place: string): Promise<void> {
  const { createServer } = await import("node:net");
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(place, resolve));
  server.unref();
}
