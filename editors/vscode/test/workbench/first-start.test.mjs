// The first start on a machine that has Python and the .vsix, and nothing else of cukereuse.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Workbench } from "./workbench.mjs";

const MOST_MS = 300_000;

test("the extension makes its own server when asked to, and the first diagnostic comes", { timeout: 2 * MOST_MS }, async () => {
  const bench = await Workbench.open({ server: false });
  try {
    const { page } = bench;
    await bench.openFile("features/checkout.feature");
    const notification = page.locator(".notification-list-item");
    await notification.filter({ hasText: /not installed in this workspace/u }).waitFor();
    await bench.picture("first-start");
    await notification.getByRole("button", { name: "Install" }).click();
    await notification.filter({ hasText: /installing its dependencies/u }).waitFor({ timeout: MOST_MS });
    await bench.picture("installing");
    await page.locator(".squiggly-warning").first().waitFor({ timeout: MOST_MS });
    assert.match(bench.log(), /serving|of the extension itself|step definitions/u);
    await bench.picture("first-diagnostic");
  } catch (error) {
    await bench.picture("failed first start");
    console.error(bench.log().slice(-4000));
    throw error;
  } finally {
    await bench.close();
  }
});
