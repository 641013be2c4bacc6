import assert from "node:assert/strict";
import { test } from "node:test";
import { counted, utf16Offset } from "../src/text";

for (const [line, column, expected] of [
  ["  Given a", 3, 2],
  ["  🍵 tea", 4, 4],
  ["", 1, 0],
  ["ab", 9, 2],
  ["ab", 0, 0],
] as const) {
  test(`column ${column} of ${JSON.stringify(line)}`, () => assert.equal(utf16Offset(line, column), expected));
}

test("counts", () => assert.deepEqual([counted(1, "step"), counted(1234, "step")], ["1 step", "1,234 steps"]));
