// Stories of the extension's users, one after the other in windows of a workbench; two workbenches at a time, as a window
// waits for its start most of all.

import { after, before, describe, test } from "node:test";
import debugging from "./debugging.mjs";
import debugpy from "./debugpy.mjs";
import everyday from "./everyday.mjs";
import firstStart from "./first-start.mjs";
import neighbours from "./neighbours.mjs";
import pytestBdd from "./pytest-bdd.mjs";
import situations from "./situations.mjs";
import trouble from "./trouble.mjs";
import untrusted from "./untrusted.mjs";
import { Workbench } from "./workbench.mjs";

// Another extension stays once it is there, and a server of the extension's own once it is made: both come last.
const LANES = [
  [everyday, debugging, pytestBdd, ...debugpy],
  [...situations, untrusted, trouble, neighbours, firstStart],
];

describe("stories", { concurrency: LANES.length }, () => {
  for (const [number, stories] of LANES.entries()) {
    describe(`workbench ${number + 1}`, { concurrency: 1 }, () => {
      let workbench;
      before(async () => {
        workbench = await Workbench.start();
      });
      after(() => workbench?.close());
      for (const story of stories) tell(story, () => workbench);
    });
  }
});

/** A story in a window of its own, step by step. */
function tell({ name, options, prepare, left = false, steps }, workbench) {
  describe(name, { skip: left }, () => {
    let window;
    // by the first step that runs: --test-name-pattern leaves out steps, not what stands around them
    const open = async () => {
      await prepare?.(workbench());
      return workbench().open(options);
    };
    after(() => window?.close());
    for (const [step, work] of Object.entries(steps)) {
      test(step, async () => {
        window ??= await open();
        try {
          await work(window, window.page, workbench());
        } catch (error) {
          await window.picture(`failed ${step}`);
          console.error(window.log().slice(-4000));
          throw error;
        }
      });
    }
  });
}
