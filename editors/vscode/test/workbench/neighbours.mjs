// Beside the official Cucumber extension, or what stands for it: an extension of its id with the same features.
//
// CUKEREUSE_OFFICIAL  a .vsix of the official extension, to try with that one

import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { packageOf } from "./workbench.mjs";

const STAND_IN = fileURLToPath(new URL("stand-in", import.meta.url));
const CHECKOUT = "features/checkout.feature";
const SUGGESTION = ".suggest-widget.visible .monaco-list-row .label-name";

export default {
  name: "beside the official extension",
  async prepare(workbench) {
    await workbench.add(process.env.CUKEREUSE_OFFICIAL ?? packageOf(STAND_IN));
  },
  steps: {
    "findings come": async (window, page) => {
      await window.openFile(CHECKOUT);
      await page.locator(".squiggly-warning, .squiggly-info").first().waitFor();
    },
    "the outline stands once": async (window, page) => {
      await window.command("Explorer: Focus on Outline View");
      const rows = page.locator(".outline-pane .monaco-list-row");
      await rows.filter({ hasText: "The receipt" }).first().waitFor();
      assert.equal(await rows.filter({ hasText: "The receipt" }).count(), 1);
      await window.picture("neighbours-outline");
    },
    "a step definition is gone to, not chosen among two answers": async (window, page) => {
      await window.openFile(CHECKOUT);
      await window.goTo(CHECKOUT, "I pay by card");
      await page.keyboard.press("F12");
      await page.locator(".tab.active", { hasText: "shop.py" }).waitFor();
      await window.picture("neighbours-definition");
      assert.equal(await page.locator(".reference-zone-widget").count(), 0);
    },
    "a step is completed once": async (window, page) => {
      await window.openFile(CHECKOUT);
      await window.cursorToEndOf(CHECKOUT, "And the basket is empty");
      await page.keyboard.type("\nAnd I am logged", { delay: 20 });
      await page.keyboard.press("Control+Space");
      await page.locator(SUGGESTION).first().waitFor();
      await window.picture("neighbours-completion");
      const labels = await page.locator(SUGGESTION).allInnerTexts();
      assert.deepEqual(labels, [...new Set(labels)]);
    },
    "a setting says otherwise": async (window, page) => {
      window.settings({ "cukereuse.completion": "on" });
      const own = page.locator(SUGGESTION, { hasText: 'I am logged in as "{name}"' });
      for (let tries = 0; tries < 90 && !(await own.isVisible()); tries++) {
        await page.keyboard.press("Escape");
        await page.keyboard.press("Control+Space");
        await sleep(1_000); // until the workbench has seen the file of settings
      }
      await own.waitFor({ timeout: 1_000 });
      await page.locator(SUGGESTION, { hasText: 'I am logged in as "anna"' }).waitFor();
    },
  },
};
