import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import * as os from "node:os";
import * as path from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { InstallError, type InstallRequest, install, usualPythons } from "../src/server/install";
import { type Ran, type Run, run as runReally } from "../src/server/run";

let root = "";
let asked: string[] = [];

beforeEach(async () => {
  root = await fs.mkdtemp(path.join(os.tmpdir(), "install-"));
  asked = [];
});
afterEach(() => fs.rm(root, { recursive: true }));

/** A machine on which programs answer as `answers` says; the first key that a command line contains counts. */
function machine(answers: Record<string, Partial<Ran>> = {}): Run {
  const usual: Record<string, Partial<Ran>> = {
    "version_info": { stdout: "3.12\n" },
  };
  return async (command, args) => {
    const line = [command.replace(root, ""), ...args].join(" ").replaceAll(root, "");
    asked.push(line);
    const table = { ...answers, ...usual, ...answers };
    const key = Object.keys(table).find((part) => line.includes(part));
    const ran = { code: 0, stdout: "", stderr: "", ...(key ? table[key] : {}) };
    if (line.includes("-m venv")) await fs.mkdir(path.join(root, "server"), { recursive: true });
    return ran;
  };
}

function request(run: Run, more: Partial<InstallRequest> = {}): InstallRequest {
  return {
    folder: path.join(root, "server"),
    wheel: "/w/cukereuse.whl",
    pythons: [["python3"]],
    platform: "linux",
    run,
    report: () => undefined,
    log: () => undefined,
    ...more,
  };
}

async function refusal(run: Run, more: Partial<InstallRequest> = {}): Promise<string> {
  try {
    await install(request(run, more));
  } catch (error) {
    assert.ok(error instanceof InstallError, String(error));
    await assert.rejects(fs.access(path.join(root, "server")), "what was begun must be removed");
    return error.message;
  }
  return assert.fail("the installation succeeded");
}

test("the wheel with what it needs, then beside the running server what a compiler makes", async () => {
  const rest = await install(request(machine()));
  const pips = (): string[] =>
    asked.filter((line) => line.includes("-m pip")).map((line) => line.replace(/^.*install --no-compile /u, ""));
  assert.match(pips()[0]!, /--prefer-binary .* \/w\/cukereuse\.whl$/u);
  assert.equal(pips().length, 1, "the server serves before anything is compiled");
  await rest();
  assert.deepEqual(pips().slice(1), ["/w/cukereuse.whl[hnsw]"]);
});

test("without a compiler the rest stands", async () => {
  const lines: string[] = [];
  const run = machine({ "[hnsw]": { code: 1, stderr: "error: command 'g++' failed" } });
  await (await install(request(run, { log: (line) => lines.push(line) })))();
  assert.match(lines.at(-1)!, /usearch is used instead/u);
});

for (const [what, answers, expected] of [
  ["no Python", { version_info: { code: -1 } }, /needs Python 3.11 or newer; none was found/u],
  ["an old Python", { version_info: { stdout: "3.9\n" } }, /the newest found here is 3.9/u],
  ["Debian without venv", { "-m venv": { code: 1, stdout: "ensurepip is not available" } }, /install the package python3-venv/u],
  ["no network", { "--prefer-binary": { code: 1, stderr: "NewConnectionError(…)" } }, /package index can't be reached/u],
  ["a full disk", { "--prefer-binary": { code: 1, stderr: "[Errno 28] No space left on device" } }, /disk is full/u],
  ["anything else", { "--prefer-binary": { code: 1, stderr: "x\nERROR: No matching distribution" } }, /pip failed: ERROR: No matching/u],
] as [string, Record<string, Partial<Ran>>, RegExp][]) {
  test(`${what}: says what to do`, async () => assert.match(await refusal(machine(answers)), expected));
}

test("a folder that can't be written to: says what to do", async () => {
  await fs.writeFile(path.join(root, "a file"), "");
  const folder = path.join(root, "a file", "storage", "server");
  assert.match(await refusal(machine(), { folder }), /can't be written to \(ENOTDIR\).*cukereuse\.server\.path/u);
});

test("a real pip without a network: says what to do", { timeout: 120_000 }, async () => {
  const unreachable = {
    PIP_CONFIG_FILE: os.devNull,
    PIP_FIND_LINKS: "",
    PIP_INDEX_URL: "http://127.0.0.1:9/simple",
    PIP_RETRIES: "1",
  };
  const offline: Run = (command, args, options) =>
    runReally(command, args, { ...options, env: { ...options?.env, ...unreachable } });
  const pythons = usualPythons(process.platform);
  assert.match(await refusal(offline, { pythons, platform: process.platform, wheel: "cukereuse" }), /package index can't be reached/u);
});

test("the second Python serves where the first is too old", async () => {
  const run: Run = (command, args) =>
    command === "old" ? Promise.resolve({ code: 0, stdout: "3.8\n", stderr: "" }) : machine()(command, args);
  await install(request(run, { pythons: [["old"], ["py", "-3"]] }));
  assert.ok(asked.some((line) => line.startsWith("py -3 -m venv")));
});

test("a cancelled installation says so", async () => {
  const stop = new AbortController();
  const run = machine({ "--prefer-binary": { code: -1, stderr: "stopped" } });
  stop.abort();
  assert.match(await refusal(run, { signal: stop.signal }), /cancelled/u);
});

test("usual Pythons, the chosen one first", () => {
  assert.deepEqual(usualPythons("win32", "C:\\p\\python.exe")[0], ["C:\\p\\python.exe"]);
  assert.deepEqual(usualPythons("win32")[0], ["py", "-3"]);
  assert.deepEqual(usualPythons("linux")[0], ["python3"]);
});
