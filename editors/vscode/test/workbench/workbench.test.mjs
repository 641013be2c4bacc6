// Stories of the extension's users, one after the other in windows of one workbench.

import { after, before, describe, test } from "node:test";
import debugging from "./debugging.mjs";
import everyday from "./everyday.mjs";
import firstStart from "./first-start.mjs";
import neighbours from "./neighbours.mjs";
import pytestBdd from "./pytest-bdd.mjs";
import situations from "./situations.mjs";
import trouble from "./trouble.mjs";
import untrusted from "./untrusted.mjs";
import { Workbench } from "./workbench.mjs";

let workbench;
before(async () => {
  workbench = await Workbench.start();
});
after(() => workbench?.close());

// another extension stays once it is there; the first start leaves a compiler at work, which would slow down the others
const stories = [everyday, debugging, pytestBdd, ...situations, untrusted, trouble, neighbours, firstStart];
for (const { name, options, prepare, left = false, steps } of stories) {
  describe(name, { skip: left }, () => {
    let window;
    // by the first step that runs: --test-name-pattern leaves out steps, not what stands around them
    const open = async () => {
      await prepare?.(workbench);
      return workbench.open(options);
    };
    after(() => window?.close());
    for (const [step, work] of Object.entries(steps)) {
      test(step, async () => {
        window ??= await open();
        try {
          await work(window, window.page, workbench);
        } catch (error) {
          await window.picture(`failed ${step}`);
          console.error(window.log().slice(-4000));
          throw error;
        }
      });
    }
  });
}
