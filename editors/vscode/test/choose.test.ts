import assert from "node:assert/strict";
import { test } from "node:test";
import type { Candidate } from "../src/server/candidates";
import { choose } from "../src/server/choose";
import type { Ran, Run } from "../src/server/run";

const EXTENSION = { major: 0, minor: 2, patch: 0 };
const OLD: Candidate = { origin: "workspace", command: "/old" };
const GOOD: Candidate = { origin: "path", command: "/good" };
const NEW: Candidate = { origin: "own", command: "/new" };
const BROKEN: Candidate = { origin: "workspace", command: "/broken" };

const ANSWERS: Record<string, Partial<Ran>> = {
  "/old": { stdout: "cukereuse 0.1.0" },
  "/good": { stdout: "cukereuse 0.2.3\n" },
  "/new": { stdout: "cukereuse 0.3.0\n" },
  "/broken": { code: 1, stderr: "Traceback …\nModuleNotFoundError: No module named 'click'\n" },
};

const asked: string[] = [];
const run: Run = (command, args) => {
  asked.push([command, ...args].join(" "));
  return Promise.resolve({ code: 0, stdout: "", stderr: "", ...ANSWERS[command] });
};

test("the first that fits serves, and none after it is asked", async () => {
  asked.length = 0;
  const { chosen, refused } = await choose([OLD, GOOD, NEW], EXTENSION, run);
  assert.equal(chosen?.command, "/good");
  assert.deepEqual(refused.map((one) => [one.command, one.problem]), [["/old", "older"]]);
  assert.deepEqual(asked, ["/old --version", "/good --version"]);
});

test("where none fits, each is told with its problem", async () => {
  const { chosen, refused } = await choose([BROKEN, OLD, NEW], EXTENSION, run);
  assert.equal(chosen, undefined);
  assert.deepEqual(refused.map((one) => one.problem), ["broken", "older", "newer"]);
  assert.equal(refused[0]?.said, "ModuleNotFoundError: No module named 'click'");
});

test("a command that says nothing is broken", async () => {
  const { refused } = await choose([{ origin: "path", command: "/silent" }], EXTENSION, run);
  assert.deepEqual([refused[0]?.problem, refused[0]?.said], ["broken", ""]);
});
