import assert from "node:assert/strict";
import { test } from "node:test";
import { tail } from "../src/server/outcome";

for (const [stdout, stderr, expected] of [
  ["", "", "there was no output"],
  ["1 failed\n\n", "", "1 failed"],
  ["step ... failed\nAssertionError: 1 is not 2\n1 failed\n", "", "AssertionError: 1 is not 2\n\nstep ... failed\nAssertionError: 1 is not 2\n1 failed"],
  ["raise ValueError\n>   assert n == 1\nE   assert 2 == 1\n", "", "assert 2 == 1\n\nraise ValueError\n>   assert n == 1\nE   assert 2 == 1"],
  ["Then it is paid # shop.py:75\n  ASSERT FAILED:\n1 failed", "", "Then it is paid # shop.py:75\n\nThen it is paid # shop.py:75\n  ASSERT FAILED:\n1 failed"],
  ["\u001b[31mred\u001b[0m", "why\n", "red\nwhy"],
  [Array.from({ length: 90 }, (_, line) => `${line}`).join("\n"), "", Array.from({ length: 29 }, (_, line) => `${line + 61}`).join("\n")],
] as const) {
  test(`the last lines of ${JSON.stringify(stdout).slice(0, 20)}`, () => assert.equal(tail({ stdout, stderr }), expected));
}
