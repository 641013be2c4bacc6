import assert from "node:assert/strict";
import { test } from "node:test";
import { type Surroundings, candidates } from "../src/server/candidates";

const NOWHERE: Omit<Surroundings, "isFile" | "exists"> = {
  setting: "",
  folders: ["/shop"],
  trusted: true,
  chosenPython: undefined,
  env: { PATH: "/usr/bin:/home/ann/bin" },
  home: "/home/ann",
  platform: "linux",
  own: "/storage/server",
};

async function found(files: readonly string[], around: Partial<Surroundings> = {}): Promise<string[]> {
  const isFile = (file: string): Promise<boolean> => Promise.resolve(files.includes(file));
  const all = { ...NOWHERE, isFile, exists: isFile, ...around };
  return (await candidates(all)).map((one) => `${one.origin} ${one.command}`);
}

const EVERYWHERE = ["/storage/server/bin/cukereuse", "/home/ann/bin/cukereuse", "/shop/.venv/bin/cukereuse"];

test("the workspace's environment, then PATH, then the extension's own", async () => {
  assert.deepEqual(await found(EVERYWHERE), [
    "workspace /shop/.venv/bin/cukereuse",
    "path /home/ann/bin/cukereuse",
    "own /storage/server/bin/cukereuse",
  ]);
});

test("nothing is found where nothing is", async () => assert.deepEqual(await found([]), []));

test("a setting stands alone", async () => {
  const opt = "/opt/c/bin/cukereuse";
  assert.deepEqual(await found([...EVERYWHERE, opt], { setting: opt }), [`setting ${opt}`]);
  assert.deepEqual(await found(EVERYWHERE, { setting: "/opt/c/bin/cukereuse" }), []);
});

for (const [setting, command] of [
  ["/opt/c", "/opt/c/bin/cukereuse"],
  ["/opt/c/bin", "/opt/c/bin/cukereuse"],
  ["~/c", "/home/ann/c/bin/cukereuse"],
  ["${workspaceFolder}/c", "/shop/c/bin/cukereuse"],
  ["./c", "/shop/c/bin/cukereuse"],
  [" /opt/c ", "/opt/c/bin/cukereuse"],
  ["cukereuse", "/home/ann/bin/cukereuse"],
  ["cukereuse-next", "/usr/bin/cukereuse-next"],
] as const) {
  test(`the setting ${JSON.stringify(setting)}`, async () => {
    assert.deepEqual(await found([command], { setting }), [`setting ${command}`]);
  });
}

test("what an untrusted workspace holds is not started", async () => {
  assert.deepEqual(await found(EVERYWHERE, { trusted: false }), [
    "path /home/ann/bin/cukereuse",
    "own /storage/server/bin/cukereuse",
  ]);
});

for (const chosenPython of ["/envs/shop/bin/python3", "/envs/shop"]) {
  test(`the environment that the Python extension chose comes first: ${chosenPython}`, async () => {
    const files = ["/envs/shop/bin/cukereuse", ...EVERYWHERE];
    assert.equal((await found(files, { chosenPython }))[0], "workspace /envs/shop/bin/cukereuse");
  });
}

test("an environment above the opened folder counts as far as the repository reaches, and never the home's", async () => {
  const environment = "/home/ann/src/shop/.venv/bin/cukereuse";
  const files = [environment, "/home/ann/src/.venv/bin/cukereuse", "/home/ann/.venv/bin/cukereuse"];
  const folders = ["/home/ann/src/shop/tests/features"];
  assert.deepEqual(await found(files, { folders }), []);
  assert.deepEqual(await found([...files, "/home/ann/src/shop/.git"], { folders }), [`workspace ${environment}`]);
  assert.deepEqual(await found([...files, "/home/ann/.git"], { folders }), []);
});

test("pipx and uv put commands where a desktop's PATH does not look", async () => {
  const command = "/home/ann/.local/bin/cukereuse";
  assert.deepEqual(await found([command]), [`user ${command}`]);
  const env = { UV_TOOL_BIN_DIR: "/tools" };
  assert.deepEqual(await found(["/tools/cukereuse"], { env }), ["user /tools/cukereuse"]);
});

test("one command found twice is one candidate", async () => {
  const env = { PATH: "/shop/.venv/bin:/shop/.venv/bin" };
  assert.deepEqual(await found(["/shop/.venv/bin/cukereuse"], { env }), ["workspace /shop/.venv/bin/cukereuse"]);
});

test("relative folders on PATH are no place to start programs from", async () => {
  assert.deepEqual(await found(["bin/cukereuse", "/shop/cukereuse"], { env: { PATH: "bin:.::" } }), []);
});

test("Windows: Scripts, .exe, Path", async () => {
  const around: Partial<Surroundings> = {
    platform: "win32",
    folders: ["C:\\shop"],
    own: "C:\\storage\\server",
    env: { Path: "C:\\bin;D:\\tools" },
  };
  const files = ["C:\\shop\\.venv\\Scripts\\cukereuse.exe", "D:\\tools\\cukereuse.exe"];
  assert.deepEqual(await found(files, around), [`workspace ${files[0]}`, `path ${files[1]}`]);
});
