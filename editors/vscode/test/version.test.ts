import assert from "node:assert/strict";
import { test } from "node:test";
import { fit, parseVersion, versionText } from "../src/server/version";

for (const [text, expected] of [
  ["cukereuse 0.1.0\n", "0.1.0"],
  ["cukereuse, version 12.3.4", "12.3.4"],
  ["1.2.0rc1", "1.2.0"],
  ["2.0", "2.0.0"],
  ["cukereuse 0.1.0.dev3+gabc", "0.1.0"],
  ["no such option: --version", undefined],
  ["v1.2.3.4", undefined],
  ["", undefined],
] as const) {
  test(`the version in ${JSON.stringify(text)}`, () => {
    const version = parseVersion(text);
    assert.equal(version && versionText(version), expected);
  });
}

for (const [server, extension, expected] of [
  ["0.1.0", "0.1.0", "fits"],
  ["0.1.9", "0.1.0", "fits"],
  ["0.1.0", "0.2.0", "older"],
  ["0.3.0", "0.2.0", "newer"],
  ["0.9.0", "1.0.0", "older"],
  ["1.0.0", "1.7.3", "fits"],
  ["2.0.0", "1.9.0", "newer"],
] as const) {
  test(`server ${server} with extension ${extension}: ${expected}`, () => {
    assert.equal(fit(parseVersion(server)!, parseVersion(extension)!), expected);
  });
}
