import assert from "node:assert/strict";
import { test } from "node:test";
import { type Surroundings, candidates } from "../src/server/candidates";

const NOWHERE: Omit<Surroundings, "isFile"> = {
  setting: "",
  folders: ["/shop"],
  trusted: true,
  chosenPython: undefined,
  env: { PATH: "/usr/bin:/home/ann/bin" },
  home: "/home/ann",
  platform: "linux",
  own: "/storage/server",
};

function found(files: readonly string[], around: Partial<Surroundings> = {}): string[] {
  const all = { ...NOWHERE, isFile: (file: string) => files.includes(file), ...around };
  return candidates(all).map((one) => `${one.origin} ${one.command}`);
}

const EVERYWHERE = ["/storage/server/bin/cukereuse", "/home/ann/bin/cukereuse", "/shop/.venv/bin/cukereuse"];

test("the workspace's environment, then PATH, then the extension's own", () => {
  assert.deepEqual(found(EVERYWHERE), [
    "workspace /shop/.venv/bin/cukereuse",
    "path /home/ann/bin/cukereuse",
    "own /storage/server/bin/cukereuse",
  ]);
});

test("nothing is found where nothing is", () => assert.deepEqual(found([]), []));

test("a setting stands alone", () => {
  const opt = "/opt/c/bin/cukereuse";
  assert.deepEqual(found([...EVERYWHERE, opt], { setting: opt }), [`setting ${opt}`]);
  assert.deepEqual(found(EVERYWHERE, { setting: "/opt/c/bin/cukereuse" }), []);
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
  test(`the setting ${JSON.stringify(setting)}`, () => {
    assert.deepEqual(found([command], { setting }), [`setting ${command}`]);
  });
}

test("what an untrusted workspace holds is not started", () => {
  assert.deepEqual(found(EVERYWHERE, { trusted: false }), [
    "path /home/ann/bin/cukereuse",
    "own /storage/server/bin/cukereuse",
  ]);
});

for (const chosenPython of ["/envs/shop/bin/python3", "/envs/shop"]) {
  test(`the environment that the Python extension chose comes first: ${chosenPython}`, () => {
    const files = ["/envs/shop/bin/cukereuse", ...EVERYWHERE];
    assert.equal(found(files, { chosenPython })[0], "workspace /envs/shop/bin/cukereuse");
  });
}

test("one command found twice is one candidate", () => {
  const env = { PATH: "/shop/.venv/bin:/shop/.venv/bin" };
  assert.deepEqual(found(["/shop/.venv/bin/cukereuse"], { env }), ["workspace /shop/.venv/bin/cukereuse"]);
});

test("relative folders on PATH are no place to start programs from", () => {
  assert.deepEqual(found(["bin/cukereuse", "/shop/cukereuse"], { env: { PATH: "bin:.::" } }), []);
});

test("Windows: Scripts, .exe, Path", () => {
  const around: Partial<Surroundings> = {
    platform: "win32",
    folders: ["C:\\shop"],
    own: "C:\\storage\\server",
    env: { Path: "C:\\bin;D:\\tools" },
  };
  const files = ["C:\\shop\\.venv\\Scripts\\cukereuse.exe", "D:\\tools\\cukereuse.exe"];
  assert.deepEqual(found(files, around), [`workspace ${files[0]}`, `path ${files[1]}`]);
});
