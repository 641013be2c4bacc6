import assert from "node:assert/strict";
import { test } from "node:test";
import { forWebview, placeOf } from "../src/report/page";

const PAGE =
  `<head><meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-abc='; ` +
  `style-src 'sha256-def='"></head><body>$& </head></body>`;

test("the policy gains the nonce and nothing else, and the script that carries it", () => {
  const page = forWebview(PAGE, "f00");
  assert.match(page, /default-src 'none'; script-src 'nonce-f00' 'sha256-abc='; style-src 'sha256-def='"/u);
  assert.equal(page.match(/<script nonce="f00">/gu)?.length, 1);
  assert.ok(page.indexOf("<script") < page.indexOf("<body>"));
  assert.ok(page.includes("<body>$& </head></body>"), "the report's own text is untouched");
});

test("a page without a policy is no report", () => {
  assert.throws(() => forWebview("<html><head></head></html>", "f00"), /no content security policy/u);
});

for (const [href, expected] of [
  ["cukereuse-step:/shop/a.feature?3:5", { path: "/shop/a.feature", line: 3, column: 5 }],
  ["cukereuse-step:/a%23b/100%25/%C3%BC%3F.feature?12:1", { path: "/a#b/100%/ü?.feature", line: 12, column: 1 }],
  ["cukereuse-step:/C%3A/shop/a.feature?1:1", { path: "C:/shop/a.feature", line: 1, column: 1 }],
  ["cukereuse-step:C%3A/shop/a.feature?1:1", { path: "C:/shop/a.feature", line: 1, column: 1 }],
  ["cukereuse-step:/broken%ZZ?1:1", undefined],
  ["cukereuse-step:/a.feature", undefined],
  ["https://shop.example/a.feature?1:1", undefined],
  ["command:workbench.action.quit", undefined],
  [7, undefined],
  [undefined, undefined],
] as const) {
  test(`the place of ${String(href)}`, () => assert.deepEqual(placeOf(href), expected));
}
