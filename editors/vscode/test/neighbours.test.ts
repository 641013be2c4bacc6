import assert from "node:assert/strict";
import { test } from "node:test";
import { type Switch, isOn } from "../src/neighbours";

for (const [setting, other, expected] of [
  ["auto", false, true],
  ["auto", true, false],
  [undefined, true, false],
  ["on", true, true],
  ["off", false, false],
] as [Switch | undefined, boolean, boolean][]) {
  test(`${setting} ${other ? "beside" : "without"} another extension: ${expected ? "on" : "off"}`, () => {
    assert.equal(isOn(setting, other), expected);
  });
}
