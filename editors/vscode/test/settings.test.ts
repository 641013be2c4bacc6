import assert from "node:assert/strict";
import { test } from "node:test";
import { type Inspected, asEnvironment, explicitSettings, serverKeys } from "../src/settings";

test("the extension's own settings are not the server's", () => {
  const contributed = ["cukereuse.server.path", "cukereuse.trace.server", "cukereuse.completion", "cukereuse.minCount", "editor.tabSize"];
  assert.deepEqual(serverKeys(contributed), ["minCount"]);
});

function sent(inspected: Record<string, Inspected>): Record<string, unknown> {
  return explicitSettings(Object.keys(inspected), (key) => inspected[key]);
}

test("a default is not sent: it would win over cukereuse.toml", () => {
  const inspected = { guards: { defaultValue: true } as Inspected, minCount: {} };
  assert.deepEqual(sent(inspected), {});
});

test("the nearest level wins, and false is a value", () => {
  const inspected = {
    guards: { globalValue: true, workspaceValue: false },
    minCount: { globalValue: 2, workspaceValue: 3, workspaceFolderValue: 4 },
    threshold: { globalValue: null },
    model: { globalValue: "" },
  };
  assert.deepEqual(sent(inspected), { guards: false, minCount: 4, model: "" });
});

test("tables add up over the levels", () => {
  const severity = {
    globalValue: { unread: "off", "divergent-wording": "hint" },
    workspaceValue: { "divergent-wording": "warning" },
  };
  assert.deepEqual(sent({ severity }), { severity: { unread: "off", "divergent-wording": "warning" } });
});

test("lists do not", () => {
  assert.deepEqual(sent({ ignore: { globalValue: ["a"], workspaceValue: ["b"] } }), { ignore: ["b"] });
});

test("settings as environment variables, the user's own variables first", () => {
  const settings = { minCount: 3, guards: false, ignore: ["[Aa] b"], severity: { unread: "off", x: "hint" }, strategy: "auto" };
  assert.deepEqual(asEnvironment(settings, { CUKEREUSE_STRATEGY: "exact" }), {
    CUKEREUSE_MIN_COUNT: "3",
    CUKEREUSE_GUARDS: "false",
    CUKEREUSE_IGNORE: '["[Aa] b"]',
    CUKEREUSE_SEVERITY: "unread=off,x=hint",
  });
});
