// What a user does with the extension, in a real workbench: from the first diagnostic to renamed files on disk.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Workbench } from "./workbench.mjs";

const CHECKOUT = "features/checkout.feature";
const BASKET = "features/basket.feature";
const SHOP = "features/steps/shop.py";

let workbench;
before(async () => {
  workbench = await Workbench.open();
});
after(() => workbench?.close());

/** Run one step of the story; a picture tells what was to be seen where it fails. */
function step(name, work) {
  test(name, async () => {
    try {
      await work(workbench, workbench.page);
    } catch (error) {
      await workbench.picture(`failed ${name}`);
      console.error(workbench.log().slice(-4000));
      throw error;
    }
  });
}

step("a finding of the suite is underlined, and the server is the workspace's own", async (bench, page) => {
  await bench.openFile(CHECKOUT);
  await page.locator(".squiggly-warning").first().waitFor();
  assert.match(bench.log(), /serving: .*web#shop 100%.*cukereuse, version .*, of the workspace's Python environment/u);
  await page.locator(".statusbar-item", { hasText: /40 steps/u }).waitFor();
  await bench.picture("finding");
});

step("a paraphrase gets its diagnostic while it is typed", async (bench, page) => {
  await bench.cursorToEndOf(CHECKOUT, "And the basket is empty");
  await page.keyboard.type('\nAnd I should be shown the message "Enjoy"', { delay: 20 });
  await page.locator(".squiggly-info").first().waitFor();
  await bench.picture("typed");
});

step("the light bulb replaces it with the wording in use, its argument kept", async (bench, page) => {
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+.");
  await page.locator(".action-widget .action.focused", { hasText: /Use existing step .I should see the message "Enjoy"/u }).waitFor();
  await bench.picture("light-bulb");
  await page.keyboard.press("Enter");
  await page.locator(".view-line", { hasText: 'And I should see the message "Enjoy"' }).waitFor();
  await bench.saveAll();
  assert.match(bench.read(CHECKOUT), /\n {4}And the basket is empty\n {4}And I should see the message "Enjoy"\n$/u);
});

step("similar steps are listed, the other wording first", async (bench, page) => {
  await bench.goTo(CHECKOUT, "Your basket is empty");
  await bench.command("Cukereuse: Find Similar Steps");
  const [first] = await bench.picks("I should see the message");
  assert.match(first, /I should see the message/u);
  await bench.picture("similar");
  await page.keyboard.press("Escape");
});

step("the code lens shows where a step is used", async (bench, page) => {
  await page.locator(".codelens-decoration a", { hasText: "used 3×" }).first().click();
  await page.locator(".reference-zone-widget").getByText("features").first().waitFor();
  await bench.picture("references");
  await page.keyboard.press("Escape");
});

step("a rename can be looked at first", async (bench, page) => {
  const before = bench.read(BASKET);
  await bench.goTo(CHECKOUT, "Your basket is empty");
  await bench.command("Cukereuse: Rename All in Cluster");
  await bench.pick('I should see the message "{1}"');
  await bench.input('the page shows "{1}"');
  await page.locator(".quick-input-widget:visible").getByText("Changes 5 steps in 3 files").waitFor();
  await page.getByRole("button", { name: "Preview the changes first" }).click();
  await page.locator(".bulk-edit-panel .monaco-list-row", { hasText: 'the page shows "green tea was added"' }).waitFor();
  await bench.picture("preview");
  await page.getByRole("button", { name: "Discard" }).click();
  await page.locator(".bulk-edit-panel").waitFor({ state: "hidden" });
  assert.equal(bench.read(BASKET), before);
});

step("a cluster is renamed across files, with the step definition, and one undo takes it back", async (bench, page) => {
  const before = [CHECKOUT, BASKET, SHOP].map((file) => bench.read(file));
  await bench.goTo(CHECKOUT, "Your basket is empty");
  await bench.command("Cukereuse: Rename All in Cluster");
  await bench.picks("I should see the message");
  await bench.picture("rename-candidates");
  await bench.pick('I should see the message "{1}"');
  const box = page.locator(".quick-input-widget:visible");
  await box.getByText(/Changes \d+ steps? in \d+ files?/u).waitFor();
  await bench.input('the page shows "{2}"');
  await box.getByText(/must run from/u).waitFor();
  await bench.picture("rename-refused");
  await bench.input('the page shows "{1}"');
  await box.getByText(/Changes 5 steps in 3 files/u).waitFor();
  await bench.picture("rename");
  await page.keyboard.press("Enter");
  await page.locator(".notification-list-item", { hasText: /Renamed 5 steps in 3 files/u }).waitFor();
  await bench.picture("renamed");
  await bench.saveAll();
  assert.deepEqual(bench.read(CHECKOUT).match(/the page shows ".*"/gu), [
    'the page shows "Thank you"',
    'the page shows "Your basket is empty"',
    'the page shows "Enjoy"',
  ]);
  assert.deepEqual(bench.read(BASKET).match(/the page shows ".*"/gu), [
    'the page shows "green tea was added"',
    'the page shows "black tea was removed"',
  ]);
  assert.match(bench.read(SHOP), /@then\('the page shows "\{message\}"'\)/u);
  for (const file of [CHECKOUT, BASKET]) assert.doesNotMatch(bench.read(file), /see the message|should be shown/u);
  await page.locator(".squiggly-warning").first().waitFor({ state: "detached" });

  await bench.goTo(CHECKOUT, "Your basket is empty");
  await page.keyboard.press("Control+z");
  await page.locator(".tab.dirty").nth(2).waitFor();
  await bench.saveAll();
  assert.deepEqual([CHECKOUT, BASKET, SHOP].map((file) => bench.read(file)), before);
});

step("the workspace scan lists the findings of files that are not open", async (bench, page) => {
  await bench.command("Cukereuse: Scan Workspace");
  await page.locator(".markers-panel .monaco-list-row", { hasText: "api.feature" }).first().waitFor();
  await page.locator(".notification-list-item", { hasText: /\d+ findings in 3 files/u }).waitFor();
  await bench.picture("scan");
});

step("the report opens under its strict policy, and its links open the step", async (bench, page) => {
  await page.keyboard.press("Control+j"); // the Problems panel goes
  await bench.command("Cukereuse: Show Duplicate Report");
  const report = await bench.webview(/wordings? say/u);
  await bench.picture("report");
  await report.locator("a.place", { hasText: "api.feature" }).first().click();
  await page.locator(".tab.active", { hasText: "api.feature" }).waitFor();
  await bench.picture("report-link");
});
