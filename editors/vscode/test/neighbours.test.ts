import assert from "node:assert/strict";
import { test } from "node:test";
import { type Feature, type Switch, isOn } from "../src/neighbours";

const OFFICIAL = "CucumberOpen.cucumber-official";
const AUTOCOMPLETE = "alexkrechik.cucumberautocomplete";

for (const [feature, setting, other, expected] of [
  ["completion", "auto", "", true],
  ["completion", "auto", OFFICIAL, false],
  ["definition", undefined, AUTOCOMPLETE, false],
  ["definition", "on", OFFICIAL, true],
  ["definition", "off", "", false],
  ["symbols", undefined, OFFICIAL, false],
  ["symbols", undefined, AUTOCOMPLETE, true],
] as [Feature, Switch | undefined, string, boolean][]) {
  test(`${feature}, ${setting}, beside ${other || "none"}: ${expected ? "on" : "off"}`, () => {
    assert.equal(isOn(feature, setting, (id) => id === other), expected);
  });
}
