// The first start on a machine that has Python and the .vsix, and nothing else of cukereuse.

import assert from "node:assert/strict";

const MOST_MS = 900_000;

export default {
  name: "first start",
  options: { server: "" },
  steps: {
    "the extension makes its own server when asked to, and the first diagnostic comes": async (window, page) => {
      window.write(".env", "TOKEN=1\n"); // five of thirty real suites have one
      await window.openFile("features/checkout.feature");
      const offer = window.notification(/not installed in this workspace/u);
      await offer.waitFor();
      await window.picture("first-start");
      await offer.getByRole("button", { name: "Install" }).click();
      await window.notification(/installing cukereuse/u).waitFor({ timeout: MOST_MS });
      await window.picture("installing");
      await page.locator(".squiggly-warning, .squiggly-info").first().waitFor({ timeout: MOST_MS });
      assert.match(window.log(), /\/server\/bin\/python -m pip .*install --no-compile --prefer-binary .*cukereuse-.*\.whl/u);
      await window.picture("first-diagnostic");
      assert.equal(await page.locator(".notification-list-item").count(), 0, "one question was enough");
    },
  },
};
