// What a user does with the extension, in a real workbench: from the first diagnostic to renamed files on disk.

import assert from "node:assert/strict";
import path from "node:path";

const CHECKOUT = "features/checkout.feature";
const BASKET = "features/basket.feature";
const SHOP = "features/steps/shop.py";

/** Of the walkthrough. */
const STEPS = ["Start the server", "Write a step", "Rename all wordings of a step", "See the whole suite"];
const TICKED = ".codicon-getting-started-step-checked";

const steps = {};

steps["a finding of the suite is underlined, and the server is the workspace's own"] = async (window, page) => {
  await window.openFile(CHECKOUT);
  await page.locator(".squiggly-warning, .squiggly-info").first().waitFor();
  assert.match(window.log(), /serving: .*#1 100%.*cukereuse, version .*, of the workspace's Python environment/u);
  // embedding gives way to everything else on the machine
  await page.locator(".statusbar-item", { hasText: /40 steps/u }).waitFor({ timeout: 600_000 });
  await window.picture("finding");
};

steps["a paraphrase gets its diagnostic while it is typed"] = async (window, page) => {
  await window.cursorToEndOf(CHECKOUT, "And the basket is empty");
  await page.keyboard.type('\nAnd I should be shown the message "Enjoy"', { delay: 20 });
  await page.locator(".squiggly-info").first().waitFor();
  await window.picture("typed");
};

steps["the light bulb replaces it with the wording in use, its argument kept"] = async (window, page) => {
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+.");
  const use = page.locator(".action-widget .action.focused", { hasText: /Use existing step .I should see the message "Enjoy"/u });
  await use.waitFor();
  await window.picture("light-bulb");
  await page.keyboard.press("Escape");
  await onlyTicked(window, page, "Start the server"); // looking at it is not to take it
  await page.keyboard.press("Control+.");
  await use.waitFor();
  await page.keyboard.press("Enter");
  await page.locator(".view-line", { hasText: 'And I should see the message "Enjoy"' }).waitFor();
  await window.saveAll();
  assert.match(window.read(CHECKOUT), /\n {4}And the basket is empty\n {4}And I should see the message "Enjoy"\n$/u);
};

/** The walkthrough with this step ticked and no other; then the file again. */
async function onlyTicked(window, page, title) {
  await window.command("Welcome: Open Walkthrough");
  await window.pick("One wording per step");
  const step = page.locator(".gettingStartedContainer .getting-started-step");
  await step.filter({ hasText: title }).locator(TICKED).waitFor();
  assert.equal(await step.locator(TICKED).count(), 1);
  await window.openFile(CHECKOUT);
}

steps["similar steps are listed, the other wording first"] = async (window, page) => {
  await window.goTo(CHECKOUT, "Your basket is empty");
  await window.command("Cukereuse: Find Similar Steps");
  const [first] = await window.picks("I should see the message");
  assert.match(first, /I should see the message/u);
  await window.picture("similar");
  await page.keyboard.press("Escape");
};

steps["the code lens shows where a step is used"] = async (window, page) => {
  await page.locator(".codelens-decoration a", { hasText: "used 3×" }).first().click();
  await page.locator(".reference-zone-widget").getByText("features").first().waitFor();
  await window.picture("references");
  await page.keyboard.press("Escape");
};

steps["a rename can be looked at first"] = async (window, page) => {
  const before = window.read(BASKET);
  await window.goTo(CHECKOUT, "Your basket is empty");
  await window.command("Cukereuse: Rename All Wordings");
  await window.pick('I should see the message "{1}"');
  await window.input('the page shows "{1}"');
  await page.locator(".quick-input-widget:visible").getByText("Changes 5 steps in 3 files").waitFor();
  await page.getByRole("button", { name: "Preview the changes first" }).click();
  await page.locator(".bulk-edit-panel .monaco-list-row", { hasText: 'the page shows "green tea was added"' }).waitFor();
  await window.picture("preview");
  await page.getByRole("button", { name: "Discard" }).click();
  await page.locator(".bulk-edit-panel").waitFor({ state: "hidden" });
  assert.equal(window.read(BASKET), before);
};

steps["a cluster is renamed across files, with the step definition, and one undo takes it back"] = async (window, page) => {
  const before = [CHECKOUT, BASKET, SHOP].map((file) => window.read(file));
  await window.goTo(CHECKOUT, "Your basket is empty");
  await window.command("Cukereuse: Rename All Wordings");
  await window.picks("I should see the message");
  await window.picture("rename-candidates");
  await window.pick('I should see the message "{1}"');
  const box = page.locator(".quick-input-widget:visible");
  await box.getByText(/Changes \d+ steps? in \d+ files?/u).waitFor();
  await window.input('the page shows "{2}"');
  await box.getByText(/slots are numbered \{2\}/u).waitFor();
  await window.picture("rename-refused");
  await window.input('the page shows "{1}"');
  await box.getByText(/Changes 5 steps in 3 files/u).waitFor();
  await window.picture("rename");
  await page.keyboard.press("Enter");
  await page.locator(".notification-list-item", { hasText: /Renamed 5 steps in 3 files/u }).waitFor();
  await window.picture("renamed");
  await window.saveAll();
  assert.deepEqual(window.read(CHECKOUT).match(/the page shows ".*"/gu), [
    'the page shows "Thank you"',
    'the page shows "Your basket is empty"',
    'the page shows "Enjoy"',
  ]);
  assert.deepEqual(window.read(BASKET).match(/the page shows ".*"/gu), [
    'the page shows "green tea was added"',
    'the page shows "black tea was removed"',
  ]);
  assert.match(window.read(SHOP), /@then\('the page shows "\{message\}"'\)/u);
  for (const file of [CHECKOUT, BASKET]) assert.doesNotMatch(window.read(file), /see the message|should be shown/u);
  // of two findings in this file, the one of the log in is left
  await page.locator(".squiggly-warning, .squiggly-info").nth(1).waitFor({ state: "detached" });
  assert.equal(await page.locator(".squiggly-warning, .squiggly-info").count(), 1);

  await window.goTo(CHECKOUT, "Your basket is empty");
  await page.keyboard.press("Control+z");
  await page.locator(".tab.dirty").nth(2).waitFor();
  await window.saveAll();
  assert.deepEqual([CHECKOUT, BASKET, SHOP].map((file) => window.read(file)), before);
};

steps["the workspace scan lists the findings of files that are not open"] = async (window, page) => {
  await window.command("Cukereuse: Scan Workspace");
  await page.locator(".markers-panel .monaco-list-row", { hasText: "api.feature" }).first().waitFor();
  const told = page.locator(".notification-list-item", { hasText: /\d+ findings?, in the Problems panel/u });
  await told.waitFor();
  await window.picture("scan");
  // what is told is what the panel lists
  const [, count] = /(\d+) findings?/u.exec(await told.innerText());
  await page.locator(".panel .badge-content").getByText(count, { exact: true }).first().waitFor();
  await told.getByRole("button", { name: "Show Report" }).waitFor();
};

steps["the report opens under its strict policy, and its links open the step"] = async (window, page) => {
  await page.keyboard.press("Control+j"); // the Problems panel goes
  await window.command("Cukereuse: Show Duplicate Report");
  const report = await window.webview(/\d+\s+things?\s+to look at/u);
  await window.picture("report");
  await report.locator("a.place", { hasText: "api.feature" }).first().click();
  await page.locator(".tab.active", { hasText: "api.feature" }).waitFor();
  await window.picture("report-link");
};

steps["the walkthrough shows what there is, a page for each step"] = async (window, page) => {
  await window.command("Welcome: Open Walkthrough");
  await window.pick("One wording per step");
  const step = page.locator(".gettingStartedContainer .getting-started-step");
  await step.first().waitFor();
  assert.equal(await step.count(), STEPS.length);
  for (const title of STEPS) {
    await step.filter({ hasText: title }).locator("h3").click();
    await step.and(page.locator(".expanded")).filter({ hasText: title }).waitFor();
    await window.picture(`walkthrough ${title}`);
  }
  // all of that was done above
  for (const title of STEPS) await step.filter({ hasText: title }).locator(TICKED).waitFor();
};

steps["without the debugger that a suite needs, its extension is named"] = async (window, page) => {
  await window.openFile(CHECKOUT);
  await page.keyboard.press("Control+Home");
  await page.locator(".codelens-decoration a", { hasText: /^Debug$/u }).first().click();
  await page.locator(".codicon-testing-error-icon").first().waitFor();
  await page.getByText(/install the extension ms-python\.debugpy/u).first().waitFor();
  await window.picture("no debugger");
  await page.keyboard.press("Escape");
};

steps["a scenario is run when its lens is clicked, and not before"] = async (window, page) => {
  // the runner of the Python that the tests run with: the window's PATH is that of a login shell
  const python = path.join(path.dirname(process.env.CUKEREUSE_COMMAND), "python");
  window.settings({ "cukereuse.runCommand": `'${python}' -m behave {place}` });
  await window.openFile(CHECKOUT);
  await page.keyboard.press("Control+Home"); // the first lens may stand above what is shown
  const lens = page.locator(".codelens-decoration a", { hasText: /^Run$/u }).first();
  await lens.waitFor();
  const passed = page.locator(".codicon-testing-passed-icon, .testing-run-glyph.codicon-testing-passed-icon");
  assert.equal(await passed.count(), 0);
  for (let left = 5; (await passed.count()) === 0; left -= 1) {
    await lens.click(); // by the settings that were just written, once they are read
    await passed.first().waitFor(left > 0 ? { timeout: 15_000 } : {}).catch((error) => {
      if (left === 0) throw error;
    });
  }
  await window.picture("scenario passed");
  await window.cursorToEndOf(CHECKOUT, "Then the order is confirmed");
  await page.keyboard.type("\nBut the order is not confirmed", { delay: 20 });
  await page.keyboard.press("Escape");
  await lens.click();
  await page.locator(".codicon-testing-failed-icon").first().waitFor();
  await window.command("Test: Show Output");
  await window.picture("scenario failed");
  await page.keyboard.press("Control+z");
};

export default { name: "every day", steps };
