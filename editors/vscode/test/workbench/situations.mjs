// Machines and folders that are not as a developer's: the first finding comes, nothing is asked, and it is told how long
// that took.
//
// CUKEREUSE_SITUATIONS  set: they are tried; seven windows take their time
// CUKEREUSE_SHARED      a folder whose `suites` hold public suites; without, none of 71,000 steps is opened

import assert from "node:assert/strict";
import { appendFileSync, cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

const CHECKOUT = "features/checkout.feature";
const MOST_MS = 900_000; // a machine may have other things to do
const NOWHERE = "http://127.0.0.1:9";
const LARGE = [
  "3scale__porta",
  "DataDog__datadog-api-client-python",
  "activeadmin__activeadmin",
  "api-platform__core",
  "cucumber__cucumber-ruby",
  "git-town__git-town",
  "hmcts__ccd-data-store-api",
  "learningequality__kolibri",
];
const LONG = "git-town__git-town/features/long.feature";
const OTHER_WORDING = `Feature: a long story

  Scenario: the save button
    When I click the "Save" button
    When I click the "Cancel" button
    When I press the "Save" button
`;

/** A server that starts with these variables. */
function server(variables) {
  const exported = Object.entries(variables).map(([name, value]) => `export ${name}='${value}'`);
  return `#!/bin/sh\n${exported.join("\n")}\nexec '${process.env.CUKEREUSE_COMMAND}' "$@"\n`;
}

async function firstFinding(window, page, file, name) {
  await window.openFile(file);
  await page.locator(".squiggly-warning, .squiggly-info").first().waitFor({ timeout: MOST_MS });
  console.log(`${name}: the first finding came ${((Date.now() - window.began) / 1000).toFixed(1)} s after the folder was trusted`);
  await window.picture(`situation ${name}`);
}

function story(name, options, steps = {}) {
  return {
    name,
    options,
    steps: {
      [`${name}: the first finding comes, and nothing is asked`]: async (window, page) => {
        await firstFinding(window, page, CHECKOUT, name);
        assert.equal(await page.locator(".notification-list-item").count(), 0);
        assert.doesNotMatch(window.log(), /Traceback/u);
      },
      ...steps,
    },
  };
}

const below = (folder) => {
  writeFileSync(path.join(folder, "a file"), "");
  return path.join(folder, "a file/below");
};

/** Beside the folder: a search for feature files looks into all that it holds. */
const later = (folder) => path.join(folder, "../later");

const withoutFeatures = story(
  "a folder without features",
  { change: (folder) => renameSync(path.join(folder, "features"), later(folder)) },
);
withoutFeatures.steps = {
  "a folder without features is left alone": async (window, page) => {
    await page.waitForTimeout(5_000);
    assert.equal(await page.locator(".notification-list-item").count(), 0);
    assert.equal(window.log(), "");
    await window.picture("situation without features");
  },
  "until there are some": async (window, page) => {
    renameSync(later(window.folder), path.join(window.folder, "features"));
    await firstFinding(window, page, CHECKOUT, "features that came later");
  },
};

const large = {
  name: "71,000 steps",
  left: process.env.CUKEREUSE_SHARED ? false : "CUKEREUSE_SHARED names no suites",
  options: {
    change: (folder) => {
      for (const name of ["features", "behave.ini"]) rmSync(path.join(folder, name), { recursive: true, force: true });
      for (const name of LARGE) cpSync(path.join(process.env.CUKEREUSE_SHARED, "suites", name), path.join(folder, name), { recursive: true });
      mkdirSync(path.dirname(path.join(folder, LONG)), { recursive: true });
      writeFileSync(path.join(folder, LONG), OTHER_WORDING);
    },
  },
  steps: {
    "71,000 steps: a finding comes while the rest is read": async (window, page) => {
      await firstFinding(window, page, LONG, "71,000 steps");
    },
    "71,000 steps: a paraphrase is marked while it is typed": async (window, page) => {
      await page.locator(".statusbar-item", { hasText: /7\d,\d{3} steps/u }).waitFor({ timeout: MOST_MS });
      await window.cursorToEndOf(LONG, 'When I press the "Save" button');
      const marks = page.locator(".squiggly-warning, .squiggly-info");
      const next = marks.nth(await marks.count());
      await page.keyboard.type("\n\n  Scenario: another\n", { delay: 20 });
      await next.waitFor({ state: "detached" }); // half a title is no Gherkin
      await page.keyboard.type('When I press the "Cancel" button', { delay: 20 });
      const typed = Date.now();
      await next.waitFor();
      console.log(`71,000 steps: the finding came ${Date.now() - typed} ms after the last key`);
      await window.picture("situation large");
    },
  },
};

const stories = [
  story("a read-only home", {
    server: (folder) => {
      const home = below(folder);
      return server({ HOME: home, XDG_CACHE_HOME: home, XDG_DATA_HOME: home, CUKEREUSE_CACHE_DIR: home });
    },
  }),
  story("no network", {
    server: (folder) => {
      const proxies = ["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].map((name) => [name, NOWHERE]);
      return server({ ...Object.fromEntries(proxies), CUKEREUSE_CACHE_DIR: path.join(folder, "../cache") });
    },
  }),
  story("no compiler", {
    server: (folder) => {
      const modules = path.join(folder, "../modules");
      mkdirSync(modules);
      appendFileSync(path.join(modules, "hnswlib.py"), "raise ImportError('not compiled')\n");
      return server({ PYTHONPATH: modules });
    },
  }),
  story("two folders", { beside: "other shop" }, {
    "two folders: findings come in the other one too": async (window, page) => {
      await firstFinding(window, page, "till.feature", "the second folder");
    },
  }),
  withoutFeatures,
  large,
];

export default process.env.CUKEREUSE_SITUATIONS ? stories : [];
