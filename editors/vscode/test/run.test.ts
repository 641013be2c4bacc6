import assert from "node:assert/strict";
import { test } from "node:test";
import { run } from "../src/server/run";

const node = (code: string, options = {}) => run(process.execPath, ["-e", code], options);

test("exit code and both streams", async () => {
  const ran = await node("console.log('out'); console.error('err'); process.exitCode = 3");
  assert.deepEqual(ran, { code: 3, stdout: "out\n", stderr: "err\n" });
});

test("a program that is not there", async () => {
  const ran = await run("/nowhere/cukereuse", ["--version"]);
  assert.equal(ran.code, -1);
  assert.match(ran.stderr, /ENOENT/u);
});

test("a program that never ends is stopped", async () => {
  const ran = await node("setInterval(() => 0, 1000)", { timeoutMs: 300 });
  assert.equal(ran.code, -1);
  assert.match(ran.stderr, /no answer within 0.3 seconds/u);
});

test("a program can be stopped", async () => {
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 200);
  const ran = await node("setInterval(() => 0, 1000)", { signal: stop.signal });
  assert.equal(ran.code, -1);
});

test("lines come whole, as they are written", async () => {
  const lines: string[] = [];
  const code = "process.stdout.write('a'); setTimeout(() => process.stdout.write('b\\nc\\n'), 50)";
  await node(code, { onLine: (line: string) => lines.push(line) });
  assert.deepEqual(lines, ["ab", "c"]);
});
